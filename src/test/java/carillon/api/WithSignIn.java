package carillon.api;

import static carillon.support.IssuerServer.CLIENT;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKey;
import carillon.access.ApiKeyToken;
import carillon.auth.LoginOptions;
import carillon.config.Settings;
import carillon.config.TestSettings;
import carillon.support.IssuerServer;
import com.nimbusds.jwt.JWTClaimsSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;

/** Base of tests of users who sign in to the console at an issuer. */
abstract class WithSignIn extends WithApi {
  static final ApiKeyToken OPERATOR = ApiKeyToken.random();
  private static final String[] PAGE = {"Sec-Fetch-Site", "same-origin", "carillon-console", "1"};

  @AutoClose final IssuerServer issuer = new IssuerServer(ApiServer.START);

  @Override
  protected ApiServer server() {
    return new ApiServer(login());
  }

  LoginOptions login(String... settings) {
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

  /** Default claims of the issuer: a user with all permissions. */
  static void ada(JWTClaimsSet.Builder claims) {}

  /** Sign-in in progress: the address for the browser, and its cookie. */
  record Begun(String uri, String cookie) {
    String parameter(String name) {
      return IssuerServer.query(uri.split("\\?", 2)[1]).get(name);
    }

    String state() {
      return parameter("state");
    }
  }

  static ApiClient page(ApiServer server) {
    return server.with(PAGE);
  }

  Begun begin() {
    return begin(api, "{}");
  }

  static Begun begin(ApiServer server, String body) {
    Answer answer = page(server).post("/console/sign-in/request", body).assertStatus(200);
    return new Begun(
        answer.json().getString("authorizationUri"), answer.header("Set-Cookie").split(";", 2)[0]);
  }

  Answer finish(Begun begun, String code) {
    return finishWith(begun, "`code`:`" + code + "`,`state`:`" + begun.state() + "`");
  }

  static Answer finish(ApiServer server, String cookie, String fields) {
    return page(server).post("/console/sign-in/response", "{" + fields + "}", "Cookie", cookie);
  }

  /** Finishes the sign-in in the browser that has this cookie. */
  Answer finishWith(Begun begun, String fields) {
    return finish(api, begun.cookie(), fields);
  }

  Answer signIn(Consumer<JWTClaimsSet.Builder> claims) {
    Begun begun = begin();
    return finish(begun, issuer.authorize(begun.uri(), claims));
  }

  static String session(Answer signedIn) {
    return cookies(signedIn.assertStatus(201)).stream()
        .filter(cookie -> cookie.startsWith("carillon-session="))
        .findFirst()
        .orElseThrow()
        .split(";", 2)[0];
  }

  static List<String> cookies(Answer answer) {
    return answer.headers().allValues("Set-Cookie");
  }

  static Answer caller(ApiServer server, String session) {
    return page(server).get("/session", "Cookie", session);
  }

  static void assertRefused(Answer answer, int status) {
    answer.assertStatus(status);
    assertTrue(
        cookies(answer).stream().noneMatch(cookie -> cookie.startsWith("carillon-session")),
        () -> "a session in spite of " + answer.body());
  }
}
