package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.secret.Vault;
import carillon.support.Keys256;
import carillon.support.RedisServer;
import carillon.support.TestCertificate;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is answered of each type of authentication, and what is refused. */
class AuthenticationTypesApiTest extends WithAuthentication {
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
