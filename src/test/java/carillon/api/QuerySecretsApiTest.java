package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.secret.Vault;
import org.junit.jupiter.api.Test;

/**
 * Test of secrets in the query of a job's address: sealed, masked, and kept when the mask is sent
 * back.
 */
class QuerySecretsApiTest extends WithCollection {
  private static final String URI = "http://h/f?a=b&code=canary-1&sig=canary%2B2";
  private static final String MASKED = "http://h/f?a=b&code=***&sig=***";
  private static final String PLACE = "action.request.uri.";

  private static String job(String uri) {
    return "{\"action\":{\"type\":\"http\",\"request\":{\"uri\":\"%s\",\"method\":\"GET\"}}}"
        .formatted(uri);
  }

  private Answer put(String uri) {
    return api.put(J, job(uri));
  }

  private Answer patch(String request) {
    return api.patch(J, "{`action`:{`request`:" + request + "}}");
  }

  private static String uri(Answer answer) {
    return answer.body().replaceAll(".*\"uri\":\"([^\"]*)\".*", "$1");
  }

  @Test
  void theyAreAnsweredAsAMaskAndSealedInRedis() {
    Answer created = put(URI);

    created.assertStatus(201);
    assertEquals(MASKED, uri(created));
    assertEquals(MASKED, uri(api.get(J)));
    assertTrue(stored().contains("\"http://h/f?a=b&code=sealed:v1:"), stored());
    assertFalse(api.redis.dump().contains("canary"));
  }

  @Test
  void theMaskGivenBackKeepsTheStoredValue() {
    put(URI);
    String before = stored();

    put(MASKED).assertStatus(200);
    assertEquals(before, stored());
    patch("{\"body\":null}");
    assertEquals(before, stored());
    patch("{\"uri\":\"http://h/g?sig=***&code=***\"}");
    assertTrue(stored().contains("\"http://h/g?sig=sealed:v1:"), stored());
    assertEquals("http://h/g?sig=***&code=***", uri(api.get(J)));
  }

  @Test
  void anEncodedNameAndAFragmentAreNoWayAround() {
    String masked = "http://h/f?%73ig=***&api%5Fkey=***#code=***";
    Answer created = put("http://h/f?%73ig=canary-1&api%5Fkey=canary-2#code=canary-3");
    String before = stored();

    assertEquals(masked, uri(created));
    assertFalse(api.redis.dump().contains("canary"));
    put(masked).assertStatus(200);
    assertEquals(before, stored());
    assertRefused(
        PLACE + "#code: '***' keeps the stored value; a stored secret goes only where it was given",
        patch("{\"uri\":\"http://i/f#code=***\"}"));
    assertRefused(
        "action.request.uri: 'https://***@h/?%73ig=***' must not hold a user name or password",
        put("https://u:canary@h/?%73ig=canary"));
  }

  @Test
  void theMaskAloneOrElsewhereIsRefused() {
    assertRefused(
        PLACE + "code: '***' keeps the stored value, and there is none", put("http://h/?code=***"));
    put(URI);
    assertRefused(
        PLACE + "token: '***' keeps the stored value, and there is none",
        put("http://h/?token=***"));
    assertRefused(
        PLACE
            + "code: '***' keeps the stored value; a stored secret goes only where it was given"
            + " for, http://h:80, not to http://i:80; give it again",
        patch("{\"uri\":\"http://i/f?code=***\"}"));
    assertEquals(200, put("http://h/?page=***").status(), "no secret, so no mask");
  }

  @Test
  void aRefusalDoesNotQuoteThem() {
    assertRefused(
        "action.request.uri: 'http://h/ ?code=***' is not a URI", put("http://h/ ?code=canary"));
  }

  @Test
  void theAuditLogHidesThem() {
    put(URI);
    put("http://h/");

    String audit = api.get("/audit").body();

    assertTrue(audit.contains("http://h/f?a=b&code=***&sig=***"), audit);
    assertFalse(audit.contains("sealed:"), audit);
  }

  @Test
  void withoutAKeyTheyAreRefusedAndOtherQueriesAccepted() {
    api.close();
    api = new ApiServer(setup -> setup.vault = Vault.locked());
    api.put(C, "{}");

    assertRefused(
        PLACE + "code: cannot be kept, because this scheduler has no key",
        put("http://h/?code=canary"));
    put("http://h/?page=2").assertStatus(201);
  }
}
