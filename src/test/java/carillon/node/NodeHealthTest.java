package carillon.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.admin.HealthChecks.Check;
import carillon.api.admin.HealthChecks.Status;
import carillon.config.RedisSettings.Durability;
import carillon.config.Settings;
import carillon.config.Settings.AuditSettings;
import carillon.config.Settings.ExecutionsSettings;
import carillon.node.NodeLifecycle.NodePhase;
import carillon.observe.EventLoopLag;
import carillon.redis.Keys;
import carillon.store.StoreFactory;
import carillon.store.Stores;
import carillon.store.attempt.FailingSteps.Step;
import carillon.store.attempt.Lease;
import carillon.store.node.StoreFormat;
import carillon.support.Await;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of each check of a node's health, on a real Redis. */
@Tag("redis")
class NodeHealthTest {
  private static final Instant START = Instant.parse("2026-11-20T18:00:00Z");

  private final Vertx vertx = Vertx.vertx();
  private final TestClock clock = new TestClock(START);
  private final TestClock wall = new TestClock(START);
  private final NodeLifecycle lifecycle = new NodeLifecycle();
  private boolean isWorker = true;
  private final AtomicLong nanos = new AtomicLong(1);
  private final Lease lease = new Lease(nanos::get, Duration.ofSeconds(10), Duration.ofSeconds(1));
  private final RedisServer redis = RedisServer.start();
  private final EventLoopLag loops = new EventLoopLag(nanos::get, lag -> {});
  private final Stores stores = Await.result(onLoop(() -> storage().open(vertx)));

  private StoreFactory storage() {
    return new StoreFactory(
        redis.setup(),
        new Keys("carillon", 4),
        "n1",
        clock,
        Settings.defaults().history(),
        Settings.defaults().jobs(),
        AuditSettings.NONE,
        ExecutionsSettings.DEFAULTS,
        Settings.defaults().groups());
  }

  private <T> Future<T> onLoop(Supplier<Future<T>> step) {
    return vertx.executeBlocking(() -> null).compose(go -> step.get());
  }

  @AfterEach
  void stop() {
    Await.result(vertx.close());
    redis.close();
  }

  private NodeHealth health(Durability asked, String atStart, boolean hasKeys) {
    lifecycle.enter(NodePhase.RUNNING);
    return health(lifecycle, asked, atStart, hasKeys);
  }

  private NodeHealth health(
      NodeLifecycle lifecycle, Durability asked, String atStart, boolean hasKeys) {
    return new NodeHealth(
        lifecycle,
        lease,
        loops,
        clock,
        wall,
        new NodeHealth.DurabilityCheck(
            asked, new StoreFormat.ServerFacts("7.0", atStart, 1, 0), nanos::get),
        isWorker,
        hasKeys,
        Map::of);
  }

  private Map<String, Check> checks(NodeHealth health) {
    return Await.result(onLoop(() -> health.checks(stores))).stream()
        .collect(Collectors.toMap(Check::name, check -> check));
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void aHealthyNodeIsUp() {
    lease.renew(lease.nanoTime());

    checks(health(Durability.ANY, "none", true))
        .values()
        .forEach(check -> assertEquals(Check.up(check.name()), check));
  }

  @Test
  void aCalendarThatCannotBeReadIsAWarning() {
    redis.ask("HSET carillon:calendars s/g/holidays nonsense revision 5");

    Check calendars = checks(health(Durability.ANY, "none", true)).get("calendars");

    assertEquals(
        "Calendars that cannot be read: 1. The jobs that name them wait. GET /calendars names them;"
            + " put them again.",
        calendars.reason());
    assertEquals(Status.WARNING, calendars.status());
  }

  @Test
  void aKeyOfCalendarsThatHoldsAnotherTypeIsAWarning() {
    redis.ask("SET carillon:calendars x");

    Check calendars = checks(health(Durability.ANY, "none", true)).get("calendars");

    assertEquals(Status.WARNING, calendars.status());
    assertTrue(calendars.reason().startsWith("No calendar can be read: "), calendars::reason);
  }

  @Test
  void anExpiredLeaseIsDown() {
    lease.renew(lease.nanoTime());
    pass(Duration.ofSeconds(10));

    Check check = checks(health(Durability.ANY, "none", true)).get("heartbeat");

    assertEquals(Status.DOWN, check.status());
  }

  @Test
  void theLastFailureOfTheHeartbeatIsNamed() {
    lease
        .failingSteps()
        .failed(Step.HEARTBEAT, new IllegalStateException("Redis has no memory left."));

    Check check = checks(health(Durability.ANY, "none", true)).get("heartbeat");

    assertEquals(
        "No heartbeat has reached Redis within the lease. Redis has no memory left.",
        check.reason());
  }

  @Test
  void aNodeThatCannotClaimForALeaseIsDownAndRefusesChanges() {
    NodeHealth health = health(Durability.ANY, "none", true);
    pass(Duration.ofSeconds(10));
    assertEquals(Optional.empty(), health.objectionToChanges());

    lease.failingSteps().failed(Step.CLAIM, new IllegalStateException("A script failed."));

    Check check = checks(health).get("claims");
    assertEquals(Status.DOWN, check.status());
    assertEquals(
        "This node could not claim jobs for longer than its lease of 10 s (node.lease)."
            + " A script failed.",
        check.reason());
    assertEquals(
        Optional.of(
            "This node could not claim jobs for longer than its lease of 10 s (node.lease)."),
        health.objectionToChanges());
  }

  @Test
  void aNodeWithoutATimerRefusesNoChanges() {
    isWorker = false;
    NodeHealth health = health(Durability.ANY, "none", true);
    pass(Duration.ofSeconds(10));

    lease.failingSteps().failed(Step.HEARTBEAT, new IllegalStateException("away"));

    assertEquals(Optional.empty(), health.objectionToChanges());
  }

  @Test
  void aNodeThatStartsIsDown() {
    NodeLifecycle starting = new NodeLifecycle();
    starting.enter(NodePhase.DEPLOYING);

    Check check = checks(health(starting, Durability.ANY, "none", true)).get("running");

    assertEquals(Status.DOWN, check.status());
    assertEquals("This node is starting.", check.reason());
  }

  @Test
  void aNodeThatStopsIsDown() {
    NodeHealth health = health(Durability.ANY, "none", true);
    lifecycle.enter(NodePhase.STOPPING);

    Check check = checks(health).get("running");

    assertEquals(Status.DOWN, check.status());
    assertEquals("This node is stopping.", check.reason());
  }

  @Test
  void aWallClockThatDiffersFromRedisIsAWarning() {
    wall.set(START.plusSeconds(90));

    Check check = checks(health(Durability.ANY, "none", true)).get("clock");

    assertEquals(Status.WARNING, check.status());
    assertTrue(check.reason().contains("90000 ms"), check.reason());
  }

  @Test
  void aNodeWithoutSealingKeysIsAWarning() {
    Check check = checks(health(Durability.ANY, "none", false)).get("secrets");

    assertEquals(Status.WARNING, check.status());
  }

  @Test
  void durabilityThatIsLostIsFoundWithinSeconds() { // this Redis writes nothing to the disk
    NodeHealth asked = health(Durability.FSYNC, "fsync", true);
    NodeHealth found = health(Durability.ANY, "everysec", true);
    NodeHealth copied = health(Durability.REPLICA, "fsync", true);
    assertEquals(Status.UP, checks(asked).get("durability").status());

    pass(Duration.ofSeconds(6));

    assertEquals(Status.DOWN, checks(asked).get("durability").status());
    assertEquals(Status.WARNING, checks(found).get("durability").status());
    assertEquals(Status.DOWN, checks(copied).get("durability").status());
  }

  private static void hold(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aBlockedEventLoopIsDown() {
    NodeHealth health = health(Durability.ANY, "none", true);
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Vertx other = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    try {
      Await.result(loops.over(other, 1));
      other.runOnContext(
          go -> {
            held.countDown();
            hold(release);
          });
      hold(held);
      assertEquals(Status.UP, checks(health).get("eventLoops").status());
      pass(Duration.ofSeconds(3));

      Check check = checks(health).get("eventLoops");

      assertEquals(Status.DOWN, check.status(), check.reason());
    } finally {
      release.countDown();
      Await.result(other.close());
    }
  }
}
