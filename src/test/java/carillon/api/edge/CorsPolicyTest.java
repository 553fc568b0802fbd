package carillon.api.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKey;
import carillon.access.ApiKeyToken;
import carillon.api.Answer;
import carillon.api.ApiServer;
import carillon.api.TestLimits;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of pages of other origins, with and without an entry in {@code http.corsOrigins}. */
@Tag("redis")
class CorsPolicyTest {
  private static final String ORIGIN = "https://app.example.org";
  private static final ApiKeyToken KEY = ApiKeyToken.random();
  private static final String JOB = "/jobcollections/default/jobs/j";
  private static final String BODY =
      "{\"in\":\"1h\",\"action\":{\"request\":{\"uri\":\"http://a.example\"}}}";

  @AutoClose private static ApiServer named;
  @AutoClose private static ApiServer keyed;
  @AutoClose private static ApiServer all;
  @AutoClose private static ApiServer scarce;
  @AutoClose private static ApiServer small;
  @AutoClose private static ApiServer none;

  @BeforeAll
  static void start() {
    named = new ApiServer(ApiServer.OPEN, TestLimits.admission("http.corsOrigins=" + ORIGIN));
    keyed =
        new ApiServer(
            ApiServer.keys(KEY),
            TestLimits.admission("http.corsOrigins=" + ORIGIN, "access.accept=keys"));
    all =
        new ApiServer(
            ApiServer.keys(List.of(ApiKey.ofOperator(KEY)), Duration.ofSeconds(5), true),
            TestLimits.admission("http.corsOrigins=*", "access.accept=keys"));
    scarce =
        new ApiServer(
            ApiServer.OPEN,
            TestLimits.admission("http.corsOrigins=" + ORIGIN, "rates.perCaller=1"));
    small =
        new ApiServer(
            ApiServer.OPEN,
            TestLimits.admission(AllowedHosts.any(), 1, "http.corsOrigins=" + ORIGIN));
    none = new ApiServer();
  }

  @BeforeEach
  void createCollection() {
    none.put("/jobcollections/default", "{}");
    none.delete(JOB);
  }

  private static Answer preflight(ApiServer api, String origin, String method) {
    return api.send(
        "OPTIONS",
        JOB,
        null,
        "Origin",
        origin,
        "Sec-Fetch-Site",
        "cross-site",
        "Access-Control-Request-Method",
        method,
        "Access-Control-Request-Headers",
        "authorization,content-type,if-match");
  }

  private static Optional<String> allowed(Answer answer) {
    return answer.headers().firstValue("Access-Control-Allow-Origin");
  }

  private static String list(Answer answer, String header) {
    return "," + answer.header(header).toLowerCase(Locale.ROOT).replace(" ", "") + ",";
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "PUT", "PATCH", "POST", "DELETE"})
  void aNamedOriginIsToldWhatItMaySend(String method) {
    Answer answer = preflight(named, ORIGIN, method);

    answer.assertStatus(204);
    assertEquals(Optional.of(ORIGIN), allowed(answer));
    assertTrue(
        list(answer, "Access-Control-Allow-Methods")
            .contains("," + method.toLowerCase(Locale.ROOT) + ","));
    String headers = list(answer, "Access-Control-Allow-Headers");
    for (String header :
        new String[] {
          "authorization", "api-key", "content-type", "if-match", "if-none-match", "idempotency-key"
        }) {
      assertTrue(headers.contains("," + header + ","), headers);
    }
    assertFalse(headers.contains("carillon-console"), headers);
    assertEquals("3600", answer.header("Access-Control-Max-Age"));
    assertNoCredentials(answer);
  }

  private static void assertNoCredentials(Answer answer) {
    assertEquals(Optional.empty(), answer.headers().firstValue("Access-Control-Allow-Credentials"));
  }

  @Test
  void aNamedOriginMayWriteAndReadWithTheHeadersThatMatter() {
    Answer put = named.put(JOB, BODY, "Origin", ORIGIN, "Sec-Fetch-Site", "cross-site");
    Answer get = named.get(JOB, "Origin", ORIGIN, "Sec-Fetch-Site", "cross-site");

    put.assertStatus(201);
    get.assertStatus(200);
    String exposed = list(get, "Access-Control-Expose-Headers");
    for (String header : new String[] {"etag", "location", "retry-after", "x-ms-request-id"}) {
      assertTrue(exposed.contains("," + header + ","), exposed);
    }
    for (Answer answer : new Answer[] {put, get}) {
      assertEquals(Optional.of(ORIGIN), allowed(answer));
      assertTrue(
          answer
              .headers()
              .allValues("Vary")
              .toString()
              .toLowerCase(Locale.ROOT)
              .contains("origin"));
      assertNoCredentials(answer);
    }
  }

  @Test
  void aNamedOriginMayReadWhyItIsRefused() {
    Answer answer = named.get(JOB + "2", "Origin", ORIGIN);

    answer.assertStatus(404);
    assertEquals(Optional.of(ORIGIN), allowed(answer));
  }

  private static Answer refusal(int status, String origin) {
    String[] from = {"Origin", origin, "Sec-Fetch-Site", "cross-site"};
    String[] text = {"Origin", origin, "Content-Type", "text/plain"};
    return switch (status) {
      case 401 -> keyed.get(JOB, from);
      case 403 -> keyed.put(JOB, BODY, from);
      case 404 -> named.get("/nothing", from);
      case 405 -> named.send("PATCH", "/nodes", "{}", from);
      case 413 -> named.put(JOB, " ".repeat(300_000), from);
      case 415 -> named.put(JOB, BODY, text);
      case 429 -> scarce.put(JOB, BODY, from);
      default -> small.put(JOB, " ".repeat(200_000), from);
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403, 404, 405, 413, 415, 429, 503})
  void aRefusalBeforeTheHandlerCanBeReadByAnAllowedOriginOnly(int status) {
    scarce.get("/"); // the only request that it answers in this minute
    Answer answer = refusal(status, ORIGIN).assertStatus(status);

    assertEquals(Optional.of(ORIGIN), allowed(answer));
    assertTrue(list(answer, "Access-Control-Expose-Headers").contains(",retry-after,"));
    assertTrue(answer.headers().allValues("Vary").contains("origin"), "Vary");
    assertNoCredentials(answer);
    assertEquals(Optional.empty(), allowed(refusal(status, "https://evil.example")));
  }

  @Test
  void whereAllMayARefusalCanBeRead() {
    Answer refused = all.put(JOB, BODY, "Origin", ORIGIN, "Sec-Fetch-Site", "cross-site");

    assertEquals(Optional.of("*"), allowed(refused.assertStatus(403)));
    Answer open = all.post("/metrics", "", "Origin", ORIGIN, "Sec-Fetch-Site", "cross-site");
    assertEquals(403, open.status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example",
        "http://app.example.org",
        "https://app.example.org:8443",
        "https://app.example.org.evil.example",
        "null"
      })
  void othersGetNothing(String origin) {
    preflight(named, origin, "PUT").assertStatus(403);
    named.put(JOB, BODY, "Origin", origin, "Sec-Fetch-Site", "cross-site").assertStatus(403);
    assertEquals(Optional.empty(), allowed(named.get("/", "Origin", origin)));
  }

  @Test
  void whereNoneIsNamedNoneMay() {
    preflight(none, ORIGIN, "PUT").assertStatus(403);
    none.put(JOB, BODY, "Origin", ORIGIN, "Sec-Fetch-Site", "cross-site").assertStatus(403);
    assertEquals(Optional.empty(), allowed(none.get("/", "Origin", ORIGIN)));
  }

  @Test
  void whereAllMayAWriteMustCarryItsKey() {
    String key = "Bearer " + KEY.reveal();
    Answer preflight = preflight(all, ORIGIN, "PUT");

    preflight.assertStatus(204);
    assertEquals(Optional.of("*"), allowed(preflight));
    assertNoCredentials(preflight);
    all.put(JOB, BODY, "Origin", ORIGIN, "Sec-Fetch-Site", "cross-site", "Authorization", key)
        .assertStatus(201);
    Answer without = all.post(JOB + "/run", "", "Origin", ORIGIN, "Sec-Fetch-Site", "cross-site");
    without.assertStatus(403);
    without.assertContains("http.corsOrigins");
  }

  @Test
  void whereCredentialsAreRequiredAWriteOfANamedOriginMustCarryItsKey() {
    String key = "Bearer " + KEY.reveal();

    keyed
        .put(JOB, BODY, "Origin", ORIGIN, "Sec-Fetch-Site", "cross-site", "Authorization", key)
        .assertStatus(201);
    Answer without = keyed.post(JOB + "/run", "", "Origin", ORIGIN, "Sec-Fetch-Site", "cross-site");
    without.assertStatus(403);
    without.assertContains("key or token");
    keyed
        .post(
            JOB + "/run",
            "",
            "Origin",
            ORIGIN,
            "Sec-Fetch-Site",
            "cross-site",
            "api-key",
            key.substring(7))
        .assertStatus(202);
    preflight(keyed, ORIGIN, "PUT").assertStatus(204);
    keyed.get(JOB, "Origin", ORIGIN, "Authorization", key).assertStatus(200);
  }

  @Test
  void aFileOfTheConsoleVariesWithTheOriginToo() {
    String vary = named.get("/docs").headers().allValues("Vary").toString();

    assertTrue(vary.toLowerCase(Locale.ROOT).contains("origin"), vary);
    assertTrue(vary.contains("Accept"), vary);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/metrics", "/health", "/health/live"})
  void whereAllMayNoneReadsWhatNeedsNoKey(String path) {
    for (String method : new String[] {"GET", "HEAD"}) {
      assertEquals(Optional.empty(), allowed(all.send(method, path, null, "Origin", ORIGIN)));
    }
    assertEquals(Optional.of(ORIGIN), allowed(named.get(path, "Origin", ORIGIN)));
    assertEquals(Optional.of("*"), allowed(all.get(JOB, "Origin", ORIGIN)));
  }

  @Test
  void thePageOfTheServerItselfIsServedAsBefore() {
    String self = "http://127.0.0.1:" + named.port();

    named.put(JOB, BODY, "Origin", self, "Sec-Fetch-Site", "same-origin").assertStatus(201);
  }
}
