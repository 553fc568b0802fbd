package carillon.api;

import static carillon.support.IssuerServer.CLIENT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.nimbusds.jwt.JWTClaimsSet;
import java.util.Date;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of refused sign-ins to the console. */
class SignInRefusalTest extends WithSignIn {
  @Test
  void aResponseCountsInTheBrowserThatBeganTheSignIn() {
    Begun own = begin();
    Begun other = begin();
    String code = issuer.authorize(own.uri(), WithSignIn::ada);
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
    String code = issuer.authorize(begun.uri(), WithSignIn::ada);
    finish(begun, code).assertStatus(201);

    assertRefused(finish(begun, code), 401);
  }

  @Test
  void aCookieThatASiblingSetCountsForNoSignIn() {
    Begun begun = begin();
    String code = issuer.authorize(begun.uri(), WithSignIn::ada);
    String response = "`code`:`" + code + "`,`state`:`" + begun.state() + "`";

    assertRefused(finish(api, "," + begun.cookie(), response), 401);
    assertRefused(finish(api, begun.cookie() + "; " + begun.cookie(), response), 401);

    finish(api, begun.cookie() + "; ," + begun.cookie(), response).assertStatus(201);
  }

  /**
   * An attacker sends another user's code in the attacker's own sign-in (RFC 9700, section 4.5).
   */
  @Test
  void aCodeOfAnotherSignInIsOfNoUse() {
    String stolen = issuer.authorize(begin().uri(), WithSignIn::ada);

    assertRefused(finish(begin(), stolen), 401);
  }

  @ParameterizedTest
  @CsvSource({"https://evil.example, false", "https://evil.example, true", "'', true"})
  void aResponseOfAnotherIssuerIsRefused(String iss, boolean isPromised) {
    issuer.metadata.put("authorization_response_iss_parameter_supported", isPromised);
    Begun begun = begin();
    String code = issuer.authorize(begun.uri(), WithSignIn::ada);

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
   * ID token that must be refused, with a single wrong property.
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

    assertRefused(signIn(WithSignIn::ada), 401);
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
    String code = issuer.authorize(begun.uri(), WithSignIn::ada);
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
}
