package carillon.node;

import carillon.api.admin.HealthChecks;
import carillon.observe.EventLoopLag;
import carillon.redis.SharedClock;
import carillon.store.Stores;
import carillon.store.attempt.Lease;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What this node knows of its own health. Thread-safe. */
final class NodeHealth implements HealthChecks {
  /** A loop that has been late for so long is held by something. */
  private static final Duration STALLED = Duration.ofSeconds(2);

  /** Log lines and Redis tell times that far apart before it is worth a word. */
  private static final Duration APART = Duration.ofSeconds(2);

  private final Lease lease;
  private final EventLoopLag loops;
  private final SharedClock redisClock;
  private final InstantSource wallClock;
  private final DurabilityHealthCheck durability;
  private final boolean hasKeys;
  private final Supplier<Map<String, String>> facts;
  private volatile boolean stopping;

  /**
   * @param wallClock of this machine, which nothing but the log goes by
   * @param hasKeys whether secrets can be sealed and opened
   * @param facts that an operator wants to know besides
   */
  NodeHealth(
      Lease lease,
      EventLoopLag loops,
      SharedClock redisClock,
      InstantSource wallClock,
      DurabilityHealthCheck durability,
      boolean hasKeys,
      Supplier<Map<String, String>> facts) {
    this.lease = lease;
    this.loops = loops;
    this.redisClock = redisClock;
    this.wallClock = wallClock;
    this.durability = durability;
    this.hasKeys = hasKeys;
    this.facts = facts;
  }

  /** From now on this node is to get no work. */
  void stopping() {
    stopping = true;
  }

  @Override
  public Future<List<Check>> checks(Stores stores) {
    return durability
        .check(stores)
        .map(lasting -> List.of(heartbeat(), lasting, eventLoops(), clock(), secrets(), running()));
  }

  private Check heartbeat() {
    return Check.that(
        "heartbeat", lease.isHeld(), "No heartbeat has reached Redis within the lease.");
  }

  private Check eventLoops() {
    Duration stall = loops.longestStall();
    return Check.that(
        "eventLoops",
        stall.compareTo(STALLED) < 0,
        "An event loop has stood still for " + stall.toMillis() + " ms.");
  }

  private Check clock() {
    Duration apart = Duration.between(redisClock.instant(), wallClock.instant()).abs();
    return Check.better(
        "clock",
        apart.compareTo(APART) < 0,
        "The clock of this machine and that of Redis are "
            + apart.toMillis()
            + " ms apart; jobs go by that of Redis, log lines by this one.");
  }

  private Check secrets() {
    return Check.better(
        "secrets", hasKeys, "There is no key (secrets.keys): jobs with secrets are refused.");
  }

  private Check running() {
    return Check.that("running", !stopping, "This node is stopping.");
  }

  @Override
  public Map<String, String> facts() {
    return facts.get();
  }
}
