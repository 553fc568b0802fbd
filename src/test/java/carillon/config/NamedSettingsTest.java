package carillon.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.cli.client.ApiClientOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Test that all settings named in README, the pages and the files of {@code conf/} exist. */
class NamedSettingsTest {
  private static final Pattern VARIABLE = Pattern.compile("\\bCARILLON_[A-Z0-9_]*[A-Z0-9]");
  private static final Set<String> FILES =
      Set.of("redis.conf", "redis.sock", "redis.yaml", "secrets.key");

  @Test
  void everyVariableThatIsNamedExists() throws IOException {
    assertEquals(Set.of(), unknown(VARIABLE, MatchResult::group, SettingKey::variable));
  }

  @Test
  void everyKeyThatIsNamedExists() throws IOException {
    String sections =
        SettingKey.of(Settings.class, "").stream()
            .filter(SettingKey::isSection)
            .map(SettingKey::path)
            .collect(Collectors.joining("|"));
    // In backticks, optionally with a value: `http.port`, `redis.durability = fsync`.
    Pattern key = Pattern.compile("`((?:" + sections + ")(?:\\.[A-Za-z]+)+)(?: ?[:=][^`]*)?`");

    assertEquals(Set.of(), unknown(key, match -> match.group(1), SettingKey::path));
  }

  private static Set<String> unknown(
      Pattern names, Function<MatchResult, String> name, Function<SettingKey, String> known)
      throws IOException {
    Set<String> all =
        SettingKey.leaves(Settings.class, "").stream().map(known).collect(Collectors.toSet());
    Set<String> unknown = new TreeSet<>();
    int found = 0;
    for (Path file : documents()) {
      for (MatchResult match : names.matcher(Files.readString(file)).results().toList()) {
        found++;
        String named = name.apply(match);
        if (!all.contains(named)
            && !FILES.contains(named)
            && !ApiClientOptions.VARIABLES.contains(named)) {
          unknown.add(file + ": " + named);
        }
      }
    }
    assertTrue(found > 10, "names were looked for, and found");
    return unknown;
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> pages = Files.walk(Path.of("src/docs"));
        Stream<Path> conf = Files.walk(Path.of("conf"))) {
      return Stream.of(Stream.of(Path.of("README.md")), pages, conf)
          .flatMap(files -> files)
          .filter(Files::isRegularFile)
          .filter(file -> !file.toString().endsWith(".png"))
          .toList();
    }
  }
}
