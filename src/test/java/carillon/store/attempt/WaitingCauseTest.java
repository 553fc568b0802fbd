package carillon.store.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.fsck.FindingKind;
import carillon.redis.ParsedKey.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares the causes of waiting with the pages, the scripts, the keys and {@code fsck}. */
class WaitingCauseTest {
  private static final Path DOCS = Path.of("src/docs");
  private static final Path LUA = Path.of("src/main/resources/lua");
  private static final Pattern SAME_KEYS = Pattern.compile("-- derived those of (\\w+)");

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a script, and the one whose keys it has. */
  private static String heads(String script) {
    String lua = read(LUA.resolve(script + ".lua"));
    Matcher other = SAME_KEYS.matcher(lua);
    return other.find() ? lua + read(LUA.resolve(other.group(1) + ".lua")) : lua;
  }

  private static String words(List<String> words) {
    return words.stream().map(word -> "`" + word + "`").collect(Collectors.joining(", "));
  }

  private static String item(WaitingCause cause) {
    String owner =
        switch (cause.owner()) {
          case LIST -> "`list:" + cause.word() + "`";
          case JOB -> "`job`, field `heldAttempt`";
          default -> "`" + cause.owner().name().toLowerCase(Locale.ROOT) + "`";
        };
    return "- **%s**, owned by %s: entered by %s; ended by %s; finding %s."
        .formatted(
            cause.word(),
            owner,
            words(cause.enteredBy()),
            words(cause.endedBy()),
            cause.finding().map(word -> "`" + word + "`").orElse("none"));
  }

  @ParameterizedTest
  @EnumSource(WaitingCause.class)
  void theArchitecturePageHasIt(WaitingCause cause) {
    String page = read(DOCS.resolve("architecture.md")).replaceAll("\\s+", " ");

    assertTrue(page.contains(item(cause)), () -> item(cause));
  }

  @ParameterizedTest
  @EnumSource(WaitingCause.class)
  void eachOfItsScriptsHasTheOwnerAmongItsKeys(WaitingCause cause) {
    String key =
        switch (cause.owner()) {
          case LIST -> "}:list:";
          case JOB -> "}:job:<job>";
          default -> "}:" + cause.owner().name().toLowerCase(Locale.ROOT);
        };
    Stream.concat(cause.enteredBy().stream(), cause.endedBy().stream())
        .forEach(
            script -> {
              String lua = heads(script);
              boolean hasOwner =
                  lua.contains(key)
                      || (cause == WaitingCause.EXECUTION && lua.contains("-- include: overlap"));
              assertTrue(hasOwner, () -> script + " without " + key);
            });
  }

  @Test
  void noOtherKindOfKeyOwnsAttempts() {
    Set<Kind> owners =
        Stream.of(WaitingCause.values())
            .map(WaitingCause::owner)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Kind.class)));

    assertEquals(EnumSet.of(Kind.DUE, Kind.LIST, Kind.JOB, Kind.CLAIMS), owners);
    String keys = read(DOCS.resolve("redis-keys.md"));
    for (Kind kind : owners) {
      String word = "}:" + kind.name().toLowerCase(Locale.ROOT);
      assertTrue(keys.contains(word), () -> word + " is not in redis-keys.md");
    }
  }

  @ParameterizedTest
  @EnumSource(WaitingCause.class)
  void fsckHasItsFinding(WaitingCause cause) {
    List<String> words = Stream.of(FindingKind.values()).map(FindingKind::word).toList();

    cause.finding().ifPresent(word -> assertTrue(words.contains(word), word));
  }

  @ParameterizedTest
  @EnumSource(WaitingCause.class)
  void aListIsReadByItsName(WaitingCause cause) {
    if (cause.owner() == Kind.LIST) {
      String name = cause == WaitingCause.EXECUTION ? "" : "s/g/c";
      WaitingList list = new WaitingList(cause, name);

      assertEquals(list, WaitingList.parse(list.key()).orElseThrow());
    }
  }
}
