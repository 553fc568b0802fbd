package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets that a change leaves out or masks, and when the stored ones are kept. */
class KeptSecretsApiTest extends WithAuthentication {
  @Test
  void anApiKeyIsKeptUnderItsNameAndPlaceOnly() {
    put(API_KEY);
    String message =
        PLACE + "value: is missing; it can be left out only where the stored action has one";

    assertRefused(message, api.send("PATCH", J, change("{`in`:`header`}")));
    assertRefused(message, api.send("PATCH", J, change("{`name`:`other`}")));
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
        api.send("PATCH", J, change(change)));
    assertEquals(before, stored());
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
  void aPutWithNullRemovesTheAuthentication() {
    put(BASIC);

    assertEquals("none", authentication(put("null")));
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
}
