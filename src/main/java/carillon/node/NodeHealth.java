package carillon.node;

import carillon.api.admin.HealthChecks;
import carillon.config.RedisSettings.Durability;
import carillon.node.NodeLifecycle.NodePhase;
import carillon.observe.EventLoopLag;
import carillon.redis.SharedClock;
import carillon.redis.route.RedisErrors;
import carillon.store.Stores;
import carillon.store.attempt.FailingSteps.Step;
import carillon.store.attempt.Lease;
import carillon.store.node.StoreFormat;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The health checks of this node. Thread-safe. */
final class NodeHealth implements HealthChecks {
  /** Delay of a loop from which it counts as blocked. */
  private static final Duration MAX_STALL = Duration.ofSeconds(2);

  /** Maximum difference between the times of log lines and of Redis without a warning. */
  private static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofSeconds(2);

  private static final long CALENDARS_TIMEOUT_MILLIS = 1000;

  private final NodeLifecycle lifecycle;
  private final Lease lease;
  private final EventLoopLag loops;
  private final SharedClock redisClock;
  private final InstantSource wallClock;
  private final DurabilityCheck durability;
  private final boolean isWorker;
  private final boolean hasKeys;
  private final Supplier<Map<String, String>> facts;

  /**
   * @param wallClock clock of this machine, which only the log uses
   * @param isWorker whether this node runs jobs
   * @param hasKeys whether secrets can be sealed and unsealed
   * @param facts further facts for operators
   */
  NodeHealth(
      NodeLifecycle lifecycle,
      Lease lease,
      EventLoopLag loops,
      SharedClock redisClock,
      InstantSource wallClock,
      DurabilityCheck durability,
      boolean isWorker,
      boolean hasKeys,
      Supplier<Map<String, String>> facts) {
    this.lifecycle = lifecycle;
    this.lease = lease;
    this.loops = loops;
    this.redisClock = redisClock;
    this.wallClock = wallClock;
    this.durability = durability;
    this.isWorker = isWorker;
    this.hasKeys = hasKeys;
    this.facts = facts;
  }

  @Override
  public Future<List<Check>> checks(Stores stores) {
    Future<Check> calendars = calendars(stores);
    return durability
        .check(stores)
        .compose(
            lasting ->
                calendars.map(
                    readable ->
                        List.of(
                            heartbeat(),
                            claims(),
                            lasting,
                            eventLoops(),
                            clock(),
                            secrets(),
                            readable,
                            running())));
  }

  /**
   * Checks the calendars. Never fails. While Redis is unavailable the calendars count as readable,
   * because other checks report that.
   */
  private static Future<Check> calendars(Stores stores) {
    return stores
        .resource()
        .calendars()
        .current()
        .timeout(CALENDARS_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
        .map(
            known ->
                Check.warnUnless(
                    CALENDARS,
                    known.unreadable().isEmpty(),
                    "Calendars that cannot be read: "
                        + known.unreadable().size()
                        + ". The jobs that name them wait. GET /calendars names them; put them"
                        + " again."))
        .otherwise(
            failure ->
                Check.warnUnless(
                    CALENDARS,
                    failure instanceof TimeoutException || RedisErrors.isUnavailable(failure),
                    "No calendar can be read: "
                        + failure.getMessage()
                        + " All jobs that name one"
                        + " wait."));
  }

  private Check heartbeat() {
    String cause = lease.failingSteps().failure(Step.HEARTBEAT).map(text -> " " + text).orElse("");
    return Check.downUnless(
        "heartbeat", lease.isHeld(), "No heartbeat has reached Redis within the lease." + cause);
  }

  private Check claims() {
    Optional<String> cause =
        Stream.of(Step.CLAIM, Step.RECOVERY, Step.RECORD)
            .flatMap(step -> lease.failingSteps().cause(step).stream())
            .findFirst();
    return Check.downUnless("claims", cause.isEmpty(), cause.orElse(""));
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

  /** Returns nothing on a node without a timer: other nodes run the jobs that it accepts. */
  @Override
  public Optional<String> objectionToChanges() {
    return isWorker ? lease.failingSteps().reason() : Optional.empty();
  }

  @Override
  public Map<String, String> facts() {
    return facts.get();
  }

  /**
   * Check that Redis has the persistence that {@code redis.durability} requires. Connections check
   * it when they are made; this check detects later changes. It asks Redis on a request for health,
   * at most every few seconds. Thread-safe.
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
     * @param atStart facts from Redis at the start of this node
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

    /**
     * Checks the durability. Never fails. While Redis is unavailable the last answer counts,
     * because other checks report that.
     */
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

    /**
     * Whether the found durability is weaker than the promised one. Unknown durability does not
     * fail the check.
     */
    private boolean isWeaker(String found) {
      int level = WEAKEST_FIRST.indexOf(found);
      return level >= 0 && level < WEAKEST_FIRST.indexOf(promised);
    }
  }
}
