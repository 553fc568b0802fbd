package carillon.api;

import static carillon.support.IssuerServer.CLIENT;
import static carillon.support.IssuerServer.REDIRECT;
import static carillon.support.IssuerServer.SECRET;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.IssuerServer;
import carillon.support.RedisServer;
import com.nimbusds.jwt.JWTClaimsSet;
import io.vertx.core.json.JsonArray;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of signing in to the console at an issuer. */
class SignInTest extends WithSignIn {
  private static void rita(JWTClaimsSet.Builder claims) {
    claims.subject("rita").claim("roles", List.of("reader"));
  }

  private ApiClient operator() {
    return api.with("Authorization", "Bearer " + OPERATOR.reveal());
  }

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

  /** The scheme that a proxy reports, or omits, does not matter. */
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
    String session = session(signIn(WithSignIn::ada));
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
    Answer answer = page(api).delete("/session", "Cookie", session(signIn(WithSignIn::ada)));

    answer.assertIs(200, "{}");
  }

  @Test
  void aSessionEndsAtItsTime() {
    String session = session(signIn(WithSignIn::ada));
    api.moveTo(ApiServer.START.plus(Duration.ofHours(8)).minusMillis(1));
    caller(api, session).assertStatus(200);

    api.moveTo(ApiServer.START.plus(Duration.ofHours(8)));

    caller(api, session).assertStatus(401).assertContains("sign in again");
  }

  @Test
  void aSessionFollowsTheSettings() {
    String session = session(signIn(WithSignIn::ada));

    try (ApiServer other = api.another(login("access.tokens.roles=boss=reader:s1/*"));
        ApiServer none = api.another(login("access.tokens.roles=manager=admin:*"));
        ApiServer client = api.another(login("console.signIn.clientId=another"));
        ApiServer keys = api.another(ApiServer.keys(OPERATOR))) {
      assertEquals(
          new JsonArray().add("reader:s1/*"), caller(other, session).json().getJsonArray("grants"));
      caller(none, session).assertStatus(401);
      caller(client, session).assertStatus(401);
      caller(keys, session).assertStatus(401);
    }
  }

  @Test
  void aPersonHasABoundedNumberOfSessions() {
    String other = session(signIn(claims -> claims.subject("bob")));
    String first = session(signIn(WithSignIn::ada));
    for (int i = 0; i < 20; i++) {
      api.moveTo(ApiServer.START.plusSeconds(i + 1));
      signIn(WithSignIn::ada).assertStatus(201);
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
      String code = issuer.authorize(begun.uri(), WithSignIn::ada);

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
      String code = issuer.authorize(begun.uri(), WithSignIn::ada);

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
    String code = issuer.authorize(begun.uri(), WithSignIn::ada);

    finishWith(
            begun,
            "`code`:`%s`,`state`:`%s`,`iss`:`%s`".formatted(code, begun.state(), issuer.uri()))
        .assertStatus(201);
  }
}
