package carillon.observe.metrics;

import carillon.store.StoreFactory;
import carillon.store.Stores;
import carillon.store.operation.ActivityCounts;
import carillon.store.operation.DestinationCounts;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verticle that records this node's activity in Redis every few seconds, minute by minute. So every
 * node can show the activity of all. It reads existing counters: attempts cost nothing more. One
 * per node. State is confined to its event loop.
 */
public final class ActivityRecorder extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(ActivityRecorder.class);
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final StoreFactory storeFactory;
  private final InstantSource clock;
  private final Supplier<ActivityCounts> total;
  private final DestinationSource destinations;
  private Stores stores; // set once started
  private Instant minute;
  private ActivityCounts before;

  /** Counter of what this node does at each destination. */
  public interface DestinationSource {
    /**
     * Returns the counts by host and port since the last minute was over.
     *
     * @param isMinuteOver whether they start again at zero
     */
    Map<String, DestinationCounts> counts(boolean isMinuteOver);
  }

  /**
   * Creates a recorder without records.
   *
   * @param total activity of this node since its start
   */
  public ActivityRecorder(
      StoreFactory storeFactory,
      InstantSource clock,
      Supplier<ActivityCounts> total,
      DestinationSource destinations) {
    this.storeFactory = storeFactory;
    this.clock = clock;
    this.total = total;
    this.destinations = destinations;
  }

  @Override
  public Future<?> start() {
    return storeFactory
        .open(vertx)
        .onSuccess(
            opened -> {
              stores = opened;
              minute = thisMinute();
              before = total.get();
              vertx.setPeriodic(EVERY.toMillis(), id -> note());
            });
  }

  private Instant thisMinute() {
    return clock.instant().truncatedTo(ChronoUnit.MINUTES);
  }

  /**
   * Records the activity since the last time. If a minute has ended since then, the activity counts
   * to the older minute.
   */
  Future<Void> note() {
    ActivityCounts now = total.get();
    ActivityCounts done = now.minus(before);
    Instant noted = minute;
    boolean isMinuteOver = thisMinute().isAfter(minute);
    Map<String, DestinationCounts> called = destinations.counts(isMinuteOver);
    if (isMinuteOver) {
      minute = thisMinute();
      before = now;
    }
    return Future.join(
            done.equals(ActivityCounts.NONE)
                ? Future.succeededFuture()
                : stores.operation().activity().note(noted, done),
            called.isEmpty()
                ? Future.succeededFuture()
                : stores.operation().activity().noteDestinations(noted, called))
        .onFailure(
            e -> LOG.atDebug().addKeyValue("error", e.getMessage()).log("activity not noted"))
        .mapEmpty();
  }

  @Override
  public Future<?> stop() {
    return note().transform(noted -> stores.close());
  }
}
