package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.secret.Vault;
import carillon.support.Keys256;
import org.junit.jupiter.api.Test;

/** Test of the signing of a collection's calls: accepted, stored and answered properties. */
class SigningApiTest extends WithApi {
  private static final String C = "/jobcollections/c";
  private static final String ARM =
      "/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Scheduler/jobCollections/jc"
          + "?api-version=2016-03-01";
  private static final String SECRET = "whsec_" + Keys256.key(21);
  private static final String OTHER = "whsec_" + Keys256.key(22);

  private Answer put(String signing) {
    return api.put(C, "{`signing`:" + signing + "}");
  }

  private Answer patch(String change) {
    return api.patch(C, change);
  }

  private String stored() {
    return api.hash("carillon:collection:default/default/c", "", "definition");
  }

  private void assertRefused(String message, Answer answer) {
    answer.assertStatus(400).assertContains(message);
    answer.assertLacks("whsec_" + SECRET.substring(8, 12));
  }

  @Test
  void secretsAreSealedAndOnlyCounted() {
    Answer created = put("{`secrets`:[`" + SECRET + "`,`" + OTHER + "`]}");

    created.assertIs(201, "{`name`:`c`,`state`:`enabled`,`signing`:{`secretCount`:2}}");
    assertEquals(created.body(), api.get(C).body());
    assertTrue(stored().contains("sealed:v1:"), stored());
    assertFalse(stored().contains("whsec_"), stored());
  }

  @Test
  void disablingBringsSecretsUnderTheActiveKey() {
    put("{`secrets`:[`" + SECRET + "`]}");
    api.close();
    Vault rotated = Vault.of(Keys256.ring(2, 1));
    api =
        new ApiServer(
            setup -> {
              setup.vault = rotated;
              setup.isFlushed = false;
            });

    api.post(C + "/disable", "").assertStatus(200);

    assertTrue(stored().contains(Keys256.ring(2).activeId()), stored());
    assertFalse(stored().contains(Keys256.ring(1).activeId()), stored());
  }

  @Test
  void secretsThatAreLeftOutStayAndNullEndsTheSigning() {
    put("{`secrets`:[`" + SECRET + "`]}");
    String before = stored();

    Answer sentBack = put("{`secretCount`:1}");
    Answer patched = patch("{`tags`:{`a`:`b`}}");
    api.post(C + "/disable", "");
    api.post(C + "/enable", "");

    sentBack.assertStatus(200);
    patched.assertEndsWith("`signing`:{`secretCount`:1}}");
    assertEquals(sealed(before), sealed(stored()));
    patch("{`signing`:null}").assertLacks("signing");
    assertFalse(stored().contains("signing"), stored());
  }

  private static String sealed(String definition) {
    int from = definition.indexOf("sealed:");
    return definition.substring(from, definition.indexOf('"', from));
  }

  @Test
  void aPatchReplacesTheSecrets() {
    put("{`secrets`:[`" + SECRET + "`]}");

    Answer patched = patch("{`signing`:{`secrets`:[`" + OTHER + "`,`" + SECRET + "`]}}");

    patched.assertEndsWith("`signing`:{`secretCount`:2}}");
  }

  @Test
  void whatIsNoSecretIsRefusedWithoutBeingQuoted() {
    String rule = "must be whsec_ and base64 of 24 to 64 random bytes";

    assertRefused("signing.secrets: is missing", put("{}"));
    assertRefused("signing.secrets: must not be empty", put("{`secrets`:[]}"));
    assertRefused("signing.secrets[0]: must be a string", put("{`secrets`:[5]}"));
    assertRefused("signing.secrets[0]: " + rule, put("{`secrets`:[`whsec_c2hvcnQ=`]}"));
    assertRefused(
        "signing.secrets[1]: " + rule,
        put("{`secrets`:[`" + SECRET + "`,`" + SECRET.substring(6) + "`]}"));
    assertRefused("signing.secrets[0]: " + rule, put("{`secrets`:[`sealed:v1:a:b`]}"));
    assertRefused(
        "signing.secrets: 3 are more than the 2 allowed",
        put("{`secrets`:[`" + SECRET + "`,`" + SECRET + "`,`" + SECRET + "`]}"));
    assertRefused("signing.secret: this property is not known here", put("{`secret`:`x`}"));
  }

  @Test
  void armTakesItAmongTheProperties() {
    Answer created =
        api.put(
            ARM,
            ("{`location`:`West US`,`properties`:{`signing`:{`secrets`:[`" + SECRET + "`]}}}"));

    created.assertStatus(201).assertContains("`signing`:{`secretCount`:1}}}");
  }
}
