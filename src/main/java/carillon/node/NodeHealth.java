package carillon.node;

import carillon.api.admin.HealthChecks;
import carillon.config.RedisSettings.Durability;
import carillon.node.NodeLifecycle.NodePhase;
import carillon.observe.EventLoopLag;
import carillon.redis.SharedClock;
import carillon.store.Stores;
import carillon.store.attempt.Lease;
import carillon.store.node.StoreFormat;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The health checks of this node. Thread-safe. */
final class NodeHealth implements HealthChecks {
  /** A loop that has been late for so long is held by something. */
  private static final Duration MAX_STALL = Duration.ofSeconds(2);

  /** Log lines and Redis tell times that far apart before it is worth a word. */
  private static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofSeconds(2);

  private final NodeLifecycle lifecycle;
  private final Lease lease;
  private final EventLoopLag loops;
  private final SharedClock redisClock;
  private final InstantSource wallClock;
  private final DurabilityCheck durability;
  private final boolean hasKeys;
  private final Supplier<Map<String, String>> facts;

  /**
   * @param wallClock of this machine, which nothing but the log goes by
   * @param hasKeys whether secrets can be sealed and unsealed
   * @param facts that an operator wants to know besides
   */
  NodeHealth(
      NodeLifecycle lifecycle,
      Lease lease,
      EventLoopLag loops,
      SharedClock redisClock,
      InstantSource wallClock,
      DurabilityCheck durability,
      boolean hasKeys,
      Supplier<Map<String, String>> facts) {
    this.lifecycle = lifecycle;
    this.lease = lease;
    this.loops = loops;
    this.redisClock = redisClock;
    this.wallClock = wallClock;
    this.durability = durability;
    this.hasKeys = hasKeys;
    this.facts = facts;
  }

  @Override
  public Future<List<Check>> checks(Stores stores) {
    return durability
        .check(stores)
        .map(lasting -> List.of(heartbeat(), lasting, eventLoops(), clock(), secrets(), running()));
  }

  private Check heartbeat() {
    return Check.downUnless(
        "heartbeat", lease.isHeld(), "No heartbeat has reached Redis within the lease.");
  }

  private Check eventLoops() {
    Duration stall = loops.longestStall();
    return Check.downUnless(
        "eventLoops",
        stall.compareTo(MAX_STALL) < 0,
        "An event loop has been blocked for " + stall.toMillis() + " ms.");
  }

  private Check clock() {
    Duration apart = Duration.between(redisClock.instant(), wallClock.instant()).abs();
    return Check.warnUnless(
        "clock",
        apart.compareTo(MAX_CLOCK_DIFFERENCE) < 0,
        "The clocks of this machine and of Redis differ by "
            + apart.toMillis()
            + " ms; jobs follow that of Redis, log lines that of this machine.");
  }

  private Check secrets() {
    return Check.warnUnless(
        "secrets", hasKeys, "There is no key (secrets.keys): jobs with secrets are refused.");
  }

  private Check running() {
    return Check.downUnless(
        "running",
        lifecycle.phase() == NodePhase.RUNNING,
        lifecycle.isStopping() ? "This node is stopping." : "This node is starting.");
  }

  @Override
  public Map<String, String> facts() {
    return facts.get();
  }

  /**
   * Check that Redis has the persistence that {@code redis.durability} requires. Connections check
   * it when they are made; this one finds that it was changed since. It asks Redis when somebody
   * asks for health, at most every few seconds. Thread-safe.
   */
  static final class DurabilityCheck {
    private static final String NAME = "durability";
    private static final List<String> WEAKEST_FIRST = List.of("none", "everysec", "fsync");
    private static final long ANSWER_TTL_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long TIMEOUT_MILLIS = 1000;

    private final Durability asked;
    private final String promised;
    private final LongSupplier nanos;
    private final AtomicLong read;
    private volatile StoreFormat.ServerFacts now;

    /**
     * @param asked the setting
     * @param atStart what Redis said of itself when this node started
     * @param nanos {@code System::nanoTime} outside tests
     */
    DurabilityCheck(Durability asked, StoreFormat.ServerFacts atStart, LongSupplier nanos) {
      this.asked = asked;
      this.promised =
          switch (asked) {
            case ANY -> atStart.durability();
            case EVERYSEC -> "everysec";
            case FSYNC, REPLICA -> "fsync";
          };
      this.now = atStart;
      this.nanos = nanos;
      this.read = new AtomicLong(nanos.getAsLong());
    }

    /** Never fails. While Redis is away the last answer counts; that it is away others say. */
    Future<Check> check(Stores stores) {
      long last = read.get();
      long begun = nanos.getAsLong();
      if (begun - last < ANSWER_TTL_NANOS || !read.compareAndSet(last, begun)) {
        return Future.succeededFuture(judge());
      }
      return stores
          .node()
          .storeFormat()
          .describe()
          .timeout(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
          .onSuccess(server -> now = server)
          .map(server -> judge())
          .otherwise(failure -> judge());
    }

    private Check judge() {
      StoreFormat.ServerFacts server = now;
      if (asked == Durability.REPLICA && server.replicas() == 0) {
        return Check.downUnless(NAME, false, "A master of Redis has no replica that follows it.");
      }
      boolean holds = !isWeaker(server.durability());
      String reason =
          "The persistence of Redis is now %s, weaker than %s; accepted changes may be lost."
              .formatted(server.durability(), promised);
      return asked == Durability.ANY
          ? Check.warnUnless(NAME, holds, reason)
          : Check.downUnless(NAME, holds, reason);
    }

    /** What cannot be told is not held against Redis. */
    private boolean isWeaker(String found) {
      int level = WEAKEST_FIRST.indexOf(found);
      return level >= 0 && level < WEAKEST_FIRST.indexOf(promised);
    }
  }
}
