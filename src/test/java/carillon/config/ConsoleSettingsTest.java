package carillon.config;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of the rules for the sign-in to the console. */
class ConsoleSettingsTest {
  private static final List<String> VALID =
      List.of(
          "access.accept=tokens",
          "access.tokens.issuer=https://login.example.org",
          "access.tokens.audience=carillon",
          "access.tokens.roles=boss=admin:*",
          "console.signIn.clientId=console",
          "console.signIn.clientSecret=hush-hush",
          "console.signIn.origin=https://carillon.example.org");

  private static Settings with(String... more) {
    return TestSettings.with(Stream.concat(VALID.stream(), Stream.of(more)).toArray(String[]::new));
  }

  @Test
  void theSecretIsNotShown() {
    Settings settings = with();

    assertTrue(settings.console().signIn().isEnabled());
    assertFalse(Settings.defaults().console().signIn().isEnabled());
    assertFalse(settings.toString().contains("hush-hush"), settings.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          clientId | ü | console.signIn.clientId = ü: must be 0 to 256 printable ASCII characters
          clientId | '' | console.signIn.clientId = '': must be set where console.signIn.clientSecret or console.signIn.clientSecretFile is
          clientSecretFile | pom.xml | console.signIn.clientSecretFile = pom.xml: must be empty where console.signIn.clientSecret is set
          scopes | profile,email | console.signIn.scopes = [profile, email]: must be scopes of OAuth, openid among them
          scopes | openid,a b | console.signIn.scopes = [openid, a b]: must be scopes of OAuth, openid among them
          """)
  void aWrongValueIsRefused(String key, String value, String problem) {
    SettingsException refused =
        assertThrows(SettingsException.class, () -> with("console.signIn." + key + "=" + value));

    assertTrue(
        refused.problems().stream()
            .map(line -> line.replaceFirst(" \\(CARILLON_[A-Z_]+\\)", ""))
            .anyMatch(problem::equals),
        refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "carillon.example.org",
        "http://carillon.example.org",
        "https://carillon.example.org/",
        "https://carillon.example.org/console",
        "https://Carillon.example.org",
        "https://carillon.example.org:443",
        "https://user@carillon.example.org",
        "https://*.example.org",
        "null"
      })
  void onlyAnOriginThatTheIssuerMayKnowIsTaken(String origin) {
    SettingsException refused =
        assertThrows(SettingsException.class, () -> with("console.signIn.origin=" + origin));

    assertTrue(refused.getMessage().contains("console.signIn.origin"), refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://carillon.example.org:8443",
        "http://localhost:8080",
        "http://127.0.0.1:8080",
        "http://[::1]:8080"
      })
  void anOriginIsHttpsOrThisMachine(String origin) {
    assertDoesNotThrow(() -> with("console.signIn.origin=" + origin));
  }

  @Test
  void theFileOfTheSecretIsThere() {
    SettingsException refused =
        assertThrows(
            SettingsException.class,
            () -> with("console.signIn.clientSecret=", "console.signIn.clientSecretFile=/nowhere"));

    assertTrue(refused.getMessage().contains("must be a readable file"), refused.getMessage());
  }

  @Test
  void peopleSignInAtTheIssuerOfTokensThatAreAccepted() {
    SettingsException refused =
        assertThrows(SettingsException.class, () -> with("access.accept=keys"));

    assertEquals(1, refused.problems().size(), refused.getMessage());
    assertTrue(
        refused.getMessage().contains("must be empty unless access.accept contains tokens"),
        refused.getMessage());
  }
}
