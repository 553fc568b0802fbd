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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Test of authentication by API keys. */
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

  private ApiClient operator() {
    return with(OPERATOR.reveal());
  }

  private ApiClient with(String key) {
    return api.with("Authorization", "Bearer " + key);
  }

  private Answer order(String client, String... more) {
    String rest = more.length == 0 ? "" : "," + more[0];
    return operator().post("/keys", "{`client`:`" + client + "`,`grants`:[`reader`]" + rest + "}");
  }

  private static String keyOf(Answer made) {
    made.assertStatus(201);
    return field(made, "key");
  }

  private static String field(Answer answer, String name) {
    return answer.body().replaceAll(".*\"" + name + "\":\"([^\"]+)\".*", "$1");
  }

  @Test
  void aKeyIsShownOnceAndOpensTheDoorInEitherHeader() {
    Answer made = order("deploy");
    String key = keyOf(made);

    assertEquals("no-store", made.header("Cache-Control"));
    with(key).get(LIST).assertStatus(200);
    api.get(LIST, "api-key", key).assertStatus(200);
    api.get(LIST, "Authorization", "bearer  " + key).assertStatus(200);
    String location = made.headers().firstValue("Location").orElseThrow();
    String shown = operator().get(location).body();
    String listed = operator().get("/keys").body();
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
      Answer answer = with(wrong).get(LIST);

      answer.assertStatus(401);
      assertEquals(
          "Bearer realm=\"Carillon\", error=\"invalid_token\"", answer.header("WWW-Authenticate"));
      bodies.add(answer.body().replace(answer.header("X-Request-Id"), "id"));
    }
    assertEquals(1, bodies.stream().distinct().count());
    api.get(LIST, "Authorization", "Basic eDp5").assertStatus(401);
    api.get(LIST, "Authorization", "Bearer " + key, "api-key", key).assertStatus(401);
    api.get(LIST + "?api-key=" + key).assertStatus(401);
  }

  @Test
  void refusalsHaveTheShapeOfTheDialect() {
    Answer plain = api.get(LIST);
    Answer arm = api.get(ARM_LIST);
    Answer classic = api.get("/s1/cloudservices", "x-ms-version", "2013-03-01");

    String body =
        "{\"error\":{\"code\":\"AuthenticationFailed\",\"message\":\"Authentication failed. The"
            + " 'Authorization' header is missing.\"}}";
    plain.assertError(
        401,
        "AuthenticationFailed",
        "Authentication failed. The 'Authorization' header is missing.");
    arm.assertIs(401, body);
    assertTrue(arm.headers().firstValue("x-ms-request-id").isPresent());
    assertEquals("Bearer realm=\"Carillon\"", arm.header("WWW-Authenticate"));
    classic.assertStatus(403).assertContains("<Code>AuthenticationFailed</Code>");
    assertTrue(classic.headers().firstValue("x-ms-servedbyregion").isPresent());
  }

  /** A body that is too large is not even read. */
  @Test
  void whoIsNotKnownCannotMakeTheServerRead() {
    api.put(LIST + "/c", "x".repeat(300_000)).assertStatus(401);
  }

  @Test
  void aRevokedKeyEndsWithinTheStatedTimeOnEveryNode() {
    try (ApiServer other = api.another(settings(REVOCATION, false))) {
      Answer made = order("deploy");
      String key = keyOf(made);
      with(key).get(LIST).assertStatus(200);
      other.get(LIST, "Authorization", "Bearer " + key).assertStatus(200);

      operator().delete("/keys/" + field(made, "id")).assertStatus(200);

      for (ApiServer node : List.of(api, other)) {
        Await.until(
            "the end of the key",
            () -> node.get(LIST, "Authorization", "Bearer " + key).status() == 401);
      }
      operator().delete("/keys/" + field(made, "id")).assertStatus(404);
    }
  }

  @Test
  void aVerifiedKeyCostsNoCommandForAWhile() {
    try (ApiServer patient = new ApiServer(settings(Duration.ofMinutes(1), false))) {
      String key =
          keyOf(
              patient.post(
                  "/keys",
                  "{\"client\":\"c\",\"grants\":[\"reader\"]}",
                  "api-key",
                  OPERATOR.reveal()));
      for (int i = 0; i < 10; i++) {
        patient.get("/openapi.yaml", "api-key", key).assertStatus(200);
      }
      String before = lookups();

      for (int i = 0; i < 10; i++) {
        patient.get("/openapi.yaml", "api-key", key).assertStatus(200);
      }

      assertEquals(before, lookups());
    }
  }

  /** Returns how often Redis was asked for a field of a hash. */
  private static String lookups() {
    return RedisServer.shared()
        .eval("return string.match(redis.call('INFO', 'commandstats'), 'cmdstat_hget:calls=%d+')");
  }

  @Test
  void aKeyEndsWhenItExpires() {
    String end = ApiServer.START.plusSeconds(60).toString();
    String key = keyOf(order("deploy", "\"expires\":\"" + end + "\""));
    with(key).get(LIST).assertStatus(200);

    api.moveTo(ApiServer.START.plusSeconds(60));

    with(key).get(LIST).assertStatus(401);
    assertEquals(
        400, order("deploy", "\"expires\":\"" + ApiServer.START + "\"").status(), "is over");
  }

  @Test
  void aClientHasTwoKeysToChangeFromOneToTheOther() {
    keyOf(order("Deploy", "\"expires\":\"" + ApiServer.START.plusSeconds(60) + "\""));
    String second = keyOf(order("deploy"));

    order("DEPLOY").assertStatus(409);
    order("other").assertStatus(201);
    api.moveTo(ApiServer.START.plusSeconds(61));
    assertEquals(201, order("deploy").status(), "one has expired");
    with(second).get(LIST).assertStatus(200);
    order("deploy").assertStatus(409);
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
      assertEquals(400, operator().post("/keys", wrong).status(), wrong);
    }
    operator().get("/keys/nobody").assertStatus(404);
  }

  @Test
  void keysAreListedPageByPage() {
    for (int i = 0; i < 5; i++) {
      keyOf(order("c" + i));
    }
    List<String> ids = new ArrayList<>();
    String path = "/keys?$top=2";
    for (int page = 0; page < 3; page++) {
      String body = operator().get(path).body();
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
      Answer first = with(wrong).get(LIST).assertStatus(401);
      int tooOften = 0;
      for (int i = 1; i < 40; i++) {
        Answer answer = with(wrong).get(LIST);
        if (answer.status() == 429) {
          tooOften++;
          assertTrue(answer.headers().firstValue("Retry-After").isPresent());
        }
      }

      // Each of the two event loops counts separately.
      assertTrue(tooOften >= 20, "answered 429: " + tooOften);
      assertEquals(200, operator().get(LIST).status(), "who is known is let in");
      String logged = String.join("\n", logs.lines());
      assertTrue(logged.contains("login failed") && logged.contains("127.0.0.1"), logged);
      assertFalse(logged.contains(wrong.substring(16)));
      assertTrue(logged.contains("\"requestId\":\"" + first.header("X-Request-Id")), logged);
      assertTrue(logs.lines().stream().filter(line -> line.contains("login failed")).count() <= 20);
      api.moveTo(Instant.parse("2026-11-20T18:02:00Z"));
      assertEquals(401, with(wrong).get(LIST).status(), "a new minute");
    }
  }

  @Test
  void listsShowWhatOneMaySeePageByPage() {
    for (String name : List.of("a", "b", "c", "d", "e")) {
      operator().put(LIST + "/" + name, "{}");
    }
    String order =
        "{\"client\":\"c\",\"grants\":[\"reader:default/default/d\",\"writer:default/default/b\","
            + "\"reader:default/default/e\",\"reader:default/default/gone\",\"admin:other/*\"]}";
    String key = keyOf(operator().post("/keys", order));

    assertEquals("b d e", names(with(key).get(LIST)));
    assertEquals("b d e", names(with(key).get(ARM_LIST)));
    Answer first = with(key).get(LIST + "?$top=1");
    assertEquals("b", names(first));
    String next = field(first, "nextLink").replaceAll("http://[^/]+", "");
    operator().put(LIST + "/aa", "{}");
    operator().delete(LIST + "/b");
    Answer second = with(key).get(next);
    assertEquals("d", names(second));
    next = field(second, "nextLink").replaceAll("http://[^/]+", "");
    assertEquals("e", names(with(key).get(next)));
    assertEquals("e", names(with(key).get(LIST + "?$skip=1")));
    assertEquals("", names(with(key).get(ARM_LIST.replace("default", "s2"))));
    with(key).get(ARM_LIST.replace("/default/", "//")).assertStatus(400);
  }

  private static String names(Answer list) {
    list.assertStatus(200);
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
    api.get("/health/live").assertStatus(200);
    api.get("/health/ready").assertStatus(401);
    operator().get("/health/ready").assertStatus(200);
    try (ApiServer open = new ApiServer(settings(REVOCATION, true))) {
      open.get("/health/ready").assertStatus(200);
      open.get("/health").assertStatus(200);
      open.get("/").assertStatus(401);
    }
  }

  /** Tests spellings of a path that another part of the server may read differently. */
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
    operator().put("/jobcollections/orders", "{}");

    String good = order("a").body();
    Answer made =
        operator()
            .post(
                "/keys",
                "{`client`:`b`,`grants`:[`writer:orders`,`writer:ord*`,`reader:default/*`,"
                    + "`reader:s1`,`reader:bills-*`,`reader:s1/*`,`reader:s1/g1/c`,`reader:s1/g1`]}");

    assertFalse(good.contains("warnings"), good);
    made.assertStatus(201);
    assertEquals(
        List.of(
            "grants: there is no collection 's1' in the default group (a subscription is written"
                + " s1/*), the scope of 'reader:s1'.",
            "grants: there is no collection 'bills-*' in the default group, the scope of"
                + " 'reader:bills-*'.",
            "grants: there is no collection in the subscription 's1', the scope of"
                + " 'reader:s1/*'.",
            "grants: there is no collection 'c' in the group 's1/g1', the scope of"
                + " 'reader:s1/g1/c'.",
            "grants: there is no collection in the group 's1/g1', the scope of 'reader:s1/g1'."),
        made.json().getJsonArray("warnings").getList(),
        made::body);
  }

  @Test
  void nobodyUsesUpTheBudgetOfASubscriptionThatIsHidden() {
    String path =
        "/subscriptions/s/resourceGroups/g/providers/Microsoft.Scheduler/jobCollections/x?api-version=2016-03-01";
    Answer narrow = operator().post("/keys", "{`client`:`b`,`grants`:[`reader:other/*`]}");

    Answer hidden = with(keyOf(narrow)).get(path);

    hidden.assertStatus(404);
    assertEquals(Optional.empty(), hidden.headers().firstValue(REMAINING));
    assertEquals(Optional.of("999999"), operator().get(path).headers().firstValue(REMAINING));
  }
}
