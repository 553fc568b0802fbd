package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.secret.Vault;
import carillon.support.Keys256;
import carillon.support.RedisServer;
import carillon.support.TestCertificate;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Authentication of calls: what is accepted, what is stored, and what is answered. */
class AuthenticationApiTest extends WithCollection {
  private static final String BASIC = "{`type`:`basic`,`username`:`u`,`password`:`canary-1`}";
  private static final String OAUTH =
      "{`type`:`activeDirectoryOAuth`,`tenant`:`t`,`audience`:`https://a/`,`clientId`:`c`,"
          + "`secret`:`canary-2`}";
  private static final String BEARER = "{`type`:`bearer`,`token`:`canary-5`}";
  private static final String API_KEY =
      "{`type`:`apiKey`,`name`:`X-Api-Key`,`value`:`canary-6`,`in`:`query`}";
  private static final String CLIENT =
      "{`type`:`oauth2ClientCredentials`,`tokenUrl`:`https://login/token`,`clientId`:`c`,"
          + "`clientSecret`:`canary-7`,`scope`:`a b`}";
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
  void aBearerTokenIsNotAnswered() {
    HttpResponse<String> created = put(BEARER);
    String before = stored();

    assertEquals(201, created.statusCode(), created.body());
    assertEquals("{`type`:`bearer`}", authentication(created));
    assertFalse(before.contains("canary"), before);
    assertEquals(200, put("{`type`:`Bearer`}").statusCode());
    assertEquals(sealed(before), sealed(stored()));
  }

  @Test
  void anApiKeyIsAnsweredWithoutItsValue() {
    HttpResponse<String> created = put(API_KEY);
    String before = stored();

    assertEquals(201, created.statusCode(), created.body());
    assertEquals("{`name`:`X-Api-Key`,`in`:`query`,`type`:`apiKey`}", authentication(created));
    assertFalse(before.contains("canary"), before);
    assertEquals(200, put(authentication(created)).statusCode());
    assertEquals(sealed(before), sealed(stored()));
    assertEquals(
        "{`name`:`k`,`in`:`header`,`type`:`apiKey`}",
        authentication(put("{`type`:`apiKey`,`name`:`k`,`value`:`canary`}")));
  }

  @Test
  void anApiKeyIsKeptUnderItsNameAndPlaceOnly() {
    put(API_KEY);
    String message =
        PLACE + "value: is missing; it can be left out only where the stored action has one";

    assertRefused(message, api.send("PATCH", J, change("{`in`:`header`}")));
    assertRefused(message, api.send("PATCH", J, change("{`name`:`other`}")));
    assertRefused(PLACE + "token: is missing", put("{`type`:`bearer`}"));
  }

  @Test
  void clientCredentialsAreAnsweredWithoutTheirSecret() {
    HttpResponse<String> created = put(CLIENT);
    String before = stored();

    assertEquals(201, created.statusCode(), created.body());
    assertEquals(
        "{`tokenUrl`:`https://login/token`,`clientId`:`c`,`scope`:`a b`,"
            + "`clientAuthentication`:`basic`,`type`:`oauth2ClientCredentials`}",
        authentication(created));
    assertFalse(before.contains("canary"), before);
    HttpResponse<String> again = put(authentication(created).replace("`:`basic`", "`:`post`"));
    assertEquals(200, again.statusCode(), again.body());
    assertEquals(sealed(before), sealed(stored()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{`tokenUrl`:`https://other/token`}",
        "{`tokenUrl`:`https://login/other`}",
        "{`clientId`:`other`}",
        "{`scope`:`more`}",
        "{`audience`:`more`}"
      })
  void clientCredentialsAreKeptForTheSameUseOnly(String change) {
    put(CLIENT);
    String before = stored();

    assertRefused(
        PLACE + "clientSecret: is missing; it can be left out only where the stored action has",
        api.send("PATCH", J, change(change)));
    assertEquals(before, stored());
  }

  @Test
  void aTokenUrlThatJobsMayNotReachIsRefused() {
    api.close();
    api =
        new ApiServer(
            RedisServer.shared(),
            Duration.ofSeconds(30),
            (host, port) ->
                host.equals("login") ? Optional.of("'login' is not allowed") : Optional.empty());
    api.send("PUT", C, "{}");

    assertRefused(PLACE + "tokenUrl: 'login' is not allowed", put(CLIENT));
    assertEquals(201, put(CLIENT.replace("login", "else")).statusCode());
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
    String apiKey = "{\"properties\":" + job(API_KEY) + "}";

    assertEquals("{`username`:`u`,`type`:`Basic`}", authentication(api.send("PUT", path, body)));
    assertTrue(
        authentication(api.send("PUT", path, oauth)).endsWith("`type`:`ActiveDirectoryOAuth`}"));
    assertTrue(
        authentication(api.send("PUT", path, certificate)).endsWith("`type`:`ClientCertificate`}"));
    assertEquals(
        "{`name`:`X-Api-Key`,`in`:`query`,`type`:`ApiKey`}",
        authentication(api.send("PUT", path, apiKey)));
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

  private static final String NONE_STORED =
      "'***' keeps the stored value, and there is none of the same type, user and audience; give"
          + " the value itself";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        BASIC + "|password",
        OAUTH + "|secret",
        BEARER + "|token",
        API_KEY + "|value",
        CLIENT + "|clientSecret"
      })
  void theMaskKeepsTheStoredSecretOfTheSameOwner(String given, String field) {
    String masked = given.replaceAll("canary-\\d", "***");
    assertRefused(PLACE + field + ": " + NONE_STORED, put(masked));
    assertEquals(201, put(given).statusCode());
    String before = stored();

    assertEquals(200, put(masked).statusCode());
    assertEquals(sealed(before), sealed(stored()));
    assertEquals(200, api.send("PATCH", J, change("{`" + field + "`:`***`}")).statusCode());
    assertEquals(sealed(before), sealed(stored()));
    assertRefused(
        PLACE
            + field
            + ": '***' keeps the stored value; a stored secret goes only where it was"
            + " given for, https://h:443, not to https://i:443; give it again",
        api.send("PUT", J, job(masked).replace("https://h/", "https://i/")));
    assertEquals(200, put("{`type`:`basic`,`username`:`v`,`password`:`p`}").statusCode());
    assertRefused(PLACE + field + ": " + NONE_STORED, put(masked));
  }

  @Test
  void theMaskIsBoundToThePlaceAndTheAddressOfTheSecret() {
    put(API_KEY);
    String elsewhere = API_KEY.replace("canary-6", "***").replace("query", "header");
    assertRefused(PLACE + "value: " + NONE_STORED, put(elsewhere));
    put(CLIENT);
    String other = CLIENT.replace("canary-7", "***").replace("https://login", "https://evil");
    assertRefused(PLACE + "clientSecret: " + NONE_STORED, put(other));
    put(BEARER);
    assertRefused(
        "action.errorAction.request.authentication.token: " + NONE_STORED,
        api.send("PUT", J, jobWithErrorAction(BEARER, "{`type`:`bearer`,`token`:`***`}")));
  }

  @Test
  void theMaskKeepsACertificateAsAWhole() {
    put(certificate(client, "canary-3"));
    String before = stored();
    String masked = "{`type`:`clientCertificate`,`pfx`:`***`}";

    assertEquals(200, put(masked).statusCode());
    assertEquals(200, put(masked.replace("}", ",`password`:`***`}")).statusCode());
    assertEquals(before, stored());
    assertRefused(
        PLACE + "password: belongs to a pfx; give both, or neither to keep the stored",
        put(masked.replace("}", ",`password`:`p`}")));
    assertRefused(
        PLACE
            + "password: '***' keeps the stored value, which belongs to the stored pfx; give both",
        put(certificate(client, "***")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://other/", "https://h:8443/", "https://h.other/"})
  void aKeptSecretDoesNotFollowAChangedAddress(String uri) {
    put(BASIC);
    String before = stored();
    String change = "{\"action\":{\"request\":{\"uri\":\"" + uri + "\"}}}";
    String message =
        PLACE
            + "password: is missing; a stored secret goes only where it was given for,"
            + " https://h:443, not to "
            + uri.replaceFirst("/$", uri.contains(":8") ? "" : ":443")
            + "; give it again";

    assertRefused(message, api.send("PATCH", J, change));
    assertRefused(
        message,
        api.send("PUT", J, job("{`type`:`basic`,`username`:`u`}").replace("https://h/", uri)));
    assertEquals(before, stored());
    assertEquals(200, api.send("PUT", J, job(BASIC).replace("https://h/", uri)).statusCode());
  }

  @Test
  void aKeptSecretStaysAtAnotherPlaceOfTheSameServer() {
    put(BASIC);
    String before = stored();

    HttpResponse<String> moved =
        api.send("PATCH", J, "{\"action\":{\"request\":{\"uri\":\"https://H:443/x?y=z\"}}}");

    assertEquals(200, moved.statusCode(), moved.body());
    assertEquals(sealed(before), sealed(stored()));
  }

  @Test
  void anotherAudienceNeedsTheSecretAgain() {
    put(OAUTH);

    assertRefused(
        PLACE + "secret: is missing", api.send("PATCH", J, change("{`audience`:`https://b/`}")));
  }

  @Test
  void aKeptCertificateDoesNotFollowAChangedAddress() {
    HttpResponse<String> created = put(certificate(client, "canary-3"));

    assertRefused(
        PLACE + "pfx: is missing; a stored secret goes only where it was given for",
        api.send("PUT", J, job(authentication(created)).replace("https://h/", "https://i/")));
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
