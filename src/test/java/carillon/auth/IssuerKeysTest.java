package carillon.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.Caller;
import carillon.support.Await;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Test of the keys of an issuer: requested, cached, changed, and unreachable. */
class IssuerKeysTest extends TokensFixture {
  @Test
  void asksForAKeyThatIsNotKnownAndNotTooOften() throws JOSEException {
    identify(rs256(claims()));
    RSAKey fresh = new RSAKeyGenerator(2048).keyID("three").generate();
    String token = signed(header("three"), claims(), signer(fresh));
    assertEquals("the issuer has no such key", reason(token));
    assertEquals(1, asked.get(), "asked a moment ago");

    published.set(List.of(rsa, fresh));
    nanos.addAndGet(Duration.ofSeconds(31).toNanos());
    assertEquals("ada", identify(token).name());
    assertEquals(2, asked.get());

    published.set(List.of(fresh));
    nanos.addAndGet(Duration.ofMinutes(11).toNanos());
    assertEquals("the issuer has no such key", reason(rs256(claims())), "withdrawn");
  }

  @Test
  void anIssuerThatIsAwayIsNoReasonToForgetItsKeys() {
    identify(rs256(claims()));
    status.set(503);
    nanos.addAndGet(Duration.ofMinutes(11).toNanos());
    assertEquals("ada", identify(rs256(claims())).name());
  }

  @Test
  void withoutKeysNobodyIsLetIn() {
    status.set(503);
    assertTrue(reason(rs256(claims())).contains("not known"));
    status.set(200);
    issuer = "http://127.0.0.1:1";
    nanos.addAndGet(Duration.ofSeconds(31).toNanos());
    assertTrue(reason(rs256(claims())).matches(".*(not known|another issuer).*"));
  }

  @Test
  void keysMayBeAtAPlaceThatIsSet() {
    tokens = tokens(issuer + "/keys");
    assertEquals("ada", identify(rs256(claims())).name());
  }

  @Test
  void aKnownKeyHoldsWhileTheIssuerHangs() {
    identify(rs256(claims()));
    hangs.set(true);
    nanos.addAndGet(Duration.ofMinutes(11).toNanos());
    Future<Caller> first = onLoop(rs256(claims().subject("bob")));
    Await.until("a request to the issuer", () -> !hung.isEmpty());

    assertEquals("eve", identify(rs256(claims().subject("eve"))).name());

    assertFalse(first.isComplete());
    hung.forEach(request -> request.connection().close());
    assertEquals("bob", await(first).name());
  }

  @Test
  void whoeverMustWaitForAnIssuerThatHangsIsToldToComeBack() {
    hangs.set(true);
    List<Future<Caller>> all =
        Stream.of("ada", "bob", "eve").map(name -> onLoop(rs256(claims().subject(name)))).toList();
    Await.until("a request to the issuer", () -> !hung.isEmpty());
    hung.forEach(request -> request.connection().close());

    for (Future<Caller> one : all) {
      CompletionException e = assertThrows(CompletionException.class, () -> await(one));
      LoginException failure = assertInstanceOf(LoginException.class, e.getCause());
      assertEquals(LoginException.Kind.UNAVAILABLE, failure.kind());
      assertEquals(Duration.ofSeconds(30), failure.retryAfter());
    }
    assertEquals(1, hung.size());
  }
}
