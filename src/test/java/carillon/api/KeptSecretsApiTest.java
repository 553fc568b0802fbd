package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import carillon.support.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of secrets that a change omits or masks, and of when the stored ones are kept. */
class KeptSecretsApiTest extends WithAuthentication {
  @Test
  void anApiKeyIsKeptUnderItsNameAndPlaceOnly() {
    put(API_KEY);
    String message =
        PLACE + "value: is missing; it can be left out only where the stored action has one";

    assertRefused(message, api.patch(J, change("{`in`:`header`}")));
    assertRefused(message, api.patch(J, change("{`name`:`other`}")));
    assertRefused(PLACE + "token: is missing", put("{`type`:`bearer`}"));
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
        api.patch(J, change(change)));
    assertEquals(before, stored());
  }

  @Test
  void anOmittedAuthenticationSurvivesAPatchAndNullRemovesIt() {
    put(BASIC);
    String before = stored();

    Answer patched = api.patch(J, "{`action`:{`request`:{`method`:`PUT`}}}");
    assertEquals("{`username`:`u`,`type`:`basic`}", authentication(patched));
    assertEquals(sealed(before), sealed(stored()));

    Answer removed = api.patch(J, change("null")).assertStatus(200);
    assertEquals("none", authentication(removed));
    assertFalse(stored().contains("sealed"), stored());
  }

  @Test
  void aPutWithNullRemovesTheAuthentication() {
    put(BASIC);

    assertEquals("none", authentication(put("null")));
  }

  @Test
  void aPutWithoutTheSecretKeepsTheOneOfTheSameUser() {
    put(BASIC);
    String before = stored();

    put("{`type`:`Basic`,`username`:`u`}").assertStatus(200);
    assertEquals(sealed(before), sealed(stored()));
    assertRefused(
        PLACE + "password: is missing; it can be left out only where the stored action has one",
        put("{`type`:`basic`,`username`:`other`}"));
    assertRefused(
        PLACE + "secret: is missing",
        put("{`type`:`activeDirectoryOAuth`,`tenant`:`t`,`audience`:`a`,`clientId`:`u`}"));
    assertRefused(PLACE + "password: is missing", api.patch(J, change("{`username`:`other`}")));
    assertEquals(sealed(before), sealed(stored()));
  }

  @Test
  void aJobWhoseSecretIsKeptIsReadOnceAndWrittenOnce() {
    put(BASIC).assertStatus(201);
    String masked = BASIC.replaceAll("canary-\\d", "***");
    put(masked).assertStatus(200);
    int before = scripts();

    put(masked).assertStatus(200);

    assertEquals(2, scripts() - before);
  }

  /** Returns the number of scripts that Redis has run. */
  private static int scripts() {
    return Integer.parseInt(
        RedisServer.shared()
            .eval(
                "return string.match(redis.call('INFO', 'commandstats'), 'evalsha:calls=(%d+)')"));
  }

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
    put(given).assertStatus(201);
    String before = stored();

    put(masked).assertStatus(200);
    assertEquals(sealed(before), sealed(stored()));
    api.patch(J, change("{`" + field + "`:`***`}")).assertStatus(200);
    assertEquals(sealed(before), sealed(stored()));
    assertRefused(
        PLACE
            + field
            + ": '***' keeps the stored value; a stored secret goes only where it was"
            + " given for, https://h:443, not to https://i:443; give it again",
        api.put(J, job(masked).replace("https://h/", "https://i/")));
    put("{`type`:`basic`,`username`:`v`,`password`:`p`}").assertStatus(200);
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
        api.put(J, jobWithErrorAction(BEARER, "{`type`:`bearer`,`token`:`***`}")));
  }

  @Test
  void theMaskKeepsACertificateAsAWhole() {
    put(certificate(client, "canary-3"));
    String before = stored();
    String masked = "{`type`:`clientCertificate`,`pfx`:`***`}";

    put(masked).assertStatus(200);
    put(masked.replace("}", ",`password`:`***`}")).assertStatus(200);
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

    assertRefused(message, api.patch(J, change));
    assertRefused(
        message, api.put(J, job("{`type`:`basic`,`username`:`u`}").replace("https://h/", uri)));
    assertEquals(before, stored());
    api.put(J, job(BASIC).replace("https://h/", uri)).assertStatus(200);
  }

  @Test
  void aKeptSecretStaysAtAnotherPlaceOfTheSameServer() {
    put(BASIC);
    String before = stored();

    api.patch(J, "{`action`:{`request`:{`uri`:`https://H:443/x?y=z`}}}").assertStatus(200);
    assertEquals(sealed(before), sealed(stored()));
  }

  @Test
  void anotherAudienceNeedsTheSecretAgain() {
    put(OAUTH);

    assertRefused(PLACE + "secret: is missing", api.patch(J, change("{`audience`:`https://b/`}")));
  }

  @Test
  void aKeptCertificateDoesNotFollowAChangedAddress() {
    Answer created = put(certificate(client, "canary-3"));

    assertRefused(
        PLACE + "pfx: is missing; a stored secret goes only where it was given for",
        api.put(J, job(authentication(created)).replace("https://h/", "https://i/")));
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
    Answer created = put(certificate(client, "canary-3"));

    Answer again = put(authentication(created));
    Answer patched = api.patch(J, "{`action`:{`request`:{`method`:`PUT`}}}");

    again.assertStatus(200);
    assertEquals(authentication(created), authentication(again));
    assertEquals(authentication(created), authentication(patched));
  }

  @Test
  void aPatchToAnotherTypeLeavesNothingOfTheFirst() {
    put(BASIC);

    Answer patched = api.patch(J, change(OAUTH));

    patched.assertStatus(200);
    assertEquals(
        "{`tenant`:`t`,`audience`:`https://a/`,`clientId`:`c`,`type`:`activeDirectoryOAuth`}",
        authentication(patched));
    assertRefused(PLACE + "pfx: is missing", api.patch(J, change("{`type`:`clientCertificate`}")));
  }
}
