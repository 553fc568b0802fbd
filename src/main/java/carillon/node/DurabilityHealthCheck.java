package carillon.node;

import carillon.api.admin.HealthChecks.Check;
import carillon.config.RedisSettings.Durability;
import carillon.store.Stores;
import carillon.store.operation.StoreFormat;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Whether Redis still gives the durability that is asked for. Connections check it when they are
 * made; this looks whether it was changed since, when somebody asks, at most every few seconds.
 * Thread-safe.
 */
final class DurabilityHealthCheck {
  private static final String NAME = "durability";
  private static final List<String> WEAKEST_FIRST = List.of("none", "everysec", "fsync");
  private static final long FRESH_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long PATIENCE_MILLIS = 1000;

  private final Durability asked;
  private final String promised;
  private final LongSupplier nanos;
  private final AtomicLong read;
  private volatile StoreFormat.Server now;

  /**
   * @param asked the setting
   * @param atStart what Redis said of itself when this node started
   * @param nanos {@code System::nanoTime} outside tests
   */
  DurabilityHealthCheck(Durability asked, StoreFormat.Server atStart, LongSupplier nanos) {
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
    if (begun - last < FRESH_NANOS || !read.compareAndSet(last, begun)) {
      return Future.succeededFuture(judge());
    }
    return stores
        .meta()
        .describe()
        .timeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
        .onSuccess(server -> now = server)
        .map(server -> judge())
        .otherwise(failure -> judge());
  }

  private Check judge() {
    StoreFormat.Server server = now;
    if (asked == Durability.REPLICA && server.replicas() == 0) {
      return Check.that(NAME, false, "A master of Redis has no replica that follows it.");
    }
    boolean holds = !isWeaker(server.durability());
    String reason =
        "Redis was set to %s since, less than %s; what is accepted may be lost."
            .formatted(server.durability(), promised);
    return asked == Durability.ANY
        ? Check.better(NAME, holds, reason)
        : Check.that(NAME, holds, reason);
  }

  /** What cannot be told is not held against Redis. */
  private boolean isWeaker(String found) {
    int level = WEAKEST_FIRST.indexOf(found);
    return level >= 0 && level < WEAKEST_FIRST.indexOf(promised);
  }
}
