package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Keys256;
import carillon.support.RedisServer;
import carillon.support.TestCertificate;
import carillon.vault.Vault;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Authentication of calls: what is accepted, what is stored, and what is answered. */
class AuthenticationApiTest extends WithCollection {
  private static final String BASIC = "{`type`:`basic`,`username`:`u`,`password`:`canary-1`}";
  private static final String OAUTH =
      "{`type`:`activeDirectoryOAuth`,`tenant`:`t`,`audience`:`https://a/`,`clientId`:`c`,"
          + "`secret`:`canary-2`}";
  private static final String PLACE = "action.request.authentication.";

  @TempDir static Path dir;
  private static TestCertificate client;

  @BeforeAll
  static void makeCertificate() {
    client = TestCertificate.make(dir, "client", "canary-3");
  }

  private static String request(String authentication) {
    return "{`uri`:`https://h/`,`method`:`get`,`authentication`:" + authentication + "}";
  }

  private static String job(String authentication) {
    return ("{`action`:{`type`:`https`,`request`:" + request(authentication) + "}}")
        .replace('`', '"');
  }

  private static String jobWithErrorAction(String main, String error) {
    String json =
        "{`action`:{`type`:`https`,`request`:%s,`errorAction`:{`type`:`https`,`request`:%s}}}";
    return json.formatted(request(main), request(error)).replace('`', '"');
  }

  private static String change(String authentication) {
    return ("{`action`:{`request`:{`authentication`:" + authentication + "}}}").replace('`', '"');
  }

  private static String certificate(TestCertificate certificate, String password) {
    return "{`type`:`clientCertificate`,`pfx`:`%s`,`password`:`%s`}"
        .formatted(certificate.base64(), password);
  }

  private HttpResponse<String> put(String authentication) {
    return api.send("PUT", J, job(authentication));
  }

  private static String authentication(HttpResponse<String> answer) {
    String body = answer.body();
    int from = body.indexOf("\"authentication\":");
    return from < 0
        ? "none"
        : body.substring(from + "\"authentication\":".length(), body.indexOf('}', from) + 1)
            .replace('"', '`');
  }

  private String stored() {
    return api.hash("carillon:{%d}:job:default/default/c/j", "default/default/c/j", "definition");
  }

  private void assertRefused(String message, HttpResponse<String> answer) {
    assertEquals(400, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains(message), answer.body());
    assertFalse(answer.body().contains("canary"), answer.body());
  }

  @Test
  void basicIsAnsweredWithoutItsPassword() {
    HttpResponse<String> created = put(BASIC);

    assertEquals(201, created.statusCode(), created.body());
    assertEquals("{`username`:`u`,`type`:`basic`}", authentication(created));
    assertEquals(authentication(created), authentication(api.send("GET", J, null)));
    assertEquals(authentication(created), authentication(api.send("GET", C + "/jobs", null)));
    assertTrue(stored().contains("sealed:v1:"), stored());
    assertFalse(stored().contains("canary"), stored());
  }

  @Test
  void oauthIsAnsweredWithoutItsSecret() {
    assertEquals(
        "{`tenant`:`t`,`audience`:`https://a/`,`clientId`:`c`,`type`:`activeDirectoryOAuth`}",
        authentication(put(OAUTH)));
    assertFalse(stored().contains("canary"), stored());
  }

  @Test
  void aClientCertificateIsDescribed() {
    HttpResponse<String> created = put(certificate(client, "canary-3"));

    assertEquals(201, created.statusCode(), created.body());
    assertTrue(
        authentication(created)
            .matches(
                "\\{`certificateThumbprint`:`[0-9A-F]{40}`,"
                    + "`certificateExpiration`:`20(39|40)-[-0-9T:]+Z`,"
                    + "`certificateExpirationDate`:`20(39|40)-[-0-9T:]+Z`,"
                    + "`certificateSubjectName`:`CN=client`,`type`:`clientCertificate`}"),
        authentication(created));
    assertFalse(stored().contains("canary"), stored());
    assertFalse(stored().contains(client.base64().substring(100, 150)), stored());
  }

  @Test
  void armAnswersTypesInPascalCase() {
    api.send("PUT", ARM + "/jc" + VERSION, "{\"location\":\"West US\"}");
    String path = ARM + "/jc/jobs/j" + VERSION;
    String body = "{\"properties\":" + job(BASIC.replace("basic", "BASIC")) + "}";
    String oauth = "{\"properties\":" + job(OAUTH) + "}";
    String certificate = "{\"properties\":" + job(certificate(client, "canary-3")) + "}";

    assertEquals("{`username`:`u`,`type`:`Basic`}", authentication(api.send("PUT", path, body)));
    assertTrue(
        authentication(api.send("PUT", path, oauth)).endsWith("`type`:`ActiveDirectoryOAuth`}"));
    assertTrue(
        authentication(api.send("PUT", path, certificate)).endsWith("`type`:`ClientCertificate`}"));
  }

  @Test
  void anOmittedAuthenticationSurvivesAPatchAndNullRemovesIt() {
    put(BASIC);
    String before = stored();

    HttpResponse<String> patched =
        api.send("PATCH", J, "{\"action\":{\"request\":{\"method\":\"PUT\"}}}");
    assertEquals("{`username`:`u`,`type`:`basic`}", authentication(patched));
    assertEquals(sealed(before), sealed(stored()));

    HttpResponse<String> removed = api.send("PATCH", J, change("null"));
    assertEquals(200, removed.statusCode(), removed.body());
    assertEquals("none", authentication(removed));
    assertFalse(stored().contains("sealed"), stored());
  }

  @Test
  void nullRemovesItInAPutToo() {
    put(BASIC);

    assertEquals("none", authentication(put("null")));
  }

  private static String sealed(String definition) {
    int from = definition.indexOf("sealed:");
    return definition.substring(from, definition.indexOf('"', from));
  }

  @Test
  void aPutWithoutTheSecretKeepsTheOneOfTheSameUser() {
    put(BASIC);
    String before = stored();

    HttpResponse<String> again = put("{`type`:`Basic`,`username`:`u`}");

    assertEquals(200, again.statusCode(), again.body());
    assertEquals(sealed(before), sealed(stored()));
    assertRefused(
        PLACE + "password: is missing; it can be left out only where the stored action has one",
        put("{`type`:`basic`,`username`:`other`}"));
    assertRefused(
        PLACE + "secret: is missing",
        put("{`type`:`activeDirectoryOAuth`,`tenant`:`t`,`audience`:`a`,`clientId`:`u`}"));
    assertRefused(
        PLACE + "password: is missing", api.send("PATCH", J, change("{`username`:`other`}")));
    assertEquals(sealed(before), sealed(stored()));
  }

  @Test
  void aSecretIsKeptOnlyWhereThereIsOne() {
    assertRefused(PLACE + "password: is missing", put("{`type`:`basic`,`username`:`u`}"));
    assertRefused(PLACE + "pfx: is missing", put("{`type`:`clientCertificate`}"));
    put("null");
    assertRefused(PLACE + "password: is missing", put("{`type`:`basic`,`username`:`u`}"));
  }

  @Test
  void aCertificateThatIsSentBackAsAnsweredStays() {
    HttpResponse<String> created = put(certificate(client, "canary-3"));

    HttpResponse<String> again = put(authentication(created));
    HttpResponse<String> patched =
        api.send("PATCH", J, "{\"action\":{\"request\":{\"method\":\"PUT\"}}}");

    assertEquals(200, again.statusCode(), again.body());
    assertEquals(authentication(created), authentication(again));
    assertEquals(authentication(created), authentication(patched));
  }

  @Test
  void aPatchToAnotherTypeLeavesNothingOfTheFirst() {
    put(BASIC);

    HttpResponse<String> patched = api.send("PATCH", J, change(OAUTH));

    assertEquals(200, patched.statusCode(), patched.body());
    assertEquals(
        "{`tenant`:`t`,`audience`:`https://a/`,`clientId`:`c`,`type`:`activeDirectoryOAuth`}",
        authentication(patched));
    assertRefused(
        PLACE + "pfx: is missing", api.send("PATCH", J, change("{`type`:`clientCertificate`}")));
  }

  @Test
  void whatIsWrongWithACertificateIsToldByField() {
    TestCertificate expired =
        TestCertificate.make(dir, "expired", "canary-4", "2020/01/01 00:00:00", 30);

    assertRefused(PLACE + "password: does not open the PFX", put(certificate(client, "wrong")));
    assertRefused(PLACE + "password: does not open the PFX", put(certificate(client, "")));
    assertRefused(
        PLACE + "pfx: its certificate expired at 2020-01-3", put(certificate(expired, "canary-4")));
    assertRefused(
        PLACE + "pfx: is not base64",
        put("{`type`:`clientCertificate`,`pfx`:`canary!`,`password`:`canary`}"));
    assertRefused(
        PLACE + "pfx: is not a readable PKCS #12 file",
        put("{`type`:`clientCertificate`,`pfx`:`Y2FuYXJ5`,`password`:`canary`}"));
    assertEquals(404, api.send("GET", J, null).statusCode());
  }

  @Test
  void aPfxInTheOldFormIsRead() {
    TestCertificate old =
        TestCertificate.make(
            dir, "old", "canary", "2020/01/01 00:00:00", 7300, "-Dkeystore.pkcs12.legacy");

    assertEquals(201, put(certificate(old, "canary")).statusCode());
  }

  @Test
  void theErrorActionHasSecretsOfItsOwn() {
    String both = jobWithErrorAction(BASIC, BASIC);
    String kept = jobWithErrorAction("null", "{`type`:`basic`,`username`:`u`}");

    assertEquals(201, api.send("PUT", J, both).statusCode());
    HttpResponse<String> again = api.send("PUT", J, kept);

    assertEquals(200, again.statusCode(), again.body());
    assertTrue(stored().contains("sealed:v1:"), stored());
  }

  @Test
  void aSealedSecretOfAnotherJobIsRefused() {
    put(BASIC);
    String blob = sealed(stored());

    HttpResponse<String> stolen = api.send("PUT", C + "/jobs/thief", job(basic(blob)));
    HttpResponse<String> made = api.send("PUT", C + "/jobs/thief", job(basic("sealed:v1:x:y")));

    assertRefused(
        PLACE
            + "password: has the form of a sealed secret and cannot be opened: it was sealed for"
            + " another place, or is damaged",
        stolen);
    assertRefused(PLACE + "password: has the form of a sealed secret", made);
    assertEquals(404, api.send("GET", C + "/jobs/thief", null).statusCode());
    assertEquals(200, put(basic(blob)).statusCode(), "it is this job's own");
  }

  private static String basic(String password) {
    return "{`type`:`basic`,`username`:`u`,`password`:`" + password + "`}";
  }

  @Test
  void withoutAKeyJobsWithSecretsAreRefusedAndOthersAccepted() {
    api.close();
    api = new ApiServer(RedisServer.shared(), Duration.ofSeconds(30), Vault.locked());
    api.send("PUT", C, "{}");

    assertRefused(
        PLACE + "password: cannot be kept, because this scheduler has no key", put(BASIC));
    assertEquals(201, put("null").statusCode());
  }

  @Test
  void aSecretUnderALostKeyIsReplacedByANewOne() {
    put(BASIC);
    api.close();
    api =
        new ApiServer(
            RedisServer.shared(), Duration.ofSeconds(30), Vault.of(Keys256.ring(2)), false);

    HttpResponse<String> read = api.send("GET", J, null);
    assertEquals("{`username`:`u`,`type`:`basic`}", authentication(read));
    assertRefused(
        "it is sealed under key " + Keys256.ring(1).activeId() + ", which this node does not have",
        put("{`type`:`basic`,`username`:`u`}"));
    assertEquals(200, put(BASIC).statusCode());
  }
}
