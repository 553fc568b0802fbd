package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.secret.Vault;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Test of headers with secret names: sealed, answered as a mask, and kept when the mask is sent
 * back.
 */
class HeaderSecretsTest extends WithCollection {
  private static final String PLACE = "action.request.headers.";
  private static final String HEADERS =
      "{`Authorization`:`Bearer canary-1`,`X-Api-Key`:`canary-2`,`Accept`:`text/plain`}";
  private static final String MASKED =
      "{`Authorization`:`***`,`X-Api-Key`:`***`,`Accept`:`text/plain`}";

  private static String request(String headers) {
    return "{`uri`:`http://h/`,`method`:`get`,`headers`:" + headers + "}";
  }

  private static String job(String headers) {
    return "{`action`:{`type`:`http`,`request`:" + request(headers) + "}}";
  }

  private static String change(String headers) {
    return "{`action`:{`request`:{`headers`:" + headers + "}}}";
  }

  private Answer put(String headers) {
    return api.put(J, job(headers));
  }

  private static String headers(Answer answer) {
    String body = answer.body();
    int from = body.indexOf("\"headers\":") + "\"headers\":".length();
    return body.substring(from, body.indexOf('}', from) + 1).replace('"', '`');
  }

  private List<String> sealed() {
    return Pattern.compile("sealed:v1:[^\"]+")
        .matcher(stored())
        .results()
        .map(result -> result.group())
        .toList();
  }

  @Test
  void theyAreAnsweredAsAMaskAndSealedInRedis() {
    Answer created = put(HEADERS);

    created.assertStatus(201);
    assertEquals(MASKED, headers(created));
    assertEquals(MASKED, headers(api.get(J)));
    assertEquals(MASKED, headers(api.get(C + "/jobs")));
    assertEquals(2, sealed().size(), stored());
    assertFalse(api.redis.dump().contains("canary"));
  }

  @Test
  void theMaskGivenBackKeepsTheStoredValue() {
    put(HEADERS);
    List<String> before = sealed();

    Answer again = put(MASKED.replace("X-Api-Key", "x-api-key"));

    again.assertStatus(200);
    assertEquals(MASKED.replace("X-Api-Key", "x-api-key"), headers(again));
    assertEquals(before, sealed());
  }

  @Test
  void aPatchKeepsWhatItDoesNotMention() {
    put(HEADERS);
    List<String> before = sealed();

    api.patch(J, "{`action`:{`request`:{`method`:`PUT`}}}");
    assertEquals(before, sealed());
    api.patch(J, change("{`X-Api-Key`:`***`,`Accept`:null}"));
    assertEquals(before, sealed());
    Answer changed = api.patch(J, change("{`X-Api-Key`:`canary-3`}"));

    assertEquals("{`Authorization`:`***`,`X-Api-Key`:`***`}", headers(changed));
    assertEquals(before.get(0), sealed().get(0));
    assertNotEquals(before.get(1), sealed().get(1));
  }

  @Test
  void aHeaderThatIsLeftOutIsGone() {
    put(HEADERS);

    assertEquals("{`X-Api-Key`:`***`}", headers(put("{`X-Api-Key`:`***`}")));
    assertEquals(1, sealed().size(), stored());
  }

  @Test
  void theMaskAloneIsNoValue() {
    String message = PLACE + "authorization: '***' keeps the stored value, and there is none";

    assertRefused(message, put("{`Authorization`:`***`}"));
    put("{`X-Api-Key`:`canary`}");
    assertRefused(message, put("{`Authorization`:`***`}"));
    assertEquals(200, put("{`Accept`:`***`}").status(), "no secret, so no mask");
    assertEquals("{`Accept`:`***`}", headers(api.get(J)));
  }

  @Test
  void aKeptHeaderDoesNotFollowAChangedAddress() {
    put("{`Authorization`:`Bearer canary`}");
    String before = stored();
    String message =
        PLACE
            + "authorization: '***' keeps the stored value; a stored secret goes only where it was"
            + " given for, http://h:80, not to https://h:443; give it again";

    assertRefused(message, api.patch(J, "{`action`:{`request`:{`uri`:`https://h/`}}}"));
    assertRefused(
        message, api.put(J, job("{`Authorization`:`***`}").replace("http://h/", "https://h/")));
    assertEquals(before, stored());
  }

  @Test
  void theErrorActionHasHeadersOfItsOwn() {
    String both =
        "{`action`:{`type`:`http`,`request`:%s,`errorAction`:{`type`:`http`,`request`:%s}}}";
    String with = request("{`Cookie`:`canary`}");
    String mask = request("{`Cookie`:`***`}");
    String without = request("{}");
    api.put(J, both.formatted(with, with));

    api.put(J, both.formatted(without, mask)).assertStatus(200);
    assertEquals(1, sealed().size(), stored());
    assertRefused(PLACE + "cookie: '***'", api.put(J, both.formatted(mask, mask)));
  }

  @Test
  void theOtherDialectMasksThemToo() {
    api.put(ARM + "/jc" + VERSION, "{`location`:`West US`}");
    String path = ARM + "/jc/jobs/j" + VERSION;

    Answer created = api.put(path, "{`properties`:" + job(HEADERS) + "}");
    Answer again = api.put(path, "{`properties`:" + job(MASKED) + "}");

    assertEquals(MASKED, headers(created));
    again.assertStatus(200);
    assertFalse(api.redis.dump().contains("canary"));
  }

  @Test
  void withoutAKeyTheyAreRefusedAndOtherHeadersAccepted() {
    api.close();
    api = new ApiServer(setup -> setup.vault = Vault.locked());
    api.put(C, "{}");

    assertRefused(
        PLACE + "x-api-key: cannot be kept, because this scheduler has no key",
        put("{`X-Api-Key`:`canary`}"));
    put("{`Accept`:`b`}").assertStatus(201);
  }

  @Test
  void whatAnEarlierVersionLeftInClearIsMaskedAndSealedByTheNextChange() {
    put("{`Authorization`:`x`}");
    String sealed = sealed().get(0);
    api.redis.eval(
        "local key = '%s'; return '' .. redis.call('HSET', key, 'definition', '%s')"
            .formatted(key("job", "j"), stored().replace(sealed, "canary")));
    assertTrue(stored().contains("canary"), stored());

    assertEquals("{`Authorization`:`***`}", headers(api.get(J)));
    put("{`Authorization`:`***`}").assertStatus(200);
    assertFalse(stored().contains("canary"), stored());
    assertEquals(1, sealed().size(), stored());
  }
}
