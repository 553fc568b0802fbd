package carillon.flow;

import carillon.flow.FlowGrant.BreakerState;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * State of a flow at an instant, over all nodes.
 *
 * @param destinations recently called destinations, by authority
 * @param inFlight calls in flight, by node
 * @param waiting number of attempts that wait for it
 * @param oldest due instant of the first waiting attempt
 * @param begunLastMinute approximate number of calls that began in the last minute
 * @param begunMillis period of these calls: a minute, or the time since calls began after a rest
 */
public record FlowState(
    SortedMap<String, LaneState> destinations,
    SortedMap<String, Integer> inFlight,
    long waiting,
    Optional<Instant> oldest,
    long begunLastMinute,
    long begunMillis) {

  private static final long MINUTE_MILLIS = 60_000;

  /**
   * State of the calls to one destination.
   *
   * @param breaker whether calls are let through
   * @param openUntil when an open breaker lets probes through
   * @param retryAt until when the destination asks for rest
   */
  public record LaneState(
      BreakerState breaker, Optional<Instant> openUntil, Optional<Instant> retryAt) {
    /** Whether something stops its calls. */
    public boolean isStopped() {
      return breaker != BreakerState.CLOSED || retryAt.isPresent();
    }
  }

  /** The same without the names of destinations. */
  public FlowState withoutDestinations() {
    SortedMap<String, LaneState> all = new TreeMap<>();
    if (destinations.values().stream().anyMatch(LaneState::isStopped)) {
      all.put("", new LaneState(breaker(), openUntil(), retryAt()));
    }
    return new FlowState(all, inFlight, waiting, oldest, begunLastMinute, begunMillis);
  }

  /** The state of the breaker of the destination that is worst off: open before half open. */
  public BreakerState breaker() {
    Set<BreakerState> states =
        destinations.values().stream().map(LaneState::breaker).collect(Collectors.toSet());
    return states.contains(BreakerState.OPEN)
        ? BreakerState.OPEN
        : states.contains(BreakerState.HALF_OPEN) ? BreakerState.HALF_OPEN : BreakerState.CLOSED;
  }

  /** Returns when the first open breaker lets probes through. */
  public Optional<Instant> openUntil() {
    return destinations.values().stream()
        .flatMap(lane -> lane.openUntil.stream())
        .min(Comparator.naturalOrder());
  }

  /**
   * Returns the earliest instant at which a destination that asked for rest may be called again.
   */
  public Optional<Instant> retryAt() {
    return destinations.values().stream()
        .flatMap(lane -> lane.retryAt.stream())
        .min(Comparator.naturalOrder());
  }

  /**
   * Estimates the time until all waiting calls have begun. It is the time that the rate needs. With
   * limited parallelism, it is also at least the time at the pace of the last minute, or at the
   * pace of ended calls since the first began after a rest. Empty while the flow is stopped, and
   * without data for an estimate.
   */
  public Optional<Duration> estimate(Flow flow) {
    boolean isStopped =
        flow.pause().isPresent() || destinations.values().stream().anyMatch(LaneState::isStopped);
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
   * Returns how many calls began in place of ended ones. The first calls after a rest found free
   * places, so they say nothing about the pace of others.
   */
  private long madeRoom() {
    return begunMillis < MINUTE_MILLIS
        ? begunLastMinute - inFlight.values().stream().mapToLong(Integer::longValue).sum()
        : begunLastMinute;
  }
}
