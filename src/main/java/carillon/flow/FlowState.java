package carillon.flow;

import carillon.flow.FlowGrant.BreakerState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;

/**
 * State of a flow at an instant, over all nodes.
 *
 * @param breaker whether calls are let through
 * @param openUntil when an open breaker lets probes through
 * @param retryAt until when the destination asks for rest
 * @param inFlight calls in flight, by node
 * @param waiting attempts that wait for it
 * @param oldest instant at which the first in line of those was due
 * @param begunLastMinute calls that began in the last minute, about
 * @param begunMillis in how long they began: a minute, or since calls began after a rest
 */
public record FlowState(
    BreakerState breaker,
    Optional<Instant> openUntil,
    Optional<Instant> retryAt,
    SortedMap<String, Integer> inFlight,
    long waiting,
    Optional<Instant> oldest,
    long begunLastMinute,
    long begunMillis) {

  private static final long MINUTE_MILLIS = 60_000;

  /**
   * How long it takes, about, until all that waits has begun: as long as the rate allows, and no
   * faster than in the last minute where calls in flight are limited, or than calls have ended
   * since the first began after a rest. Empty while the flow is stopped, and where nothing tells.
   */
  public Optional<Duration> estimate(Flow flow) {
    boolean isStopped =
        breaker != BreakerState.CLOSED || retryAt.isPresent() || flow.pause().isPresent();
    boolean isParallel = flow.definition().parallelism().isPresent();
    long madeRoom = madeRoom();
    if (waiting == 0 || isStopped || (isParallel && madeRoom <= 0)) {
      return Optional.empty();
    }
    long byPlaces = isParallel ? waiting * begunMillis / madeRoom : 0;
    long byRate =
        flow.definition()
            .rate()
            .map(rate -> waiting * rate.per().toMillis() / rate.limit())
            .orElse(0L);
    return isParallel || flow.definition().rate().isPresent()
        ? Optional.of(Duration.ofMillis(Math.max(byPlaces, byRate)))
        : Optional.empty();
  }

  /**
   * The first after a rest found their places free: they tell nothing of how fast others get one.
   */
  private long madeRoom() {
    return begunMillis < MINUTE_MILLIS
        ? begunLastMinute - inFlight.values().stream().mapToLong(Integer::longValue).sum()
        : begunLastMinute;
  }
}
