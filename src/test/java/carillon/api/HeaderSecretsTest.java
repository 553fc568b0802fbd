package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.secret.Vault;
import carillon.support.RedisServer;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Headers whose names tell of a secret: sealed, answered as a mask, and kept when it comes back.
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
    return ("{`action`:{`type`:`http`,`request`:" + request(headers) + "}}").replace('`', '"');
  }

  private static String change(String headers) {
    return ("{`action`:{`request`:{`headers`:" + headers + "}}}").replace('`', '"');
  }

  private HttpResponse<String> put(String headers) {
    return api.send("PUT", J, job(headers));
  }

  private static String headers(HttpResponse<String> answer) {
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
    HttpResponse<String> created = put(HEADERS);

    assertEquals(201, created.statusCode(), created.body());
    assertEquals(MASKED, headers(created));
    assertEquals(MASKED, headers(api.send("GET", J, null)));
    assertEquals(MASKED, headers(api.send("GET", C + "/jobs", null)));
    assertEquals(2, sealed().size(), stored());
    assertFalse(api.redis.dump().contains("canary"));
  }

  @Test
  void theMaskGivenBackKeepsTheStoredValue() {
    put(HEADERS);
    List<String> before = sealed();

    HttpResponse<String> again = put(MASKED.replace("X-Api-Key", "x-api-key"));

    assertEquals(200, again.statusCode(), again.body());
    assertEquals(MASKED.replace("X-Api-Key", "x-api-key"), headers(again));
    assertEquals(before, sealed());
  }

  @Test
  void aPatchKeepsWhatItDoesNotMention() {
    put(HEADERS);
    List<String> before = sealed();

    api.send("PATCH", J, "{\"action\":{\"request\":{\"method\":\"PUT\"}}}");
    assertEquals(before, sealed());
    api.send("PATCH", J, change("{`X-Api-Key`:`***`,`Accept`:null}"));
    assertEquals(before, sealed());
    HttpResponse<String> changed = api.send("PATCH", J, change("{`X-Api-Key`:`canary-3`}"));

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
    assertEquals(200, put("{`Accept`:`***`}").statusCode(), "no secret, so no mask");
    assertEquals("{`Accept`:`***`}", headers(api.send("GET", J, null)));
  }

  @Test
  void aKeptHeaderDoesNotFollowAChangedAddress() {
    put("{`Authorization`:`Bearer canary`}");
    String before = stored();
    String message =
        PLACE
            + "authorization: '***' keeps the stored value; a stored secret goes only where it was"
            + " given for, http://h:80, not to https://h:443; give it again";

    assertRefused(
        message, api.send("PATCH", J, "{\"action\":{\"request\":{\"uri\":\"https://h/\"}}}"));
    assertRefused(
        message,
        api.send("PUT", J, job("{`Authorization`:`***`}").replace("http://h/", "https://h/")));
    assertEquals(before, stored());
  }

  @Test
  void theErrorActionHasHeadersOfItsOwn() {
    String both =
        "{`action`:{`type`:`http`,`request`:%s,`errorAction`:{`type`:`http`,`request`:%s}}}"
            .replace('`', '"');
    String with = request("{`Cookie`:`canary`}").replace('`', '"');
    String mask = request("{`Cookie`:`***`}").replace('`', '"');
    String without = request("{}").replace('`', '"');
    api.send("PUT", J, both.formatted(with, with));

    assertEquals(200, api.send("PUT", J, both.formatted(without, mask)).statusCode());
    assertEquals(1, sealed().size(), stored());
    assertRefused(PLACE + "cookie: '***'", api.send("PUT", J, both.formatted(mask, mask)));
  }

  @Test
  void theOtherDialectMasksThemToo() {
    api.send("PUT", ARM + "/jc" + VERSION, "{\"location\":\"West US\"}");
    String path = ARM + "/jc/jobs/j" + VERSION;

    HttpResponse<String> created = api.send("PUT", path, "{\"properties\":" + job(HEADERS) + "}");
    HttpResponse<String> again = api.send("PUT", path, "{\"properties\":" + job(MASKED) + "}");

    assertEquals(MASKED, headers(created));
    assertEquals(200, again.statusCode(), again.body());
    assertFalse(api.redis.dump().contains("canary"));
  }

  @Test
  void withoutAKeyTheyAreRefusedAndOtherHeadersAccepted() {
    api.close();
    api = new ApiServer(RedisServer.shared(), Duration.ofSeconds(30), Vault.locked());
    api.send("PUT", C, "{}");

    assertRefused(
        PLACE + "x-api-key: cannot be kept, because this scheduler has no key",
        put("{`X-Api-Key`:`canary`}"));
    assertEquals(201, put("{`Accept`:`b`}").statusCode());
  }

  @Test
  void whatAnEarlierVersionLeftInClearIsMaskedAndSealedByTheNextChange() {
    put("{`Authorization`:`x`}");
    String sealed = sealed().get(0);
    api.redis.eval(
        "local key = '%s'; return '' .. redis.call('HSET', key, 'definition', '%s')"
            .formatted(key(), stored().replace(sealed, "canary")));
    assertTrue(stored().contains("canary"), stored());

    assertEquals("{`Authorization`:`***`}", headers(api.send("GET", J, null)));
    assertEquals(200, put("{`Authorization`:`***`}").statusCode());
    assertFalse(stored().contains("canary"), stored());
    assertEquals(1, sealed().size(), stored());
  }

  private static String key() {
    return "carillon:{"
        + carillon.job.JobName.partition("default/default/c/j", 4)
        + "}:job:default/default/c/j";
  }
}
