package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKey;
import carillon.access.ApiKeyToken;
import carillon.auth.LoginOptions;
import carillon.support.Await;
import carillon.support.LogCapture;
import carillon.support.RedisServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who is let in, by API keys. */
class LoginTest extends WithApi {
  private static final Duration REVOCATION = Duration.ofMillis(300);
  private static final ApiKeyToken OPERATOR = ApiKeyToken.random();
  private static final String LIST = "/jobcollections";
  private static final String ARM_LIST =
      "/subscriptions/default/providers/Microsoft.Scheduler/jobCollections"
          + "?api-version=2016-03-01";

  private static final String REMAINING = "x-ms-ratelimit-remaining-subscription-reads";

  @Override
  protected ApiServer server() {
    return new ApiServer(settings(REVOCATION, false));
  }

  private static LoginOptions settings(Duration revocation, boolean openMonitoring) {
    return ApiServer.keys(List.of(ApiKey.ofOperator(OPERATOR)), revocation, openMonitoring);
  }

  private HttpResponse<String> operator(String method, String path, String body) {
    return with(OPERATOR.reveal(), method, path, body);
  }

  private HttpResponse<String> with(String key, String method, String path, String body) {
    return api.send(method, path, body, "Authorization", "Bearer " + key);
  }

  private HttpResponse<String> order(String client, String... more) {
    String rest = more.length == 0 ? "" : "," + more[0];
    return operator(
        "POST", "/keys", "{\"client\":\"" + client + "\",\"grants\":[\"reader\"]" + rest + "}");
  }

  private static String keyOf(HttpResponse<String> made) {
    assertEquals(201, made.statusCode(), made.body());
    return field(made, "key");
  }

  private static String field(HttpResponse<String> answer, String name) {
    return answer.body().replaceAll(".*\"" + name + "\":\"([^\"]+)\".*", "$1");
  }

  @Test
  void aKeyIsShownOnceAndOpensTheDoorInEitherHeader() {
    HttpResponse<String> made = order("deploy");
    String key = keyOf(made);

    assertEquals("no-store", made.headers().firstValue("Cache-Control").orElse(""));
    assertEquals(200, with(key, "GET", LIST, null).statusCode());
    assertEquals(200, api.send("GET", LIST, null, "api-key", key).statusCode());
    assertEquals(200, api.send("GET", LIST, null, "Authorization", "bearer  " + key).statusCode());
    String location = made.headers().firstValue("Location").orElseThrow();
    String shown = operator("GET", location, null).body();
    String listed = operator("GET", "/keys", null).body();
    assertTrue(shown.contains("\"client\":\"deploy\"") && listed.contains(field(made, "id")));
    assertTrue(shown.contains("\"by\":\"operator\"") && shown.contains("lastUsed"), shown);
    assertFalse((shown + listed).contains(key.substring(16)));
    assertFalse(RedisServer.shared().dump().contains(key.substring(16)));
  }

  @Test
  void whatIsNoKeyIsRefusedWithoutSayingWhy() {
    String key = keyOf(order("deploy"));
    List<String> bodies = new ArrayList<>();
    for (String wrong :
        List.of(
            "x",
            "ck_nobody_" + key.substring(16),
            key.substring(0, key.length() - 1) + (key.endsWith("x") ? "y" : "x"))) {
      HttpResponse<String> answer = with(wrong, "GET", LIST, null);

      assertEquals(401, answer.statusCode());
      assertEquals(
          "Bearer realm=\"Carillon\", error=\"invalid_token\"",
          answer.headers().firstValue("WWW-Authenticate").orElse(""));
      bodies.add(answer.body());
    }
    assertEquals(1, bodies.stream().distinct().count());
    assertEquals(401, api.send("GET", LIST, null, "Authorization", "Basic eDp5").statusCode());
    assertEquals(
        401,
        api.send("GET", LIST, null, "Authorization", "Bearer " + key, "api-key", key).statusCode());
    assertEquals(401, api.send("GET", LIST + "?api-key=" + key, null).statusCode());
  }

  @Test
  void refusalsHaveTheShapeOfTheDialect() {
    HttpResponse<String> plain = api.send("GET", LIST, null);
    HttpResponse<String> arm = api.send("GET", ARM_LIST, null);
    HttpResponse<String> classic =
        api.send("GET", "/s1/cloudservices", null, "x-ms-version", "2013-03-01");

    String body =
        "{\"error\":{\"code\":\"AuthenticationFailed\",\"message\":\"Authentication failed. The"
            + " 'Authorization' header is missing.\"}}";
    assertEquals(body, plain.body());
    assertEquals(body, arm.body());
    assertEquals(401, arm.statusCode());
    assertTrue(arm.headers().firstValue("x-ms-request-id").isPresent());
    assertEquals(
        "Bearer realm=\"Carillon\"", arm.headers().firstValue("WWW-Authenticate").orElse(""));
    assertEquals(403, classic.statusCode());
    assertTrue(classic.body().contains("<Code>AuthenticationFailed</Code>"), classic.body());
    assertTrue(classic.headers().firstValue("x-ms-servedbyregion").isPresent());
  }

  /** Not even a body that is too large is looked at. */
  @Test
  void whoIsNotKnownCannotMakeTheServerRead() {
    HttpResponse<String> answer = api.send("PUT", LIST + "/c", "x".repeat(300_000));

    assertEquals(401, answer.statusCode());
  }

  @Test
  void aRevokedKeyEndsWithinTheStatedTimeOnEveryNode() {
    try (ApiServer other = new ApiServer(settings(REVOCATION, false), false)) {
      HttpResponse<String> made = order("deploy");
      String key = keyOf(made);
      assertEquals(200, with(key, "GET", LIST, null).statusCode());
      assertEquals(
          200, other.send("GET", LIST, null, "Authorization", "Bearer " + key).statusCode());

      assertEquals(200, operator("DELETE", "/keys/" + field(made, "id"), null).statusCode());

      for (ApiServer node : List.of(api, other)) {
        Await.until(
            "the end of the key",
            () ->
                node.send("GET", LIST, null, "Authorization", "Bearer " + key).statusCode() == 401);
      }
      assertEquals(404, operator("DELETE", "/keys/" + field(made, "id"), null).statusCode());
    }
  }

  @Test
  void aVerifiedKeyCostsNoCommandForAWhile() {
    try (ApiServer patient = new ApiServer(settings(Duration.ofMinutes(1), false))) {
      String key =
          keyOf(
              patient.send(
                  "POST",
                  "/keys",
                  "{\"client\":\"c\",\"grants\":[\"reader\"]}",
                  "api-key",
                  OPERATOR.reveal()));
      for (int i = 0; i < 10; i++) {
        assertEquals(200, patient.send("GET", "/openapi.yaml", null, "api-key", key).statusCode());
      }
      String before = lookups();

      for (int i = 0; i < 10; i++) {
        assertEquals(200, patient.send("GET", "/openapi.yaml", null, "api-key", key).statusCode());
      }

      assertEquals(before, lookups());
    }
  }

  /** How often Redis was asked for a field of a hash. */
  private static String lookups() {
    return RedisServer.shared()
        .eval("return string.match(redis.call('INFO', 'commandstats'), 'cmdstat_hget:calls=%d+')");
  }

  @Test
  void aKeyEndsWhenItExpires() {
    String end = ApiServer.START.plusSeconds(60).toString();
    String key = keyOf(order("deploy", "\"expires\":\"" + end + "\""));
    assertEquals(200, with(key, "GET", LIST, null).statusCode());

    api.moveTo(ApiServer.START.plusSeconds(60));

    assertEquals(401, with(key, "GET", LIST, null).statusCode());
    assertEquals(
        400, order("deploy", "\"expires\":\"" + ApiServer.START + "\"").statusCode(), "is over");
  }

  @Test
  void aClientHasTwoKeysToChangeFromOneToTheOther() {
    keyOf(order("Deploy", "\"expires\":\"" + ApiServer.START.plusSeconds(60) + "\""));
    String second = keyOf(order("deploy"));

    assertEquals(409, order("DEPLOY").statusCode());
    assertEquals(201, order("other").statusCode());
    api.moveTo(ApiServer.START.plusSeconds(61));
    assertEquals(201, order("deploy").statusCode(), "one has expired");
    assertEquals(200, with(second, "GET", LIST, null).statusCode());
    assertEquals(409, order("deploy").statusCode());
  }

  @Test
  void aKeyIsOrderedAsDescribed() {
    for (String wrong :
        List.of(
            "{}",
            "{\"client\":\"c\"}",
            "{\"client\":\"c\",\"grants\":[]}",
            "{\"client\":\"c\",\"grants\":[\"owner\"]}",
            "{\"client\":\"c\",\"grants\":[\"reader:a b\"]}",
            "{\"client\":\"c d\",\"grants\":[\"reader\"]}",
            "{\"client\":\"c\",\"grants\":[7]}",
            "{\"client\":\"c\",\"grants\":[\"reader\"],\"key\":\"ck_a_b\"}",
            "{\"client\":\"c\",\"grants\":[\"reader\"],\"expires\":\"soon\"}",
            "{\"client\":\"c\",\"grants\":[\"reader\"],\"expires\":\"9999-01-01\"}")) {
      assertEquals(400, operator("POST", "/keys", wrong).statusCode(), wrong);
    }
    assertEquals(404, operator("GET", "/keys/nobody", null).statusCode());
  }

  @Test
  void keysAreListedPageByPage() {
    for (int i = 0; i < 5; i++) {
      keyOf(order("c" + i));
    }
    List<String> ids = new ArrayList<>();
    String path = "/keys?$top=2";
    for (int page = 0; page < 3; page++) {
      String body = operator("GET", path, null).body();
      for (String part : body.split("\"id\":\"", -1)) {
        if (!part.startsWith("{")) {
          ids.add(part.substring(0, part.indexOf('"')));
        }
      }
      path =
          body.contains("\"nextLink\":null") ? "" : body.replaceAll(".*(/keys\\?[^\"]+)\".*", "$1");
    }
    assertEquals("", path);
    assertEquals(5, ids.size());
    assertEquals(ids.stream().sorted().toList(), ids);
  }

  @Test
  void failedLoginsAreSlowedDownAndLoggedWithoutTheSecret() {
    try (LogCapture logs = new LogCapture()) {
      String wrong = ApiKeyToken.random().reveal();
      int tooOften = 0;
      for (int i = 0; i < 40; i++) {
        HttpResponse<String> answer = with(wrong, "GET", LIST, null);
        if (answer.statusCode() == 429) {
          tooOften++;
          assertTrue(answer.headers().firstValue("Retry-After").isPresent());
        }
      }

      // Two event loops count for themselves.
      assertTrue(tooOften >= 20, "answered 429: " + tooOften);
      assertEquals(200, operator("GET", LIST, null).statusCode(), "who is known is let in");
      String logged = String.join("\n", logs.lines());
      assertTrue(logged.contains("login failed") && logged.contains("127.0.0.1"), logged);
      assertFalse(logged.contains(wrong.substring(16)));
      assertTrue(logs.lines().stream().filter(line -> line.contains("login failed")).count() <= 20);
      api.moveTo(Instant.parse("2026-11-20T18:02:00Z"));
      assertEquals(401, with(wrong, "GET", LIST, null).statusCode(), "a new minute");
    }
  }

  @Test
  void listsShowWhatOneMaySeePageByPage() {
    for (String name : List.of("a", "b", "c", "d", "e")) {
      operator("PUT", LIST + "/" + name, "{}");
    }
    String order =
        "{\"client\":\"c\",\"grants\":[\"reader:default/default/d\",\"writer:default/default/b\","
            + "\"reader:default/default/e\",\"reader:default/default/gone\",\"admin:other\"]}";
    String key = keyOf(operator("POST", "/keys", order));

    assertEquals("b d e", names(with(key, "GET", LIST, null)));
    assertEquals("b d e", names(with(key, "GET", ARM_LIST, null)));
    HttpResponse<String> first = with(key, "GET", LIST + "?$top=1", null);
    assertEquals("b", names(first));
    String next = field(first, "nextLink").replaceAll("http://[^/]+", "");
    operator("PUT", LIST + "/aa", "{}");
    operator("DELETE", LIST + "/b", null);
    HttpResponse<String> second = with(key, "GET", next, null);
    assertEquals("d", names(second));
    next = field(second, "nextLink").replaceAll("http://[^/]+", "");
    assertEquals("e", names(with(key, "GET", next, null)));
    assertEquals("e", names(with(key, "GET", LIST + "?$skip=1", null)));
    assertEquals("", names(with(key, "GET", ARM_LIST.replace("default", "s2"), null)));
    assertEquals(400, with(key, "GET", ARM_LIST.replace("/default/", "//"), null).statusCode());
  }

  private static String names(HttpResponse<String> list) {
    assertEquals(200, list.statusCode(), list.body());
    List<String> names = new ArrayList<>();
    for (String part : list.body().split("\"name\":\"", -1)) {
      if (!part.startsWith("{")) {
        names.add(part.substring(0, part.indexOf('"')));
      }
    }
    return String.join(" ", names);
  }

  @Test
  void monitorsNeedARoleUnlessTheyAreLetIn() {
    assertEquals(200, api.send("GET", "/health/live", null).statusCode());
    assertEquals(401, api.send("GET", "/health/ready", null).statusCode());
    assertEquals(200, operator("GET", "/health/ready", null).statusCode());
    try (ApiServer open = new ApiServer(settings(REVOCATION, true))) {
      assertEquals(200, open.send("GET", "/health/ready", null).statusCode());
      assertEquals(200, open.send("GET", "/health", null).statusCode());
      assertEquals(401, open.send("GET", "/", null).statusCode());
    }
  }

  /** Where a path is written in a way that another part of the server reads differently. */
  @Test
  void noSpellingOfAPathGoesAroundTheGate() {
    String reader = keyOf(order("deploy"));
    for (String path :
        List.of(
            "/keys",
            "/keys/",
            "//keys",
            "/./keys",
            "/x/../keys",
            "/%6beys",
            "/jobcollections/../keys",
            "/health/live/../../keys",
            "/health/live/%2e%2e/%2e%2e/keys",
            "/KEYS",
            "/keys;x")) {
      assertFalse(raw(path, "").startsWith("HTTP/1.1 2"), path);
      String answer = raw(path, "api-key: " + reader + "\r\n");
      assertFalse(answer.contains("\"client\""), path + ": " + answer);
    }
  }

  private String raw(String path, String header) {
    return api.sendRaw(
        "GET " + path + " HTTP/1.1\r\nHost: a\r\n" + header + "Connection: close\r\n\r\n");
  }

  @Test
  void aGrantOfWhatIsNotThereIsTold() {
    operator("PUT", "/jobcollections/orders", "{}");

    String good = order("a").body();
    HttpResponse<String> made =
        operator(
            "POST",
            "/keys",
            "{\"client\":\"b\",\"grants\":[\"writer:orders\",\"writer:default/default/orders\","
                + "\"reader:default\",\"reader:default/default/bills\"]}");

    assertFalse(good.contains("warnings"), good);
    assertEquals(201, made.statusCode(), made.body());
    JsonArray warnings = new JsonObject(made.body()).getJsonArray("warnings");
    assertEquals(2, warnings.size(), made.body());
    assertTrue(
        warnings.getString(0).contains("'writer:orders' is the subscription 'orders'")
            && warnings.getString(0).contains("default/default/orders"),
        made.body());
    assertTrue(warnings.getString(1).contains("default/default/bills"), made.body());
  }

  @Test
  void nobodyUsesUpTheBudgetOfASubscriptionThatIsHidden() {
    String path =
        "/subscriptions/s/resourceGroups/g/providers/Microsoft.Scheduler/jobCollections/x?api-version=2016-03-01";
    HttpResponse<String> narrow =
        operator("POST", "/keys", "{\"client\":\"b\",\"grants\":[\"reader:other\"]}");

    HttpResponse<String> hidden = with(keyOf(narrow), "GET", path, null);

    assertEquals(404, hidden.statusCode());
    assertEquals(Optional.empty(), hidden.headers().firstValue(REMAINING));
    assertEquals(
        Optional.of("999999"), operator("GET", path, null).headers().firstValue(REMAINING));
  }
}
