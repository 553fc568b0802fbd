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
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Signing in to the console with an API key. */
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

  private HttpResponse<String> signIn(ApiKeyToken key, String... more) {
    List<String> headers = new ArrayList<>(List.of("Authorization", "Bearer " + key.reveal()));
    headers.addAll(List.of(more));
    return api.send("POST", "/session", null, headers.toArray(String[]::new));
  }

  private static String setCookie(HttpResponse<String> answer) {
    return answer.headers().firstValue("Set-Cookie").orElseThrow();
  }

  private static String cookie(HttpResponse<String> signedIn) {
    assertEquals(201, signedIn.statusCode(), signedIn::body);
    return setCookie(signedIn).split(";", 2)[0];
  }

  private String session() {
    return cookie(signIn(OPERATOR));
  }

  private static HttpResponse<String> console(
      ApiServer server, String cookie, String method, String path, String body) {
    return server.send(
        method,
        path,
        body,
        "Cookie",
        cookie,
        "Sec-Fetch-Site",
        "same-origin",
        "carillon-console",
        "1");
  }

  private int status(ApiServer server, String cookie) {
    return console(server, cookie, "GET", LIST, null).statusCode();
  }

  private void ends(ApiServer server, String cookie) {
    Await.until("the end of the session", PATIENCE, () -> status(server, cookie) == 401);
  }

  private ApiKeyToken order(String more) {
    HttpResponse<String> made =
        api.send(
            "POST",
            "/keys",
            "{\"client\":\"deploy\",\"grants\":[\"reader\"]" + more + "}",
            "Authorization",
            "Bearer " + OPERATOR.reveal());
    assertEquals(201, made.statusCode(), made::body);
    return ApiKeyToken.parse(new JsonObject(made.body()).getString("key")).orElseThrow();
  }

  @Test
  void whoShowsAKeyGetsASessionThatScriptsAndOtherSitesCannotUse() {
    HttpResponse<String> plain = signIn(OPERATOR);
    HttpResponse<String> secure = signIn(OPERATOR, "X-Forwarded-Proto", "https");

    assertTrue(
        setCookie(plain)
            .matches(
                "carillon-session=[a-z0-9]+\\.[A-Za-z0-9]{43}; Max-Age=28800; Expires=[^;]+;"
                    + " Path=/; HTTPOnly; SameSite=Strict"),
        setCookie(plain));
    assertTrue(setCookie(secure).contains("; Secure"), setCookie(secure));
    assertEquals("no-store", plain.headers().firstValue("Cache-Control").orElse(""));
    JsonObject caller = new JsonObject(plain.body());
    assertEquals("operator", caller.getString("client"));
    assertEquals("2026-11-21T02:00:00Z", caller.getString("expires"));
    JsonObject shown = new JsonObject(console(api, cookie(plain), "GET", "/session", null).body());
    assertEquals("session", shown.getString("proof"));
    assertEquals(new JsonArray().add("admin:*"), shown.getJsonArray("grants"));
    String secret = cookie(plain).replaceAll(".*\\.", "");
    assertFalse(RedisServer.shared().dump().contains(secret));
  }

  @Test
  void aSessionIsNotShownForAnother() {
    assertEquals(401, console(api, session(), "POST", "/session", null).statusCode());
    assertEquals(401, api.send("POST", "/session", null).statusCode());
    assertEquals(
        401,
        api.send("POST", "/session", null, "api-key", ApiKeyToken.random().reveal()).statusCode());
  }

  /** What a browser says of where a request comes from; {host} is our own. */
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

    HttpResponse<String> answer =
        api.send(
            method,
            isRead ? LIST : LIST + "/made",
            isRead ? null : "{}",
            headers.toArray(String[]::new));

    assertEquals(status, answer.statusCode(), answer::body);
  }

  @Test
  void aKeyThatIsShownCountsAndNotTheSessionBesideIt() {
    HttpResponse<String> answer =
        api.send(
            "GET",
            "/session",
            null,
            "Cookie",
            session(),
            "Authorization",
            "Bearer " + order("").reveal());

    assertEquals("deploy", new JsonObject(answer.body()).getString("client"));
  }

  @Test
  void aSessionIsGoodOnEveryNodeUntilItIsClosed() {
    String cookie = session();
    String other = session();
    try (ApiServer node = new ApiServer(settings(OPERATOR), false)) {
      assertEquals(200, status(node, cookie));

      HttpResponse<String> answer = console(api, cookie, "DELETE", "/session", null);

      assertEquals(200, answer.statusCode());
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

    HttpResponse<String> answer = console(api, cookie, "GET", LIST, null);
    assertEquals(401, answer.statusCode());
    assertTrue(answer.body().contains("The session has ended; sign in again."), answer::body);
  }

  @Test
  void aSessionEndsWithItsKey() {
    String revoked = cookie(signIn(order("")));
    String expiring = cookie(signIn(order(",\"expires\":\"2026-11-20T19:00:00Z\"")));
    assertEquals(200, status(api, revoked));
    assertTrue(setCookie(signIn(OPERATOR)).contains("Max-Age=28800"));

    String id = revoked.replaceAll("carillon-session=|\\..*", "");
    api.send("DELETE", "/keys/" + id, null, "Authorization", "Bearer " + OPERATOR.reveal());
    ends(api, revoked);

    assertEquals(200, status(api, expiring));
    api.moveTo(ApiServer.START.plus(Duration.ofHours(1)));
    assertEquals(401, status(api, expiring));
  }

  /** The operator may keep the id of his key and change the rest. */
  @Test
  void aSessionEndsWhenTheKeyOfItsIdIsAnother() {
    String cookie = session();
    ApiKeyToken changed =
        ApiKeyToken.parse("ck_" + OPERATOR.id() + "_" + "0123456789abcdef".repeat(2)).orElseThrow();

    try (ApiServer node = new ApiServer(settings(changed), false)) {
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

  /** A stale page asks again and again; it is not locked out for that, and says nothing else. */
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

      console(api, cookie, "DELETE", "/session", null);

      while (lines.hasNext()) {
        lines.next();
      }
    }
  }

  /** Native paths reach every group; what is foreign there is not there. */
  @Test
  void aGroupIsShownToItsOwn() {
    String operator = session();
    assertEquals(
        201, console(api, operator, "PUT", "/groups/S1/g1/jobcollections/own", "{}").statusCode());
    assertEquals(
        201, console(api, operator, "PUT", "/groups/s1/g2/jobcollections/own", "{}").statusCode());
    HttpResponse<String> made =
        console(
            api, operator, "POST", "/keys", "{\"client\":\"team\",\"grants\":[\"reader:s1/g1\"]}");
    String team =
        cookie(
            signIn(ApiKeyToken.parse(new JsonObject(made.body()).getString("key")).orElseThrow()));

    HttpResponse<String> own =
        console(api, team, "GET", "/groups/s1/g1/jobcollections?$top=1", null);

    assertEquals(200, own.statusCode(), own::body);
    assertTrue(own.body().contains("\"own\""), own::body);
    assertEquals(
        200,
        console(api, team, "GET", "/groups/s1/g1/jobcollections/own/search", null).statusCode());
    assertEquals(
        403, console(api, team, "DELETE", "/groups/s1/g1/jobcollections/own", null).statusCode());
    for (String foreign : List.of("/groups/s1/g2", "/groups/s2/g1", "")) {
      assertEquals(
          404,
          console(api, team, "GET", foreign + "/jobcollections/own/jobs", null).statusCode(),
          foreign);
    }
    assertEquals(
        200,
        console(
                api,
                team,
                "GET",
                "/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Scheduler"
                    + "/jobCollections/own?api-version=2016-03-01",
                null)
            .statusCode());
    assertEquals(401, api.send("GET", "/groups/s1/g1/jobcollections/own", null).statusCode());
  }

  @Test
  void onlyAReaderOfEverythingWatches() {
    String all = cookie(signIn(order("")));
    HttpResponse<String> made =
        api.send(
            "POST",
            "/keys",
            "{\"client\":\"part\",\"grants\":[\"admin:default\"]}",
            "Authorization",
            "Bearer " + OPERATOR.reveal());
    ApiKeyToken part =
        ApiKeyToken.parse(new JsonObject(made.body()).getString("key")).orElseThrow();

    HttpResponse<String> refused =
        console(api, cookie(signIn(part)), "GET", "/console/executions", null);

    assertEquals(403, refused.statusCode());
    assertEquals(401, api.send("GET", "/console/executions", null).statusCode());
    try (Stream<String> stream =
        api.stream("/console/executions", "Cookie", all, "Sec-Fetch-Site", "same-origin")) {
      assertEquals(": watching", stream.iterator().next());
    }
  }

  @Test
  void whereNobodyHasToSayWhoHeIsNobodySignsIn() {
    try (ApiServer open = new ApiServer(ApiServer.OPEN)) {
      HttpResponse<String> caller = open.send("GET", "/session", null);

      assertEquals("none", new JsonObject(caller.body()).getString("proof"));
      assertEquals(409, open.send("POST", "/session", null).statusCode());
    }
  }

  @Test
  void overTlsTheCookieIsOfThisHostAlone() {
    String[] tls = {"X-Forwarded-Proto", "https"};
    String cookie = cookie(signIn(OPERATOR, tls));

    assertTrue(cookie.startsWith("__Host-carillon-session="), cookie);
    assertEquals(
        200,
        api.send(
                "GET",
                LIST,
                null,
                "Cookie",
                cookie,
                "Sec-Fetch-Site",
                "same-origin",
                "X-Forwarded-Proto",
                "https")
            .statusCode());
    assertEquals(401, status(api, cookie), "not over TLS");
  }

  @Test
  void aSignInIsInTheAuditLog() {
    session();

    String log =
        api.send("GET", "/audit", null, "Authorization", "Bearer " + OPERATOR.reveal()).body();

    assertTrue(log.contains("\"did\":\"POST session\""), log);
    assertTrue(log.contains("\"object\":\"key:" + OPERATOR.id() + "\""), log);
    assertTrue(log.contains("\"by\":\"operator (key " + OPERATOR.id() + ")\""), log);
  }
}
