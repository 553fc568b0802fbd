package carillon.node;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.TestSettings;
import carillon.dispatch.egress.EgressPolicy;
import carillon.dispatch.egress.OwnEndpoints;
import carillon.redis.route.RedisLinkOptions;
import carillon.support.Await;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that jobs cannot reach Redis servers, even without a name from the operator. */
class EgressSetupTest {
  private final Vertx vertx = Vertx.vertx();
  private final OwnEndpoints own = new OwnEndpoints();
  private final EgressPolicy policy = new EgressPolicy(List.of(), true, own);
  private final RedisLinkOptions.Discovery discovery = EgressSetup.closeDiscovered(vertx, own);

  @AfterEach
  void close() {
    Await.result(vertx.close());
  }

  private boolean isOpen(String host, int port) {
    return policy.objection(host, port).isEmpty();
  }

  private static boolean isLoopbackOpen(String... settings) {
    return EgressSetup.resolve(TestSettings.with(settings), new OwnEndpoints()).loopback();
  }

  @Test
  void loopbackIsOpenByDefaultOnlyWhereNobodyElseIsServed() {
    assertTrue(isLoopbackOpen());
    assertFalse(isLoopbackOpen("access.accept=keys"));
    assertFalse(isLoopbackOpen("http.names=jobs.example"));
    assertTrue(isLoopbackOpen("access.accept=keys", "egress.loopback=allow"));
  }

  @Test
  void aServerThatIsFoundIsClosedUnderEveryNameOfItsAddress() {
    assertTrue(isOpen("127.0.0.1", 7001));

    discovery.found("localhost", 7001);

    Await.until("the look-up", () -> !isOpen("127.0.0.1", 7001));
    assertFalse(isOpen("127.8.8.8", 7001));
    assertFalse(isOpen("::1", 7001));
    assertTrue(isOpen("127.0.0.1", 7002));
  }

  @Test
  void aServerWhoseNameIsNoHostIsIgnored() {
    discovery.found("?", 7001);

    assertTrue(isOpen("127.0.0.1", 7001));
  }
}
