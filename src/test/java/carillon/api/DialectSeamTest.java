package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Test that the folders of a dialect of Azure can be removed with two lines outside them. Only one
 * other file may name their packages, and it compiles without those lines. So does all the rest.
 */
class DialectSeamTest {
  private static final Path MAIN = Path.of("src/main/java");
  private static final Path NAMES_DIALECTS = MAIN.resolve("carillon/api/ApiVerticle.java");

  @TempDir Path dir;

  @Test
  void theClassicDialectCanBeRemoved() throws IOException {
    assertRemovable(
        List.of("carillon.api.classic", "carillon.store.classic"),
        "import carillon.api.classic.ClassicModule;",
        "dialects.add(new ClassicModule());");
  }

  @Test
  void theDialectOfResourceManagerCanBeRemoved() throws IOException {
    assertRemovable(
        List.of("carillon.api.arm"),
        "import carillon.api.arm.ArmModule;",
        "dialects.add(new ArmModule(arm));");
  }

  private void assertRemovable(List<String> packages, String... lines) throws IOException {
    assertEquals(List.of(NAMES_DIALECTS), naming(packages));
    String rest = without(Files.readString(NAMES_DIALECTS), lines);
    assertTrue(packages.stream().noneMatch(rest::contains));
    assertEquals(0, compile(rest));
  }

  /** Returns the sources outside these packages that name one of them. */
  private static List<Path> naming(List<String> packages) throws IOException {
    try (Stream<Path> files = Files.walk(MAIN)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !packages.contains(nameOf(MAIN.relativize(file.getParent()))))
          .filter(file -> packages.stream().anyMatch(text(file)::contains))
          .toList();
    }
  }

  private static String nameOf(Path folder) {
    return folder.toString().replace('/', '.');
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes these lines. The list of them in the architecture page must be complete. */
  private static String without(String source, String... lines) throws IOException {
    String page = Files.readString(Path.of("src/docs/architecture.md"));
    String rest = source;
    for (String line : lines) {
      assertTrue(page.contains("`" + line + "`"), line);
      assertTrue(rest.contains(line), line);
      rest = rest.replace(line, "");
    }
    return rest;
  }

  private int compile(String source) throws IOException {
    Path copy = dir.resolve(NAMES_DIALECTS.getFileName());
    Files.writeString(copy, source);
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return ToolProvider.getSystemJavaCompiler()
        .run(
            null,
            null,
            null,
            "-d",
            dir.toString(),
            "-cp",
            classPath,
            "-proc:none",
            "-nowarn",
            copy.toString());
  }
}
