package carillon.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the rules for every script. */
class LuaScriptsTest {
  /** Command whose first argument is a literal, and so an undocumented key. */
  private static final Pattern KEY_LITERAL =
      Pattern.compile("redis\\.p?call\\(\\s*'[A-Z]+'\\s*,\\s*['\"]");

  private static List<Path> scripts() throws IOException, URISyntaxException {
    try (Stream<Path> files =
        Files.list(Path.of(LuaScriptsTest.class.getResource("/lua").toURI()))) {
      return files.toList();
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void noScriptNamesAKeyItself(Path script) throws IOException {
    assertEquals(
        List.of(),
        Files.readString(script).lines().filter(line -> KEY_LITERAL.matcher(line).find()).toList());
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void noScriptAsksForTheTime(Path script) throws IOException {
    assertTrue(Files.readString(script).lines().noneMatch(line -> line.contains("'TIME'")));
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void theContractStandsAtTheHead(Path script) throws IOException {
    String text = Files.readString(script);
    String name = script.getFileName().toString().replace(".lua", "");

    assertTrue(
        text.startsWith("-- " + name + ":") || text.startsWith("-- " + name + " ("),
        "first line says what it does");
    assertTrue(text.contains("\n-- cost "), "cost");
    assertTrue(name.equals("history") || text.contains("\n-- returns "), "returns");
  }
}
