package carillon.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings.RatesSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Test of the loader with a separate schema. */
class SettingsLoaderTest {
  private static final Sample DEFAULTS =
      new Sample(
          new Server(80, Duration.ofSeconds(1), Duration.ofSeconds(9)),
          new Other(true, 5L, "x", Path.of("p"), List.of(), List.of(), Colour.RED));

  @TempDir private Path temp;

  record Sample(Server server, Other other) {}

  record Server(int port, Duration shortest, Duration longest) {
    Server {
      new SettingRules("server")
          .between("port", port, 1, 100)
          .require(
              shortest.compareTo(longest) < 0,
              "shortest",
              shortest,
              "must be less than server.longest",
              "server.longest")
          .check();
    }
  }

  record Other(
      boolean onOff,
      long big,
      String text,
      Path path,
      List<String> words,
      List<URI> uris,
      Colour colour) {}

  enum Colour {
    RED,
    GREEN
  }

  private Sample load(String yaml, Map<String, String> environment) throws IOException {
    return SettingsLoader.load(DEFAULTS, Optional.of(file(yaml)), environment);
  }

  private Path file(String yaml) throws IOException {
    return Files.writeString(temp.resolve("c.yaml"), yaml);
  }

  private List<String> problems(String yaml, Map<String, String> environment) {
    return assertThrows(SettingsException.class, () -> load(yaml, environment)).problems().stream()
        .map(problem -> problem.replace(temp + "/", ""))
        .toList();
  }

  @Test
  void withoutAFileAndVariablesTheDefaultsHold() throws IOException {
    assertEquals(DEFAULTS, SettingsLoader.load(DEFAULTS, Optional.empty(), Map.of("PATH", "/bin")));
    assertEquals(DEFAULTS, load("", Map.of()));
    assertEquals(DEFAULTS, load("# nothing but a comment\n", Map.of()));
    assertEquals(DEFAULTS, load("---\n", Map.of()));
    assertEquals(DEFAULTS, load("server:\n#  port: 5\nother:\n", Map.of()));
  }

  @Test
  void theFileOverridesDefaultsAndTheEnvironmentOverridesTheFile() throws IOException {
    Sample sample =
        load(
            "server:\n  port: 81\n  longest: 3s\n",
            Map.of("CARILLON_SERVER_PORT", "82", "CARILLON_OTHER_ON_OFF", "FALSE"));

    assertEquals(new Server(82, Duration.ofSeconds(1), Duration.ofSeconds(3)), sample.server());
    assertFalse(sample.other().onOff());
  }

  @Test
  void everyTypeIsRead() throws IOException {
    Sample sample =
        load(
            """
            other:
              onOff: false
              big: 5_000_000_000
              text: "007"
              path: /a/b c
              words: [one, two three]
              uris: redis://a:1, redis://b:2,
              colour: green
            """,
            Map.of());

    assertEquals(
        new Other(
            false,
            5_000_000_000L,
            "007",
            Path.of("/a/b c"),
            List.of("one", "two three"),
            List.of(URI.create("redis://a:1"), URI.create("redis://b:2")),
            Colour.GREEN),
        sample.other());
  }

  @Test
  void aValueThatCannotBeReadIsNamedWithItsRule() {
    assertEquals(
        List.of(
            "server.port (c.yaml) = 8x: must be a whole number of at most 2147483647",
            "server.shortest (c.yaml) = 5: " + DurationText.RULE,
            "other.onOff (c.yaml) = 1: must be true or false",
            "other.big (c.yaml) = 99999999999999999999: must be a whole number of at most 9223372036854775807",
            "other.text (c.yaml) = 7: must be text: put it in quotes",
            "other.path (c.yaml) = '': must be the path of a file or directory",
            "other.words (c.yaml): must be text or a list of texts",
            "other.uris (c.yaml) = a b: must be a URI: Illegal character in path at character 2",
            "other.colour (c.yaml) = blue: must be red or green"),
        problems(
            """
            server: {port: 8x, shortest: 5}
            other:
              onOff: 1
              big: 99999999999999999999
              text: 007
              path: ""
              words: {a: b}
              uris: a b
              colour: blue
            """,
            Map.of()));
  }

  @Test
  void aNumberThatIsTooLargeIsRefused() {
    assertEquals(
        List.of(
            "server.port (CARILLON_SERVER_PORT) = 4294967376: must be a whole number of at most 2147483647"),
        problems("", Map.of("CARILLON_SERVER_PORT", "4294967376")));
  }

  @Test
  void unknownKeysAndVariablesAreRefusedWithoutTheirValues() {
    assertEquals(
        List.of(
            "CARILLON_SERVER_PROT: there is no such setting; did you mean CARILLON_SERVER_PORT?",
            "sever (c.yaml): there is no such setting; did you mean server?",
            "server.prot (c.yaml): there is no such setting; did you mean server.port?"),
        problems("server: {prot: secret}\nsever: 1\n", Map.of("CARILLON_SERVER_PROT", "secret")));
  }

  @Test
  void anUnknownNameWithoutItsSectionIsTakenForTheOneThatHasItsWords() {
    assertEquals(
        List.of(
            "CARILLON_PORT: there is no such setting; did you mean CARILLON_SERVER_PORT?",
            "CARILLON_QQ: there is no such setting"),
        problems("", Map.of("CARILLON_PORT", "1", "CARILLON_QQ", "1")));
  }

  @Test
  void aSectionIsNotAValueAndAValueIsNotASection() {
    assertEquals(
        List.of(
            "server (c.yaml): must be a section of keys",
            "other.big (c.yaml): must be a single value",
            "other.text (c.yaml): has no value (write '' for an empty one)"),
        problems("server: 5\nother:\n  big: [1]\n  text: ~\n", Map.of()));
    assertEquals(
        List.of("the file (c.yaml): must be a section of keys"), problems("- a\n", Map.of()));
  }

  @Test
  void allProblemsOfFileEnvironmentAndRulesAreReportedAtOnce() {
    SettingsException refused =
        assertThrows(
            SettingsException.class,
            () ->
                load(
                    "server: {port: 0}\nother: {colour: blue}\n",
                    Map.of("CARILLON_SERVER_SHORTEST", "9s", "CARILLON_X", "1")));

    assertEquals(4, refused.problems().size(), refused::getMessage);
    assertEquals(String.join("\n", refused.problems()), refused.getMessage());
    assertTrue(
        refused
            .getMessage()
            .contains("server.shortest (CARILLON_SERVER_SHORTEST) = 9s: must be less"));
  }

  @Test
  void aRuleAboutASettingThatCannotBeReadIsNotReported() {
    assertEquals(
        List.of("server.longest (c.yaml) = long: " + DurationText.RULE),
        problems("server: {shortest: 10s, longest: long}\n", Map.of()));
  }

  @Test
  void duplicateKeysAreRefused() {
    List<String> problems = problems("server:\n  port: 1\n  port: 2\n", Map.of());

    assertEquals(List.of("c.yaml, line 3: is not valid YAML: Duplicate field 'port'"), problems);
  }

  @Test
  void aFileThatIsNotYamlIsRefusedWithItsLineButNotItsText() {
    List<String> problems = problems("a: 1\nb: [secret\nc: \"sec", Map.of("CARILLON_X", "1"));

    assertEquals(2, problems.size());
    assertTrue(problems.get(0).startsWith("c.yaml, line "), problems.get(0));
    assertFalse(problems.get(0).contains("sec"), problems.get(0));
  }

  @Test
  void twoDocumentsInOneFileAreRefused() {
    assertEquals(1, problems("server:\n  port: 1\n---\nserver:\n  port: 2\n", Map.of()).size());
  }

  @Test
  void theCommandLineNamesTheFile() throws IOException {
    String conf = file("http: {port: 1234}\n").toString();

    Settings settings = SettingsLoader.load(List.of("--conf", conf), Map.of());

    assertEquals(1234, settings.http().port());
  }

  @Test
  void whatIsWrongWithTheCommandLineIsReportedWithTheRest() {
    SettingsException refused =
        assertThrows(
            SettingsException.class,
            () ->
                SettingsLoader.load(
                    List.of("--port", "1", "--conf", "/no/such/file", "--conf"),
                    Map.of("CARILLON_HTTP_PORT", "x")));

    assertEquals(
        List.of(
            "--port: the only argument is --conf FILE, once",
            "1: the only argument is --conf FILE, once",
            "--conf: the only argument is --conf FILE, once",
            "/no/such/file: cannot be read: there is no such file",
            "http.port (CARILLON_HTTP_PORT) = x: must be a whole number of at most 2147483647"),
        refused.problems());
  }

  @Test
  void requestsAreBoundedWhereCredentialsAreAskedForUnlessSettingsSayOtherwise() {
    RatesSettings unset = Settings.defaults().rates();

    assertEquals(new RatesSettings(60_000, 60_000), unset.where(true));
    assertEquals(new RatesSettings(0, 0), unset.where(false));
    assertEquals(new RatesSettings(0, 7), new RatesSettings(0, 7).where(true));
  }
}
