package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.secret.Vault;
import carillon.support.Keys256;
import carillon.support.TestCertificate;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Test of the answered and the refused properties of each type of authentication. */
class AuthenticationTypesApiTest extends WithAuthentication {
  @Test
  void basicIsAnsweredWithoutItsPassword() {
    Answer created = put(BASIC);

    created.assertStatus(201);
    assertEquals("{`username`:`u`,`type`:`basic`}", authentication(created));
    assertEquals(authentication(created), authentication(api.get(J)));
    assertEquals(authentication(created), authentication(api.get(C + "/jobs")));
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
    Answer created = put(BEARER);
    String before = stored();

    created.assertStatus(201);
    assertEquals("{`type`:`bearer`}", authentication(created));
    assertFalse(before.contains("canary"), before);
    put("{`type`:`Bearer`}").assertStatus(200);
    assertEquals(sealed(before), sealed(stored()));
  }

  @Test
  void anApiKeyIsAnsweredWithoutItsValue() {
    Answer created = put(API_KEY);
    String before = stored();

    created.assertStatus(201);
    assertEquals("{`name`:`X-Api-Key`,`in`:`query`,`type`:`apiKey`}", authentication(created));
    assertFalse(before.contains("canary"), before);
    put(authentication(created)).assertStatus(200);
    assertEquals(sealed(before), sealed(stored()));
    assertEquals(
        "{`name`:`k`,`in`:`header`,`type`:`apiKey`}",
        authentication(put("{`type`:`apiKey`,`name`:`k`,`value`:`canary`}")));
  }

  @Test
  void clientCredentialsAreAnsweredWithoutTheirSecret() {
    Answer created = put(CLIENT);
    String before = stored();

    created.assertStatus(201);
    assertEquals(
        "{`tokenUrl`:`https://login/token`,`clientId`:`c`,`scope`:`a b`,"
            + "`clientAuthentication`:`basic`,`type`:`oauth2ClientCredentials`}",
        authentication(created));
    assertFalse(before.contains("canary"), before);
    put(authentication(created).replace("`:`basic`", "`:`post`")).assertStatus(200);
    assertEquals(sealed(before), sealed(stored()));
  }

  @Test
  void aTokenUrlThatJobsMayNotReachIsRefused() {
    api.close();
    api =
        new ApiServer(
            setup ->
                setup.targets =
                    (host, port) ->
                        Optional.of("'login' is not allowed").filter(no -> host.equals("login")));
    api.put(C, "{}");

    assertRefused(PLACE + "tokenUrl: 'login' is not allowed", put(CLIENT));
    put(CLIENT.replace("login", "else")).assertStatus(201);
  }

  @Test
  void aClientCertificateIsDescribed() {
    Answer created = put(certificate(client, "canary-3"));

    created.assertStatus(201);
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
    api.put(ARM + "/jc" + VERSION, "{`location`:`West US`}");
    String path = ARM + "/jc/jobs/j" + VERSION;
    String body = "{\"properties\":" + job(BASIC.replace("basic", "BASIC")) + "}";
    String oauth = "{\"properties\":" + job(OAUTH) + "}";
    String certificate = "{\"properties\":" + job(certificate(client, "canary-3")) + "}";
    String apiKey = "{\"properties\":" + job(API_KEY) + "}";

    assertEquals("{`username`:`u`,`type`:`Basic`}", authentication(api.put(path, body)));
    assertTrue(authentication(api.put(path, oauth)).endsWith("`type`:`ActiveDirectoryOAuth`}"));
    assertTrue(authentication(api.put(path, certificate)).endsWith("`type`:`ClientCertificate`}"));
    assertEquals(
        "{`name`:`X-Api-Key`,`in`:`query`,`type`:`ApiKey`}", authentication(api.put(path, apiKey)));
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
    api.get(J).assertStatus(404);
  }

  @Test
  void aPfxInTheOldFormIsRead() {
    TestCertificate old =
        TestCertificate.make(
            dir, "old", "canary", "2020/01/01 00:00:00", 7300, "-Dkeystore.pkcs12.legacy");

    put(certificate(old, "canary")).assertStatus(201);
  }

  @Test
  void theErrorActionHasSecretsOfItsOwn() {
    String both = jobWithErrorAction(BASIC, BASIC);
    String kept = jobWithErrorAction("null", "{`type`:`basic`,`username`:`u`}");

    api.put(J, both).assertStatus(201);
    api.put(J, kept).assertStatus(200);
    assertTrue(stored().contains("sealed:v1:"), stored());
  }

  @Test
  void aSealedSecretOfAnotherJobIsRefused() {
    put(BASIC);
    String blob = sealed(stored());

    Answer stolen = api.put(C + "/jobs/thief", job(basic(blob)));
    Answer made = api.put(C + "/jobs/thief", job(basic("sealed:v1:x:y")));

    assertRefused(
        PLACE
            + "password: has the form of a sealed secret and cannot be opened: it was sealed for"
            + " another place, or is damaged",
        stolen);
    assertRefused(PLACE + "password: has the form of a sealed secret", made);
    api.get(C + "/jobs/thief").assertStatus(404);
    assertEquals(200, put(basic(blob)).status(), "it is this job's own");
  }

  @Test
  void withoutAKeyJobsWithSecretsAreRefusedAndOthersAccepted() {
    api.close();
    api = new ApiServer(setup -> setup.vault = Vault.locked());
    api.put(C, "{}");

    assertRefused(
        PLACE + "password: cannot be kept, because this scheduler has no key", put(BASIC));
    put("null").assertStatus(201);
  }

  @Test
  void aSecretUnderALostKeyIsReplacedByANewOne() {
    put(BASIC);
    api.close();
    api =
        new ApiServer(
            setup -> {
              setup.vault = Vault.of(Keys256.ring(2));
              setup.isFlushed = false;
            });

    Answer read = api.get(J);
    assertEquals("{`username`:`u`,`type`:`basic`}", authentication(read));
    assertRefused(
        "it is sealed under key " + Keys256.ring(1).activeId() + ", which this node does not have",
        put("{`type`:`basic`,`username`:`u`}"));
    put(BASIC).assertStatus(200);
  }
}
