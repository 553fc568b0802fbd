package carillon.observe.metrics;

import carillon.store.Stores;
import carillon.store.attempt.ClaimStore.Backlog;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Meters of the waiting entries in Redis. They are read on request, at most once per period for all
 * requests: one packet of three small commands for each partition, and one command for the pauses.
 * Thread-safe.
 */
final class BacklogMeters {
  private static final long ANSWER_TTL_NANOS = Duration.ofSeconds(2).toNanos();

  /** Maximum age of a reading; older ones are not shown. */
  private static final long MAX_AGE_NANOS = Duration.ofSeconds(30).toNanos();

  private static final long TIMEOUT_MILLIS = 1000;

  private final InstantSource clock;
  private final LongSupplier nanos;
  private final AtomicReference<Reading> last = new AtomicReference<>();
  private volatile KnownBacklog known;

  /** Instant of the latest begin of a reading. */
  private record Reading(long nanos) {}

  private record KnownBacklog(Backlog backlog, long paused, Instant at, long nanos) {}

  BacklogMeters(MeterFactory meters, InstantSource clock, LongSupplier nanos) {
    this.clock = clock;
    this.nanos = nanos;
    meters.gauge(
        "due_backlog",
        "Overdue entries in Redis, not claimed by any node. The same on every node.",
        () -> value(found -> found.backlog.overdue()));
    meters.gauge(
        "due_waiting",
        "Entries in Redis that wait for an instant. Includes overdue entries. The same on every"
            + " node.",
        () -> value(found -> found.backlog.waiting()));
    meters.gauge(
        "due_oldest_seconds",
        "Time since the oldest overdue entry was due. The same on every node.",
        () -> value(BacklogMeters::oldest));
    meters.gauge(
        "paused_scopes",
        "Active pauses of groups and of everything. The same on every node.",
        () -> value(found -> found.paused));
  }

  private interface Measure {
    double of(KnownBacklog known);
  }

  private double value(Measure measure) {
    KnownBacklog found = known;
    return found == null || nanos.getAsLong() - found.nanos > MAX_AGE_NANOS
        ? Double.NaN
        : measure.of(found);
  }

  private static double oldest(KnownBacklog found) {
    long earliest = found.backlog.earliest().orElse(Long.MAX_VALUE);
    return Math.max(0, found.at.toEpochMilli() - earliest) / 1000.0;
  }

  /**
   * Reads the backlog, and never fails. During another reading, the caller gets the previous
   * result.
   */
  Future<Void> refresh(Stores stores) {
    Reading before = last.get();
    long now = nanos.getAsLong();
    if ((before != null && now - before.nanos < ANSWER_TTL_NANOS)
        || !last.compareAndSet(before, new Reading(now))) {
      return Future.succeededFuture();
    }
    Instant at = clock.instant();
    Future<Backlog> backlog = stores.attempt().claims().backlog(at);
    return stores
        .collection()
        .scopePauses()
        .all()
        .map(pauses -> pauses.values().stream().filter(pause -> pause.goesOn(at)).count())
        .compose(paused -> backlog.map(found -> new KnownBacklog(found, paused, at, now)))
        .timeout(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
        .onSuccess(found -> known = found)
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }
}
