package carillon.api;

import static carillon.support.IssuerServer.CLIENT;
import static carillon.support.IssuerServer.REDIRECT;
import static carillon.support.IssuerServer.SECRET;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKey;
import carillon.access.ApiKeyToken;
import carillon.auth.LoginOptions;
import carillon.config.Settings;
import carillon.config.TestSettings;
import carillon.support.Await;
import carillon.support.IssuerServer;
import carillon.support.RedisServer;
import com.nimbusds.jwt.JWTClaimsSet;
import io.vertx.core.json.JsonArray;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signing in to the console at an issuer, and what must not let anybody in. */
class SignInTest extends WithApi {
  private static final ApiKeyToken OPERATOR = ApiKeyToken.random();
  private static final String[] PAGE = {"Sec-Fetch-Site", "same-origin", "carillon-console", "1"};

  @AutoClose private final IssuerServer issuer = new IssuerServer(ApiServer.START);

  @Override
  protected ApiServer server() {
    return new ApiServer(login());
  }

  private LoginOptions login(String... settings) {
    Settings all =
        TestSettings.with(
            Stream.of(
                    List.of(
                        "access.accept=keys,tokens",
                        "access.revocation=300ms",
                        "access.tokens.issuer=" + issuer.uri(),
                        "access.tokens.audience=carillon",
                        "access.tokens.roles=boss=admin:*,reader=reader:*",
                        "console.signIn.clientId=" + CLIENT,
                        "console.signIn.origin=https://carillon.example.org"),
                    List.of(settings))
                .flatMap(List::stream)
                .toArray(String[]::new));
    return LoginOptions.of(all.access(), List.of(ApiKey.ofOperator(OPERATOR)))
        .withSignIn(all.console().signIn());
  }

  /** Somebody who may do everything, as the issuer says without being told. */
  private static void ada(JWTClaimsSet.Builder claims) {}

  private static void rita(JWTClaimsSet.Builder claims) {
    claims.subject("rita").claim("roles", List.of("reader"));
  }

  /** A sign-in that has begun: where the browser goes, and the cookie that it has got. */
  private record Begun(String uri, String cookie) {
    String parameter(String name) {
      return IssuerServer.query(uri.split("\\?", 2)[1]).get(name);
    }

    String state() {
      return parameter("state");
    }
  }

  private static ApiClient page(ApiServer server) {
    return server.with(PAGE);
  }

  private Begun begin() {
    return begin(api, "{}");
  }

  private static Begun begin(ApiServer server, String body) {
    Answer answer = page(server).post("/console/sign-in/request", body).assertStatus(200);
    return new Begun(
        answer.json().getString("authorizationUri"), answer.header("Set-Cookie").split(";", 2)[0]);
  }

  private Answer finish(Begun begun, String code) {
    return finishWith(begun, "`code`:`" + code + "`,`state`:`" + begun.state() + "`");
  }

  private static Answer finish(ApiServer server, String cookie, String fields) {
    return page(server).post("/console/sign-in/response", "{" + fields + "}", "Cookie", cookie);
  }

  /** In the browser that has this cookie. */
  private Answer finishWith(Begun begun, String fields) {
    return finish(api, begun.cookie(), fields);
  }

  private Answer signIn(Consumer<JWTClaimsSet.Builder> claims) {
    Begun begun = begin();
    return finish(begun, issuer.authorize(begun.uri(), claims));
  }

  private static String session(Answer signedIn) {
    return cookies(signedIn.assertStatus(201)).stream()
        .filter(cookie -> cookie.startsWith("carillon-session="))
        .findFirst()
        .orElseThrow()
        .split(";", 2)[0];
  }

  private static List<String> cookies(Answer answer) {
    return answer.headers().allValues("Set-Cookie");
  }

  private static Answer caller(ApiServer server, String session) {
    return page(server).get("/session", "Cookie", session);
  }

  private static void assertRefused(Answer answer, int status) {
    answer.assertStatus(status);
    assertTrue(
        cookies(answer).stream().noneMatch(cookie -> cookie.startsWith("carillon-session")),
        () -> "a session in spite of " + answer.body());
  }

  private ApiClient operator() {
    return api.with("Authorization", "Bearer " + OPERATOR.reveal());
  }

  // --- as it should be

  @Test
  void thePageIsToldWithWhatPeopleSignIn() {
    api.get("/console/sign-in").assertIs(200, "{`keys`:true,`issuer`:`127.0.0.1`}");
    try (ApiServer named = api.another(login("console.signIn.name=Example Inc."));
        ApiServer keys = api.another(ApiServer.keys(OPERATOR));
        ApiServer tokens = api.another(login("access.accept=tokens"))) {
      named.get("/console/sign-in").assertIs(200, "{`keys`:true,`issuer`:`Example Inc.`}");
      keys.get("/console/sign-in").assertIs(200, "{`keys`:true}");
      tokens.get("/console/sign-in").assertIs(200, "{`keys`:false,`issuer`:`127.0.0.1`}");
      page(keys).post("/console/sign-in/request", "{}").assertStatus(409);
    }
  }

  @Test
  void theRequestIsThatOfACodeFlowWithPkceAndTellsNothingOfItsSecret() {
    Answer answer = page(api).post("/console/sign-in/request", "{}").assertStatus(200);
    Answer secure =
        page(api)
            .post("/console/sign-in/request", "{}", "X-Forwarded-Proto", "https")
            .assertStatus(200);

    Begun begun = begin();
    assertTrue(begun.uri().startsWith(issuer.uri() + "/authorization?"), begun.uri());
    assertEquals("code", begun.parameter("response_type"));
    assertEquals(CLIENT, begun.parameter("client_id"));
    assertEquals(REDIRECT, begun.parameter("redirect_uri"));
    assertEquals("openid profile", begun.parameter("scope"));
    assertEquals("S256", begun.parameter("code_challenge_method"));
    assertFalse(begun.uri().contains("prompt="), begun.uri());
    assertEquals("login", begin(api, "{`prompt`:`login`}").parameter("prompt"));
    assertEquals("no-store", answer.header("Cache-Control"));
    String cookie = answer.header("Set-Cookie");
    assertTrue(
        cookie.matches(
            "carillon-signin-[A-Za-z0-9_-]{8}=[A-Za-z0-9_-]{43}; Max-Age=600; Expires=[^;]+;"
                + " Path=/; HTTPOnly; SameSite=Strict"),
        cookie);
    assertTrue(
        secure.header("Set-Cookie").matches("__Host-carillon-signin-.*; Secure; .*"),
        secure.header("Set-Cookie"));
    String secret = begun.cookie().split("=", 2)[1];
    Set<String> values = new HashSet<>(Set.of(secret));
    for (String name : List.of("state", "nonce", "code_challenge")) {
      assertTrue(values.add(begun.parameter(name)), name);
    }
    assertNotEquals(begun.state(), begin().state());
  }

  /** Whatever a proxy says of the scheme, or does not say. */
  @ParameterizedTest
  @CsvSource({
    "carillon.example.org, '', __Host-carillon-session=",
    "Carillon.Example.org, '', __Host-carillon-session=",
    "carillon.example.org, http, __Host-carillon-session=",
    "other.example.org, '', carillon-session=",
  })
  void underAnOriginWithHttpsTheCookieIsOfThisHostAlone(
      String host, String proxied, String cookie) {
    String answer =
        api.sendRaw(
            "POST /session HTTP/1.1\r\nHost: "
                + host
                + "\r\nAuthorization: Bearer "
                + OPERATOR.reveal()
                + "\r\n"
                + (proxied.isEmpty() ? "" : "X-Forwarded-Proto: " + proxied + "\r\n")
                + "Content-Length: 0\r\nConnection: close\r\n\r\n");

    String set =
        answer.lines().filter(line -> line.startsWith("Set-Cookie: ")).findFirst().orElseThrow();
    assertTrue(set.startsWith("Set-Cookie: " + cookie), set);
    assertEquals(cookie.startsWith("__Host-"), set.contains("; Secure;"), set);
  }

  @Test
  void whoSignsInGetsASessionForWhatTheTokenSaysOfThem() {
    Answer answer = signIn(claims -> claims.claim("roles", List.of("staff", "reader")));

    answer.assertIs(
        201,
        "{`client`:`ada`,`proof`:`session`,`grants`:[`reader:*`],"
            + "`expires`:`2026-11-21T02:00:00Z`}");
    assertEquals("no-store", answer.header("Cache-Control"));
    assertTrue(
        cookies(answer).stream()
            .anyMatch(
                cookie ->
                    cookie.matches(
                        "carillon-session=~[a-f0-9]{32}\\.[A-Za-z0-9]{43}\\.[A-Za-z0-9_-]+;"
                            + " Max-Age=28800; .*Path=/; HTTPOnly; SameSite=Strict")),
        () -> cookies(answer).toString());
    assertTrue(
        cookies(answer).stream()
            .anyMatch(one -> one.matches("carillon-signin-.{8}=; Max-Age=0;.*")),
        () -> cookies(answer).toString());
    String session = session(answer);
    assertEquals("ada", caller(api, session).json().getString("client"));
    page(api).get("/jobcollections", "Cookie", session).assertStatus(200);
    page(api).put("/jobcollections/made", "{}", "Cookie", session).assertStatus(403);
    String secret = session.split("\\.", 3)[1];
    assertFalse(RedisServer.shared().dump().contains(secret));
    assertFalse(RedisServer.shared().dump().contains("access-"), "no token is kept");
  }

  @Test
  void theAuditLogTellsPeopleFromTheHoldersOfKeys() {
    String session = session(signIn(claims -> claims.subject("Operator")));
    page(api).put("/jobcollections/made", "{}", "Cookie", session).assertStatus(201);

    String log = operator().get("/audit").body();
    Answer signIns = operator().get("/audit?$filter=object%20eq%20'session:token:Operator'");

    assertTrue(log.contains("\"by\":\"token:Operator\""), log);
    JsonArray entries = signIns.assertStatus(200).json().getJsonArray("value");
    assertEquals(1, entries.size(), signIns.body());
    String person = session.split("[=.]", 3)[1];
    signIns.assertContains(
        "`did`:`POST session`", "`by`:`token:Operator`", "`after`:{`person`:`" + person + "`}");
    page(api)
        .get(
            "/audit?$filter=object%20eq%20'session:token:ada'",
            "Cookie", session(signIn(SignInTest::rita)))
        .assertStatus(403);
  }

  @Test
  void aSessionIsGoodOnEveryNodeUntilItIsClosed() {
    String session = session(signIn(SignInTest::ada));
    try (ApiServer node = api.another(login())) {
      caller(node, session).assertStatus(200);

      Answer answer = page(node).delete("/session", "Cookie", session);

      answer.assertStatus(200);
      assertTrue(answer.header("Set-Cookie").startsWith("carillon-session=; Max-Age=0;"));
      String out = answer.json().getString("endSessionUri");
      assertTrue(out.startsWith(issuer.uri() + "/end_session?"), out);
      assertEquals(
          Map.of("client_id", CLIENT, "post_logout_redirect_uri", REDIRECT),
          IssuerServer.query(out.split("\\?", 2)[1]));
      for (ApiServer one : List.of(node, api)) {
        Await.until("the end of the session", () -> caller(one, session).status() == 401);
      }
    }
  }

  @Test
  void whoSignsOutIsSignedOutAlsoWhereTheIssuerHasNoPlaceForThat() {
    issuer.metadata.remove("end_session_endpoint");
    Answer answer = page(api).delete("/session", "Cookie", session(signIn(SignInTest::ada)));

    answer.assertIs(200, "{}");
  }

  @Test
  void aSessionEndsAtItsTime() {
    String session = session(signIn(SignInTest::ada));
    api.moveTo(ApiServer.START.plus(Duration.ofHours(8)).minusMillis(1));
    caller(api, session).assertStatus(200);

    api.moveTo(ApiServer.START.plus(Duration.ofHours(8)));

    caller(api, session).assertStatus(401).assertContains("sign in again");
  }

  @Test
  void aSessionFollowsTheSettings() {
    String session = session(signIn(SignInTest::ada));

    try (ApiServer other = api.another(login("access.tokens.roles=boss=reader:s1"));
        ApiServer none = api.another(login("access.tokens.roles=manager=admin:*"));
        ApiServer client = api.another(login("console.signIn.clientId=another"));
        ApiServer keys = api.another(ApiServer.keys(OPERATOR))) {
      assertEquals(
          new JsonArray().add("reader:s1"), caller(other, session).json().getJsonArray("grants"));
      caller(none, session).assertStatus(401);
      caller(client, session).assertStatus(401);
      caller(keys, session).assertStatus(401);
    }
  }

  @Test
  void aPersonHasABoundedNumberOfSessions() {
    String other = session(signIn(claims -> claims.subject("bob")));
    String first = session(signIn(SignInTest::ada));
    for (int i = 0; i < 20; i++) {
      api.moveTo(ApiServer.START.plusSeconds(i + 1));
      signIn(SignInTest::ada).assertStatus(201);
    }

    caller(api, first).assertStatus(401);
    caller(api, other).assertStatus(200);
  }

  @Test
  void claimsThatTheIdTokenLacksAreThoseOfUserinfo() {
    issuer.userinfo.putAll(
        Map.of("sub", "ada", "roles", List.of("boss"), "email", "ada@example.org"));
    try (ApiServer node = api.another(login("console.signIn.nameClaim=email"))) {
      Begun begun = begin(node, "{}");
      String code = issuer.authorize(begun.uri(), claims -> claims.claim("roles", null));

      Answer answer =
          finish(node, begun.cookie(), "`code`:`" + code + "`,`state`:`" + begun.state() + "`");

      assertEquals("ada@example.org", answer.assertStatus(201).json().getString("client"));
      assertTrue(issuer.asked.contains("/userinfo Bearer"), issuer.asked.toString());
    }
  }

  @Test
  void userinfoOfSomebodyElseIsNotUsed() {
    issuer.userinfo.putAll(Map.of("sub", "eve", "roles", List.of("boss")));

    assertRefused(signIn(claims -> claims.claim("roles", null)), 403);
  }

  @Test
  void whatTheIdTokenSaysIsNotChangedByUserinfo() {
    issuer.userinfo.putAll(Map.of("sub", "ada", "roles", List.of("boss"), "name", "Ada"));
    try (ApiServer node = api.another(login("console.signIn.nameClaim=name"))) {
      Begun begun = begin(node, "{}");
      String code =
          issuer.authorize(begun.uri(), claims -> claims.claim("roles", List.of("reader")));
      Answer answer =
          finish(node, begun.cookie(), "`code`:`" + code + "`,`state`:`" + begun.state() + "`");

      assertEquals(new JsonArray().add("reader:*"), answer.json().getJsonArray("grants"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "client_secret_basic client_secret_post, /token Basic",
    ", /token Basic",
    "client_secret_post, /token form"
  })
  void aSecretIsShownAsTheIssuerTakesIt(String methods, String asked) {
    issuer.wantsSecret = true;
    if (methods != null) {
      issuer.metadata.put(
          "token_endpoint_auth_methods_supported", IssuerServer.array(methods.split(" ", -1)));
    }
    try (ApiServer node = api.another(login("console.signIn.clientSecret=" + SECRET))) {
      Begun begun = begin(node, "{}");
      String code = issuer.authorize(begun.uri(), SignInTest::ada);

      finish(node, begun.cookie(), "`code`:`" + code + "`,`state`:`" + begun.state() + "`")
          .assertStatus(201);

      assertTrue(issuer.asked.contains(asked), issuer.asked.toString());
    }
  }

  @Test
  void aSecretComesFromAFileThatIsNotEmpty(@TempDir Path dir) throws IOException {
    Path file = Files.writeString(dir.resolve("secret"), " " + SECRET + "\n");
    issuer.wantsSecret = true;
    try (ApiServer node = api.another(login("console.signIn.clientSecretFile=" + file))) {
      Begun begun = begin(node, "{}");
      String code = issuer.authorize(begun.uri(), SignInTest::ada);

      finish(node, begun.cookie(), "`code`:`" + code + "`,`state`:`" + begun.state() + "`")
          .assertStatus(201);
    }

    Files.writeString(file, "\n");
    assertThrows(
        IllegalStateException.class, () -> login("console.signIn.clientSecretFile=" + file));
  }

  @Test
  void theIssuerNamesItself() {
    issuer.metadata.put("authorization_response_iss_parameter_supported", true);
    Begun begun = begin();
    String code = issuer.authorize(begun.uri(), SignInTest::ada);

    finishWith(
            begun,
            "`code`:`%s`,`state`:`%s`,`iss`:`%s`".formatted(code, begun.state(), issuer.uri()))
        .assertStatus(201);
  }

  // --- as it should not be

  @Test
  void aResponseCountsInTheBrowserThatBeganTheSignIn() {
    Begun own = begin();
    Begun other = begin();
    String code = issuer.authorize(own.uri(), SignInTest::ada);
    String response = "`code`:`" + code + "`,`state`:`" + own.state() + "`";
    int asked = issuer.asked.size();

    assertRefused(finish(api, "none=1", response), 401);
    assertRefused(finish(api, other.cookie(), response), 401);
    String name = own.cookie().split("=", 2)[0];
    String foreign = name + "=" + other.cookie().split("=", 2)[1];
    assertRefused(finish(api, foreign, response), 401);
    for (String state : List.of("", "x", "é".repeat(43), own.state() + "x")) {
      assertRefused(finishWith(own, "`code`:`" + code + "`,`state`:`" + state + "`"), 401);
    }
    assertRefused(finishWith(own, "`code`:`" + code + "`"), 401);

    assertEquals(asked, issuer.asked.size(), "the issuer was not asked");
    finish(own, code).assertStatus(201);
  }

  @Test
  void aResponseCountsOnce() {
    Begun begun = begin();
    String code = issuer.authorize(begun.uri(), SignInTest::ada);
    finish(begun, code).assertStatus(201);

    assertRefused(finish(begun, code), 401);
  }

  @Test
  void aCookieThatASiblingSetCountsForNoSignIn() {
    Begun begun = begin();
    String code = issuer.authorize(begun.uri(), SignInTest::ada);
    String response = "`code`:`" + code + "`,`state`:`" + begun.state() + "`";

    assertRefused(finish(api, "," + begun.cookie(), response), 401);
    assertRefused(finish(api, begun.cookie() + "; " + begun.cookie(), response), 401);

    finish(api, begun.cookie() + "; ," + begun.cookie(), response).assertStatus(201);
  }

  /** Somebody's code in a sign-in of one's own (RFC 9700, section 4.5). */
  @Test
  void aCodeOfAnotherSignInIsOfNoUse() {
    String stolen = issuer.authorize(begin().uri(), SignInTest::ada);

    assertRefused(finish(begin(), stolen), 401);
  }

  @ParameterizedTest
  @CsvSource({"https://evil.example, false", "https://evil.example, true", "'', true"})
  void aResponseOfAnotherIssuerIsRefused(String iss, boolean isPromised) {
    issuer.metadata.put("authorization_response_iss_parameter_supported", isPromised);
    Begun begun = begin();
    String code = issuer.authorize(begun.uri(), SignInTest::ada);

    assertRefused(
        finishWith(
            begun, "`code`:`%s`,`state`:`%s`,`iss`:`%s`".formatted(code, begun.state(), iss)),
        401);

    assertFalse(issuer.asked.contains("/token"), "the code stays here");
  }

  @ParameterizedTest
  @CsvSource({
    "access_denied, 'The sign-in was refused, or cancelled.'",
    "login_required, The issuer did not let you sign in (login_required).",
    "<b>call 555</b>, The issuer did not let you sign in (unknown error).",
  })
  void whatTheIssuerRefusesIsTold(String error, String message) {
    Begun begun = begin();

    Answer answer = finishWith(begun, "`error`:`%s`,`state`:`%s`".formatted(error, begun.state()));

    assertRefused(answer, 401);
    assertEquals(message, answer.json().getJsonObject("error").getString("message"));
  }

  /**
   * An ID token that is to be refused; each is wrong in one thing alone.
   *
   * @param what is wrong
   */
  private record Wrong(String what, Consumer<JWTClaimsSet.Builder> claims) {
    @Override
    public String toString() {
      return what;
    }
  }

  static List<Wrong> wrong() {
    return List.of(
        new Wrong("the answer to another request", claims -> claims.claim("nonce", "other")),
        new Wrong("no nonce", claims -> claims.claim("nonce", null)),
        new Wrong("for another client", claims -> claims.audience("carillon")),
        new Wrong("for nobody", claims -> claims.audience((String) null)),
        new Wrong(
            "for several, and not said for whom",
            claims -> claims.audience(List.of(CLIENT, "other"))),
        new Wrong(
            "for another of several",
            claims -> claims.audience(List.of(CLIENT, "other")).claim("azp", "other")),
        new Wrong("for another party", claims -> claims.claim("azp", "other")),
        new Wrong("of another issuer", claims -> claims.issuer("https://evil.example")),
        new Wrong(
            "over", claims -> claims.expirationTime(Date.from(ApiServer.START.minusSeconds(31)))),
        new Wrong("without an end", claims -> claims.expirationTime(null)),
        new Wrong(
            "not yet valid",
            claims -> claims.notBeforeTime(Date.from(ApiServer.START.plusSeconds(31)))),
        new Wrong("of nobody", claims -> claims.subject(null)),
        new Wrong("of a name with a line end", claims -> claims.subject("ada\nby operator")),
        new Wrong("of a long name", claims -> claims.subject("a".repeat(129))));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void anIdTokenThatIsWrongLetsNobodyIn(Wrong wrong) {
    assertRefused(signIn(wrong.claims), 401);
  }

  @Test
  void anIdTokenOfAnotherKeyLetsNobodyIn() {
    issuer.signsWithAnotherKey = true;

    assertRefused(signIn(SignInTest::ada), 401);
  }

  @Test
  void whoMayDoNothingIsToldSoAndGetsNoSession() {
    Answer answer = signIn(claims -> claims.claim("roles", List.of("staff")));

    assertRefused(answer, 403);
    answer.assertContains("You are 'ada' at the issuer, who may do nothing here");
  }

  @Test
  void whoChangesTheirSessionHasNone() {
    String session = session(signIn(claims -> claims.claim("roles", List.of("reader"))));
    String boss = session(signIn(claims -> claims.subject("bob")));
    String claims = boss.substring(boss.lastIndexOf('.'));

    for (String forged :
        List.of(
            session.substring(0, session.lastIndexOf('.')) + claims,
            session.replaceFirst("\\.[A-Za-z0-9]", ".-"),
            session.replaceFirst("~", ""),
            session + "A",
            "carillon-session=~" + "0".repeat(32) + "." + "a".repeat(43) + claims)) {
      assertEquals(401, caller(api, forged).status(), forged);
    }
    caller(api, session).assertStatus(200);
  }

  @ParameterizedTest
  @CsvSource({
    "cross-site, 1, 403",
    "same-site, 1, 403",
    "none, 1, 403",
    "same-origin, , 403",
    ", 1, 403",
    "same-origin, 1, 200",
  })
  void onlyThePageOfTheConsoleBegins(String site, String mark, int status) {
    String[] headers =
        Stream.of(
                site == null ? List.<String>of() : List.of("Sec-Fetch-Site", site),
                mark == null ? List.<String>of() : List.of("carillon-console", mark))
            .flatMap(List::stream)
            .toArray(String[]::new);

    api.with(headers).post("/console/sign-in/request", "{}").assertStatus(status);
  }

  @Test
  void onlyThePageOfTheConsoleBringsAResponse() {
    Begun begun = begin();
    String code = issuer.authorize(begun.uri(), SignInTest::ada);
    String response = "{`code`:`" + code + "`,`state`:`" + begun.state() + "`}";

    assertRefused(
        api.post(
            "/console/sign-in/response",
            response,
            "Cookie",
            begun.cookie(),
            "Sec-Fetch-Site",
            "same-origin"),
        403);
    assertRefused(
        api.post(
            "/console/sign-in/response",
            response,
            "Cookie",
            begun.cookie(),
            "carillon-console",
            "1",
            "Sec-Fetch-Site",
            "cross-site"),
        403);

    finish(begun, code).assertStatus(201);
  }

  @Test
  void underAnotherNameThePageIsToldWhereToSignIn() {
    page(api)
        .post("/console/sign-in/request", "{}", "Origin", "http://127.0.0.1:" + api.port())
        .assertStatus(409)
        .assertContains("open the console there", "https://carillon.example.org");
    page(api)
        .post("/console/sign-in/request", "{}", "Origin", "https://carillon.example.org")
        .assertStatus(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{`prompt`:`none`}", "{`prompt`:1}", "{`to`:`//evil`}"})
  void aRequestThatIsNoneIsRefused(String body) {
    page(api).post("/console/sign-in/request", body).assertStatus(400);
  }

  @Test
  void aStrangerSendsLittle() {
    String large = "{`code`:`" + "a".repeat(8192) + "`}";

    page(api).post("/console/sign-in/response", large).assertStatus(413);
    api.post("/console/sign-in/response", large).assertStatus(413);
  }

  // --- an issuer that fails

  @ParameterizedTest
  @CsvSource({
    "/.well-known/openid-configuration, 500",
    "/.well-known/openid-configuration, 302",
    "/.well-known/openid-configuration, 200",
  })
  void withoutItsMetadataNobodyBegins(String path, int status) {
    issuer.statuses.put(path, status);

    Answer answer = page(api).post("/console/sign-in/request", "{}").assertStatus(503);

    assertEquals("6", answer.header("Retry-After"));
    assertEquals("", answer.header("Set-Cookie"));
    assertFalse(issuer.asked.contains("/elsewhere"), "no redirect is followed");
    issuer.statuses.clear();
    begin();
  }

  @ParameterizedTest
  @CsvSource({
    "/token, 500",
    "/token, 302",
    "/token, 200",
    "/keys, 500",
    "/userinfo, 500",
    "/userinfo, 302",
  })
  void anIssuerThatFailsLetsNobodyIn(String path, int status) {
    Begun begun = begin();
    String code = issuer.authorize(begun.uri(), claims -> claims.claim("roles", null));
    issuer.statuses.put(path, status);

    assertRefused(finish(begun, code), 503);

    assertFalse(issuer.asked.contains("/elsewhere"), "no redirect is followed");
  }

  @Test
  void anIssuerThatIsDownIsToldAsSuch() {
    issuer.close();

    page(api).post("/console/sign-in/request", "{}").assertStatus(503).assertContains("try again");
  }

  @Test
  void aSecretThatTheIssuerDoesNotKnowIsTheServersFault() {
    issuer.wantsSecret = true;

    assertRefused(signIn(SignInTest::ada), 503);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://issuer.example/authorization", "javascript:alert(1)", "//x", ""})
  void addressesThatAreNotHttpsAreNotUsed(String address) {
    issuer.metadata.put("authorization_endpoint", address);

    page(api).post("/console/sign-in/request", "{}").assertStatus(503);
  }

  @Test
  void failuresFromOneAddressAreCounted() {
    Begun begun = begin();
    for (int i = 0; i < 10; i++) {
      assertRefused(finishWith(begun, "`code`:`x`,`state`:`x`"), 401);
    }

    assertRefused(finishWith(begun, "`code`:`x`,`state`:`x`"), 429);
    signIn(SignInTest::ada).assertStatus(201);
  }

  @Test
  void forgedResponsesOfOneAddressSoonReachTheIssuerNoMore() {
    Begun own = begin();
    String code = issuer.authorize(own.uri(), SignInTest::ada);
    Begun invented = begin();
    for (int i = 0; i < 30; i++) {
      assertRefused(finish(invented, "forged"), i < 10 ? 401 : 429);
    }
    assertEquals(10, issuer.timesAsked("/token"));

    Answer answer = finish(own, code);

    assertRefused(answer, 429);
    assertEquals("60", answer.header("Retry-After"));
    assertEquals(List.of(), cookies(answer), "the sign-in is not over");
    api.moveTo(ApiServer.START.plus(Duration.ofMinutes(1)));
    finish(own, code).assertStatus(201);
  }

  @Test
  void anIssuerThatFailsIsNotAskedWithoutEnd() {
    issuer.statuses.put("/token", 500);
    Begun begun = begin();
    for (int i = 0; i < 20; i++) {
      Answer answer = finish(begun, "any");
      assertRefused(answer, i < 10 ? 503 : 429);
      assertEquals(List.of(), cookies(answer), "they can try again");
    }

    assertEquals(10, issuer.timesAsked("/token"));
  }

  /** Each exchange has a connection to the issuer; what programs need of it has others. */
  @Test
  void tokensAreCheckedWhileAsManyAsCanSignInWaitForTheIssuer() {
    issuer.silent.add("/token");
    Begun begun = begin();
    int sent = 64; // twice as many as both event loops exchange
    Queue<Answer> busy = new ConcurrentLinkedQueue<>();
    ExecutorService browsers = Executors.newFixedThreadPool(sent);
    try {
      for (int i = 0; i < sent; i++) {
        browsers.execute(() -> busy.add(finish(begun, "any")));
      }
      Await.until("all", () -> issuer.timesAsked("/token") + busy.size() == sent);
      List<Answer> refused = List.copyOf(busy);

      String token = "Bearer " + issuer.token("carillon");
      api.get("/jobcollections", "Authorization", token).assertStatus(200);

      assertTrue(refused.size() >= sent / 2, () -> "refused: " + refused.size());
      for (Answer answer : refused) {
        assertRefused(answer, 503);
        answer.assertContains("too many sign in at this moment");
        assertEquals(List.of(), cookies(answer), "they can try again");
      }
    } finally {
      issuer.close();
      browsers.shutdown();
    }
  }
}
