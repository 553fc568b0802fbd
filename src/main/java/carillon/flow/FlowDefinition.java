package carillon.flow;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Definition of a flow, as a client asks for it: which calls pass it, and what they keep to
 * together, on all nodes.
 *
 * @param match destinations whose calls pass it, beside those of actions that name it
 * @param rate how many calls begin in a time; absent for any number
 * @param parallelism how many calls are in flight at once; absent for any number
 * @param breaker when calls are stopped because they fail; absent for never
 * @param heedsRetryAfter whether a {@code Retry-After} of one call puts off all of them
 */
public record FlowDefinition(
    List<HostPattern> match,
    Optional<Rate> rate,
    OptionalInt parallelism,
    Optional<Breaker> breaker,
    boolean heedsRetryAfter) {
  public FlowDefinition {
    match = List.copyOf(match);
  }

  /**
   * Rate of calls (GCRA, ITU-T I.371): in any time {@code t} at most {@code burst} + {@code limit}
   * * {@code t} / {@code per} begin.
   *
   * @param limit calls in the period, 1 or more
   * @param per the period, 1 s to 7 d
   * @param burst calls that may begin at once after a rest, 1 to {@code limit}
   */
  public record Rate(int limit, Duration per, int burst) {
    /** The burst of a rate for which none is given: what the rate allows in a second. */
    public static int defaultBurst(int limit, Duration per) {
      return (int) Math.max(1, limit * 1000L / per.toMillis());
    }
  }

  /**
   * Circuit breaker: stops all calls when too many fail, then lets probes through to see whether
   * the destination has recovered. A failure is a transport error, a time-out, or a status 408, 429
   * or 5xx.
   *
   * @param consecutive failures in a row that open it; absent for any number
   * @param ratio share of failures, above 0 to 1, that opens it; absent for any
   * @param calls from which on the ratio counts within a window
   * @param window in which calls are counted for the ratio
   * @param pause how long it stays open the first time; twice as long each time that a probe fails
   * @param maxPause but no longer than this
   * @param probes calls that are let through after the pause; when all succeed, it closes
   */
  public record Breaker(
      OptionalInt consecutive,
      OptionalDouble ratio,
      int calls,
      Duration window,
      Duration pause,
      Duration maxPause,
      int probes) {}
}
