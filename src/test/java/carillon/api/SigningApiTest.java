package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.secret.Vault;
import carillon.support.Keys256;
import carillon.support.RedisServer;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The signing of a collection's calls: what is accepted, stored and answered. */
class SigningApiTest extends WithApi {
  private static final String C = "/jobcollections/c";
  private static final String ARM =
      "/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Scheduler/jobCollections/jc"
          + "?api-version=2016-03-01";
  private static final String SECRET = "whsec_" + Keys256.key(21);
  private static final String OTHER = "whsec_" + Keys256.key(22);

  private HttpResponse<String> put(String signing) {
    return api.send("PUT", C, ("{`signing`:" + signing + "}").replace('`', '"'));
  }

  private HttpResponse<String> patch(String change) {
    return api.send("PATCH", C, change.replace('`', '"'));
  }

  private String stored() {
    return api.hash("carillon:collection:default/default/c", "", "definition");
  }

  private void assertRefused(String message, HttpResponse<String> answer) {
    assertEquals(400, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains(message), answer.body());
    assertFalse(answer.body().contains("whsec_" + SECRET.substring(8, 12)), answer.body());
  }

  @Test
  void secretsAreSealedAndOnlyCounted() {
    HttpResponse<String> created = put("{`secrets`:[`" + SECRET + "`,`" + OTHER + "`]}");

    assertEquals(201, created.statusCode(), created.body());
    assertEquals(
        "{\"name\":\"c\",\"state\":\"enabled\",\"signing\":{\"secretCount\":2}}", created.body());
    assertEquals(created.body(), api.send("GET", C, null).body());
    assertTrue(stored().contains("sealed:v1:"), stored());
    assertFalse(stored().contains("whsec_"), stored());
  }

  @Test
  void disablingBringsSecretsUnderTheActiveKey() {
    put("{`secrets`:[`" + SECRET + "`]}");
    api.close();
    Vault rotated = Vault.of(Keys256.ring(2, 1));
    api = new ApiServer(RedisServer.shared(), Duration.ofSeconds(30), rotated, false);

    assertEquals(200, api.send("POST", C + "/disable", "").statusCode());

    assertTrue(stored().contains(Keys256.ring(2).activeId()), stored());
    assertFalse(stored().contains(Keys256.ring(1).activeId()), stored());
  }

  @Test
  void secretsThatAreLeftOutStayAndNullEndsTheSigning() {
    put("{`secrets`:[`" + SECRET + "`]}");
    String before = stored();

    HttpResponse<String> sentBack = put("{`secretCount`:1}");
    HttpResponse<String> patched = patch("{`tags`:{`a`:`b`}}");
    api.send("POST", C + "/disable", "");
    api.send("POST", C + "/enable", "");

    assertEquals(200, sentBack.statusCode(), sentBack.body());
    assertTrue(patched.body().endsWith("\"signing\":{\"secretCount\":1}}"), patched.body());
    assertEquals(sealed(before), sealed(stored()));
    assertFalse(patch("{`signing`:null}").body().contains("signing"));
    assertFalse(stored().contains("signing"), stored());
  }

  private static String sealed(String definition) {
    int from = definition.indexOf("sealed:");
    return definition.substring(from, definition.indexOf('"', from));
  }

  @Test
  void aPatchReplacesTheSecrets() {
    put("{`secrets`:[`" + SECRET + "`]}");

    HttpResponse<String> patched =
        patch("{`signing`:{`secrets`:[`" + OTHER + "`,`" + SECRET + "`]}}");

    assertTrue(patched.body().endsWith("\"signing\":{\"secretCount\":2}}"), patched.body());
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
    HttpResponse<String> created =
        api.send(
            "PUT",
            ARM,
            ("{`location`:`West US`,`properties`:{`signing`:{`secrets`:[`" + SECRET + "`]}}}")
                .replace('`', '"'));

    assertEquals(201, created.statusCode(), created.body());
    assertTrue(created.body().contains("\"signing\":{\"secretCount\":1}}}"), created.body());
  }
}
