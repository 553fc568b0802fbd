package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of sign-ins at an issuer that fails, or that is asked too often. */
class SignInFailureTest extends WithSignIn {
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

    assertRefused(signIn(WithSignIn::ada), 503);
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
    signIn(WithSignIn::ada).assertStatus(201);
  }

  @Test
  void forgedResponsesOfOneAddressSoonReachTheIssuerNoMore() {
    Begun own = begin();
    String code = issuer.authorize(own.uri(), WithSignIn::ada);
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

  /** Returns the answers to sign-ins for which there was no connection to the issuer. */
  private static List<Answer> refused(Queue<Answer> answers) {
    return answers.stream()
        .filter(answer -> answer.body().contains("too many sign in at this moment"))
        .toList();
  }

  /** Each sign-in uses a connection to the issuer; the check of tokens uses other connections. */
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
      Await.until("all", () -> issuer.timesAsked("/token") + refused(busy).size() == sent);
      List<Answer> refused = refused(busy);

      String token = "Bearer " + issuer.token("carillon");
      api.get("/jobcollections", "Authorization", token).assertStatus(200);

      assertTrue(refused.size() >= sent / 2, () -> "refused: " + refused.size());
      for (Answer answer : refused) {
        assertRefused(answer, 503);
        assertEquals(List.of(), cookies(answer), "they can try again");
      }
    } finally {
      issuer.close();
      browsers.shutdown();
    }
  }
}
