package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKey;
import carillon.access.ApiKeyToken;
import carillon.auth.LoginOptions;
import carillon.support.Await;
import carillon.support.RedisServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of signing in to the console with an API key. */
class SessionTest extends WithApi {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final ApiKeyToken OPERATOR = ApiKeyToken.random();
  private static final String LIST = "/jobcollections";

  @Override
  protected ApiServer server() {
    return new ApiServer(settings(OPERATOR));
  }

  private static LoginOptions settings(ApiKeyToken operator) {
    return ApiServer.keys(List.of(ApiKey.ofOperator(operator)), Duration.ofMillis(300), false);
  }

  private Answer signIn(ApiKeyToken key, String... more) {
    List<String> headers = new ArrayList<>(List.of("Authorization", "Bearer " + key.reveal()));
    headers.addAll(List.of(more));
    return api.post("/session", null, headers.toArray(String[]::new));
  }

  private static String setCookie(Answer answer) {
    return answer.headers().firstValue("Set-Cookie").orElseThrow();
  }

  private static String cookie(Answer signedIn) {
    signedIn.assertStatus(201);
    return setCookie(signedIn).split(";", 2)[0];
  }

  private String session() {
    return cookie(signIn(OPERATOR));
  }

  /** Returns a client that acts as the page of the console, with this cookie. */
  private static ApiClient console(ApiServer server, String cookie) {
    return server.with("Cookie", cookie, "Sec-Fetch-Site", "same-origin", "carillon-console", "1");
  }

  private ApiClient operator() {
    return api.with("Authorization", "Bearer " + OPERATOR.reveal());
  }

  private int status(ApiServer server, String cookie) {
    return console(server, cookie).get(LIST).status();
  }

  private void ends(ApiServer server, String cookie) {
    Await.until("the end of the session", PATIENCE, () -> status(server, cookie) == 401);
  }

  private ApiKeyToken order(String more) {
    Answer made = operator().post("/keys", "{`client`:`deploy`,`grants`:[`reader`]" + more + "}");
    made.assertStatus(201);
    return ApiKeyToken.parse(made.json().getString("key")).orElseThrow();
  }

  @Test
  void whoShowsAKeyGetsASessionThatScriptsAndOtherSitesCannotUse() {
    Answer plain = signIn(OPERATOR);
    Answer secure = signIn(OPERATOR, "X-Forwarded-Proto", "https");

    assertTrue(
        setCookie(plain)
            .matches(
                "carillon-session=[a-z0-9]+\\.[A-Za-z0-9]{43}; Max-Age=28800; Expires=[^;]+;"
                    + " Path=/; HTTPOnly; SameSite=Strict"),
        setCookie(plain));
    assertTrue(setCookie(secure).contains("; Secure"), setCookie(secure));
    assertEquals("no-store", plain.header("Cache-Control"));
    JsonObject caller = plain.json();
    assertEquals("operator", caller.getString("client"));
    assertEquals("2026-11-21T02:00:00Z", caller.getString("expires"));
    JsonObject shown = console(api, cookie(plain)).get("/session").json();
    assertEquals("session", shown.getString("proof"));
    assertEquals(new JsonArray().add("admin:*"), shown.getJsonArray("grants"));
    String secret = cookie(plain).replaceAll(".*\\.", "");
    assertFalse(RedisServer.shared().dump().contains(secret));
  }

  @Test
  void aSessionIsNotShownForAnother() {
    console(api, session()).post("/session").assertStatus(401);
    api.post("/session").assertStatus(401);
    api.post("/session", null, "api-key", ApiKeyToken.random().reveal()).assertStatus(401);
  }

  /** Headers with which a browser describes the origin of a request; {host} is the server's. */
  @ParameterizedTest
  @CsvSource({
    "GET, same-origin, , , 200",
    "GET, none, , , 200",
    "GET, same-site, , , 401",
    "GET, cross-site, , , 401",
    "GET, , , , 200",
    "GET, , http://{host}, , 200",
    "GET, , https://evil.example, , 401",
    "PUT, same-origin, http://{host}, 1, 201",
    "PUT, same-origin, , 1, 201",
    "PUT, same-origin, http://{host}, , 401",
    "PUT, none, , 1, 401",
    "PUT, same-site, http://127.0.0.1:1, 1, 403",
    "PUT, cross-site, https://evil.example, 1, 403",
    "PUT, , http://{host}, 1, 201",
    "PUT, , https://{host}, 1, 201",
    "PUT, , http://127.0.0.1:1, 1, 403",
    "PUT, , 'null', 1, 403",
    "PUT, , not an origin, 1, 403",
    "PUT, , , 1, 401",
    "PUT, , http://{host}, , 401",
  })
  void aSessionCountsForThePageOfTheConsoleAlone(
      String method, String site, String origin, String mark, int status) {
    List<String> headers = new ArrayList<>(List.of("Cookie", session()));
    if (site != null) {
      headers.addAll(List.of("Sec-Fetch-Site", site));
    }
    if (origin != null) {
      headers.addAll(List.of("Origin", origin.replace("{host}", "127.0.0.1:" + api.port())));
    }
    if (mark != null) {
      headers.addAll(List.of("carillon-console", mark));
    }
    boolean isRead = method.equals("GET");

    Answer answer =
        api.send(
            method,
            isRead ? LIST : LIST + "/made",
            isRead ? null : "{}",
            headers.toArray(String[]::new));

    answer.assertStatus(status);
  }

  @Test
  void aKeyThatIsShownCountsAndNotTheSessionBesideIt() {
    Answer answer =
        api.get("/session", "Cookie", session(), "Authorization", "Bearer " + order("").reveal());

    assertEquals("deploy", answer.json().getString("client"));
  }

  @Test
  void aSessionIsGoodOnEveryNodeUntilItIsClosed() {
    String cookie = session();
    String other = session();
    try (ApiServer node = api.another(settings(OPERATOR))) {
      assertEquals(200, status(node, cookie));

      Answer answer = console(api, cookie).delete("/session");

      answer.assertStatus(200);
      assertTrue(setCookie(answer).startsWith("carillon-session=; Max-Age=0;"));
      ends(api, cookie);
      ends(node, cookie);
      assertEquals(200, status(node, other));
    }
  }

  @Test
  void aSessionEndsAtItsTime() {
    String cookie = session();
    api.moveTo(ApiServer.START.plus(Duration.ofHours(8)).minusMillis(1));
    assertEquals(200, status(api, cookie));

    api.moveTo(ApiServer.START.plus(Duration.ofHours(8)));

    Answer answer = console(api, cookie).get(LIST);
    answer.assertStatus(401).assertContains("The session has ended; sign in again.");
  }

  @Test
  void aSessionEndsWithItsKey() {
    String revoked = cookie(signIn(order("")));
    String expiring = cookie(signIn(order(",\"expires\":\"2026-11-20T19:00:00Z\"")));
    assertEquals(200, status(api, revoked));
    assertTrue(setCookie(signIn(OPERATOR)).contains("Max-Age=28800"));

    String id = revoked.replaceAll("carillon-session=|\\..*", "");
    operator().delete("/keys/" + id);
    ends(api, revoked);

    assertEquals(200, status(api, expiring));
    api.moveTo(ApiServer.START.plus(Duration.ofHours(1)));
    assertEquals(401, status(api, expiring));
  }

  /** The operator may keep the id of the key and change its secret. */
  @Test
  void aSessionEndsWhenTheKeyOfItsIdIsAnother() {
    String cookie = session();
    ApiKeyToken changed =
        ApiKeyToken.parse("ck_" + OPERATOR.id() + "_" + "0123456789abcdef".repeat(2)).orElseThrow();

    try (ApiServer node = api.another(settings(changed))) {
      assertEquals(401, status(node, cookie));
    }
  }

  @Test
  void aKeyHasABoundedNumberOfSessions() {
    List<String> cookies = new ArrayList<>();
    for (int i = 0; i < 21; i++) {
      api.moveTo(ApiServer.START.plusSeconds(i));
      cookies.add(session());
    }

    assertEquals(401, status(api, cookies.get(0)));
    assertEquals(200, status(api, cookies.get(1)));
    assertEquals(200, status(api, cookies.get(20)));
  }

  /** An outdated page asks repeatedly; it is neither locked out nor answered differently. */
  @Test
  void whatIsNoSessionIsAskedToSignIn() {
    for (int i = 0; i < 15; i++) {
      for (String wrong : List.of("x", "nobody." + "a".repeat(43), OPERATOR.id() + ".b")) {
        assertEquals(401, status(api, "carillon-session=" + wrong));
      }
      assertEquals(401, status(api, session().replaceAll(".$", "-")));
    }
    assertEquals(401, status(api, "carillon-session=" + OPERATOR.id() + "." + "c".repeat(43)));
  }

  @Test
  void aStreamEndsWithTheSession() {
    String cookie = session();
    try (Stream<String> stream =
        api.stream("/console/executions", "Cookie", cookie, "Sec-Fetch-Site", "same-origin")) {
      Iterator<String> lines = stream.iterator();
      assertEquals(": watching", lines.next());

      console(api, cookie).delete("/session");

      while (lines.hasNext()) {
        lines.next();
      }
    }
  }

  /** Native paths exist for every group; resources of foreign groups are answered as missing. */
  @Test
  void aGroupIsShownToItsOwn() {
    String operator = session();
    console(api, operator).put("/groups/S1/g1/jobcollections/own", "{}").assertStatus(201);
    console(api, operator).put("/groups/s1/g2/jobcollections/own", "{}").assertStatus(201);
    Answer made =
        console(api, operator).post("/keys", "{`client`:`team`,`grants`:[`reader:s1/g1`]}");
    String team = cookie(signIn(ApiKeyToken.parse(made.json().getString("key")).orElseThrow()));

    Answer own = console(api, team).get("/groups/s1/g1/jobcollections?$top=1");

    own.assertStatus(200).assertContains("`own`");
    console(api, team).get("/groups/s1/g1/jobcollections/own/search").assertStatus(200);
    console(api, team).delete("/groups/s1/g1/jobcollections/own").assertStatus(403);
    for (String foreign : List.of("/groups/s1/g2", "/groups/s2/g1", "")) {
      assertEquals(
          404, console(api, team).get(foreign + "/jobcollections/own/jobs").status(), foreign);
    }
    console(api, team)
        .get(
            "/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Scheduler"
                + "/jobCollections/own?api-version=2016-03-01")
        .assertStatus(200);
    api.get("/groups/s1/g1/jobcollections/own").assertStatus(401);
  }

  @Test
  void whoeverHasASessionWatches() {
    Answer made = operator().post("/keys", "{`client`:`part`,`grants`:[`reader:orders-*`]}");
    ApiKeyToken part = ApiKeyToken.parse(made.json().getString("key")).orElseThrow();

    api.get("/console/executions").assertStatus(401);
    for (ApiKeyToken key : List.of(OPERATOR, part)) {
      String cookie = cookie(signIn(key));
      try (Stream<String> stream =
          api.stream("/console/executions", "Cookie", cookie, "Sec-Fetch-Site", "same-origin")) {
        assertEquals(": watching", stream.iterator().next());
      }
    }
  }

  @Test
  void whereNobodyHasToSayWhoHeIsNobodySignsIn() {
    try (ApiServer open = new ApiServer(ApiServer.OPEN)) {
      Answer caller = open.get("/session");

      assertEquals("none", caller.json().getString("proof"));
      open.post("/session").assertStatus(409);
    }
  }

  @Test
  void overTlsTheCookieIsOfThisHostAlone() {
    String[] tls = {"X-Forwarded-Proto", "https"};
    String cookie = cookie(signIn(OPERATOR, tls));

    assertTrue(cookie.startsWith("__Host-carillon-session="), cookie);
    api.get(LIST, "Cookie", cookie, "Sec-Fetch-Site", "same-origin", "X-Forwarded-Proto", "https")
        .assertStatus(200);
    assertEquals(401, status(api, cookie), "not over TLS");
  }

  /** A page of a sibling host can set a cookie whose name equals ours only for some parsers. */
  @ParameterizedTest
  @CsvSource({
    "{name}={session}, 200",
    "'other=1;\t{name}={session}; more=2', 200",
    "',{name}=forged; {name}={session}', 200",
    "'{name}={session}; ,{name}=forged; {name}x=forged', 200",
    "',{name}={session}', 401",
    "',,{name}={session}', 401",
    "'other=1,{name}={session}', 401",
    "'{name} ={session}', 401",
    "'{NAME}={session}', 401",
    "'\u00a0{name}={session}', 401",
    "'{name}={session}; {name}={session}', 401",
    "'{name}=forged; {name}={session}', 401",
  })
  void aCookieCountsByItsWholeName(String cookies, int status) {
    String[] session = cookie(signIn(OPERATOR, "X-Forwarded-Proto", "https")).split("=", 2);
    String sent =
        cookies
            .replace("{name}", session[0])
            .replace("{NAME}", session[0].toUpperCase(Locale.ROOT))
            .replace("{session}", session[1]);

    Answer answer =
        api.get(
            LIST, "Cookie", sent, "Sec-Fetch-Site", "same-origin", "X-Forwarded-Proto", "https");

    answer.assertStatus(status);
  }

  @Test
  void whoCannotSignOutLosesTheCookieAllTheSame() throws Exception {
    LoginOptions login =
        ApiServer.keys(List.of(ApiKey.ofOperator(OPERATOR)), Duration.ofMinutes(1), false);
    try (RedisServer redis = RedisServer.start();
        ApiServer alone =
            new ApiServer(
                setup -> {
                  setup.redis = redis;
                  setup.login = login;
                })) {
      String cookie =
          cookie(alone.post("/session", null, "Authorization", "Bearer " + OPERATOR.reveal()));
      assertEquals(200, status(alone, cookie));
      redis.stop();

      Answer answer = console(alone, cookie).delete("/session");

      answer.assertStatus(503);
      assertTrue(setCookie(answer).startsWith("carillon-session=; Max-Age=0;"), answer.body());
    }
  }

  @Test
  void aSignInIsInTheAuditLog() {
    session();

    String log = operator().get("/audit").body();

    assertTrue(log.contains("\"did\":\"POST session\""), log);
    assertTrue(log.contains("\"object\":\"key:" + OPERATOR.id() + "\""), log);
    assertTrue(log.contains("\"by\":\"operator (key " + OPERATOR.id() + ")\""), log);
  }
}
