package carillon.dispatch.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import carillon.support.Await;
import carillon.support.DnsServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Test of lookups by the real resolver at a DNS server with answers of the test. */
class EgressResolverTest {
  private static final String PUBLIC = "93.184.215.14";
  private final DnsServer dns = new DnsServer();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  private Vertx vertx = Vertx.vertx(dns.vertxOptions());
  private Egress egress = egress("10.0.0.0/8");

  private Egress egress(String... allow) {
    EgressPolicy policy = new EgressPolicy(List.of(allow), false, new OwnEndpoints());
    return new EgressResolver(policy, EgressResolver.namesOf(vertx), nanos::get);
  }

  @AfterEach
  void close() {
    Await.result(vertx.close());
    dns.close();
  }

  private String check(String host) {
    SocketAddress address =
        Await.result(vertx.executeBlocking(() -> null).compose(go -> egress.check(host, 80)));
    return address.hostAddress() + ":" + address.port();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void aNameIsAnsweredWithItsAddress() {
    dns.answer("a.example", PUBLIC);

    assertEquals(PUBLIC + ":80", check("a.example"));
    assertEquals(PUBLIC + ":80", check("A.EXAMPLE."));
  }

  @Test
  void theAddressesThatAreAllowedTakeTurns() {
    dns.answer("a.example", "127.0.0.1", "10.0.0.1", "169.254.169.254", "10.0.0.2");

    assertEquals(
        List.of("10.0.0.1:80", "10.0.0.2:80", "10.0.0.1:80"),
        List.of(check("a.example"), check("a.example"), check("a.example")));
  }

  @Test
  void theOthersFollowTheOneWhoseTurnItIs() {
    dns.answer("a.example", "10.0.0.1", "127.0.0.1", "10.0.0.2", "10.0.0.3");

    check("a.example");
    List<SocketAddress> all =
        Await.result(
            vertx.executeBlocking(() -> null).compose(go -> egress.checkAll("a.example", 80)));

    assertEquals(
        List.of("10.0.0.2", "10.0.0.3", "10.0.0.1"),
        all.stream().map(SocketAddress::hostAddress).toList());
  }

  @Test
  void aNameWithNoAllowedAddressIsRefused() {
    dns.answer("a.example", "127.0.0.1", "169.254.169.254");

    EgressException refusal = assertThrows(EgressException.class, () -> check("a.example"));

    assertEquals(EgressException.MESSAGE_OF_NAME, refusal.getMessage());
    assertEquals(
        "a.example:80 is 127.0.0.1 and needs the entry 'a.example:80' in egress.allow",
        refusal.advice());
  }

  @Test
  void anIpv6AddressServesWhereThereIsNoOther() {
    dns.answer("six.example", "2606:4700::1");

    assertEquals("2606:4700:0:0:0:0:0:1:80", check("six.example"));
  }

  @Test
  void theHostsFileIsHonoured() {
    assertEquals("10.0.0.9:80", check("hosted"));
    assertThrows(EgressException.class, () -> check("localhost"));
    assertEquals(List.of(), dns.questions());
  }

  @Test
  void whatCannotBeLookedUpIsNotConnectedTo() {
    assertUnknown("no.example");
    dns.close();
    Await.result(vertx.close());
    vertx = Vertx.vertx(dns.vertxOptions(Duration.ofMillis(500)));
    egress = egress();
    assertUnknown("silent.example");
  }

  private void assertUnknown(String host) {
    Throwable failure = assertThrows(AssertionError.class, () -> check(host)).getCause();
    assertEquals(java.net.UnknownHostException.class, failure.getClass());
  }

  @Test
  void aLiteralAddressAsksNobody() {
    assertEquals("10.0.0.1:80", check("10.0.0.1"));
    assertThrows(EgressException.class, () -> check("169.254.169.254"));
    assertThrows(EgressException.class, () -> check("2130706433"));
    assertEquals(List.of(), dns.questions());
  }

  @Test
  void anAnswerServesForASecondAndThenTheNameIsLookedUpAgain() {
    dns.answer("a.example", "10.0.0.1").answer("a.example", "10.0.0.2");

    String first = check("a.example");
    pass(Duration.ofMillis(999));
    String second = check("a.example");
    pass(Duration.ofMillis(1));
    String third = check("a.example");

    assertEquals(
        List.of("10.0.0.1:80", "10.0.0.1:80", "10.0.0.2:80"), List.of(first, second, third));
    assertEquals(List.of("a.example", "a.example"), dns.questions());
  }

  @Test
  void whatIsRememberedIsBounded() {
    EgressResolver bounded =
        new EgressResolver(
            new EgressPolicy(List.of(), false, new OwnEndpoints()),
            name -> Future.failedFuture("none"),
            nanos::get);

    for (int i = 0; i < 10_000; i++) {
      bounded.check("h" + i + ".example", 80);
    }

    assertEquals(4096, bounded.remembered());
  }
}
