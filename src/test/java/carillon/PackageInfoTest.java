package carillon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the pages of the packages agree with the sources. */
class PackageInfoTest {
  private static final Path MAIN = Path.of("src/main/java/carillon");
  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?carillon\\.((?:[a-z]+\\.)*)[A-Z]", Pattern.MULTILINE);
  private static final Pattern SENTENCE = Pattern.compile("Imports\\s([^.]+(?:\\.[a-z][^.]*)*)\\.");
  private static final Pattern CODE = Pattern.compile("\\{@code\\s+([a-z.]+)}");

  private static final Pattern ROW = Pattern.compile("^\\| `([a-z/]+)` \\|", Pattern.MULTILINE);

  static List<Path> packages() throws IOException {
    try (Stream<Path> all = Files.walk(MAIN)) {
      return all.filter(Files::isDirectory).filter(folder -> !classes(folder).isEmpty()).toList();
    }
  }

  private static List<Path> classes(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("package-info.java"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("packages")
  void aPackageImportsWhatItsPageSays(Path folder) throws IOException {
    Path page = folder.resolve("package-info.java");
    assertTrue(Files.exists(page), folder + " has no package-info");

    assertEquals(imported(folder), said(Files.readString(page)), folder.toString());
  }

  @Test
  void theArchitecturePageListsThePackages() throws IOException {
    TreeSet<String> packages =
        packages().stream()
            .filter(folder -> !folder.equals(MAIN))
            .map(folder -> MAIN.relativize(folder).toString())
            .collect(Collectors.toCollection(TreeSet::new));
    String page = Files.readString(Path.of("src/docs/architecture.md"));

    assertEquals(
        packages,
        matches(ROW, page).map(row -> row.group(1)).collect(Collectors.toCollection(TreeSet::new)));
  }

  private static Set<String> imported(Path folder) {
    String self = MAIN.relativize(folder).toString().replace('/', '.');
    return classes(folder).stream()
        .flatMap(file -> matches(IMPORT, read(file)))
        .map(match -> match.group(1).isEmpty() ? "carillon" : match.group(1))
        .map(name -> name.endsWith(".") ? name.substring(0, name.length() - 1) : name)
        .filter(name -> !name.equals(self))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> said(String page) {
    return matches(SENTENCE, page.replace("\n *", " "))
        .flatMap(sentence -> matches(CODE, sentence.group(1)))
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<MatchResult> matches(Pattern pattern, String text) {
    return pattern.matcher(text).results();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
