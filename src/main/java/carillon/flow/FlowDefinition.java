package carillon.flow;

import carillon.job.action.Destination;
import carillon.job.name.CollectionPattern;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Definition of a flow, as a client requests it: the calls that pass it, and their common limits on
 * all nodes.
 *
 * @param match destinations whose calls pass it
 * @param collections whose actions may name it, for any destination
 * @param rate number of calls that may begin in a time; absent for no limit
 * @param parallelism number of concurrent calls; absent for no limit
 * @param breaker when failures stop the calls; absent for never
 * @param heedsRetryAfter whether a {@code Retry-After} of one call defers all of them
 */
public record FlowDefinition(
    List<HostPattern> match,
    List<CollectionPattern> collections,
    Optional<Rate> rate,
    OptionalInt parallelism,
    Optional<Breaker> breaker,
    boolean heedsRetryAfter) {
  /** Definition without a limit, and without a {@code match}. */
  static final FlowDefinition UNLIMITED =
      new FlowDefinition(
          List.of(), List.of(), Optional.empty(), OptionalInt.empty(), Optional.empty(), false);

  public FlowDefinition {
    match = List.copyOf(match);
    collections = List.copyOf(collections);
  }

  /**
   * Whether an action may name this flow: its calls share the limits with all others.
   *
   * @param collection own name of the collection of the job
   * @param destination of the action
   */
  public boolean admits(String collection, Destination destination) {
    return match.stream().anyMatch(pattern -> pattern.matches(destination))
        || collections.stream().anyMatch(pattern -> pattern.matches(collection));
  }

  /**
   * Whether calls of a collection pass this flow where their actions name it. A flow with {@link
   * #collections} and without {@link #match} is of these collections alone. Any other keeps the
   * calls that named it before it became stricter.
   */
  public boolean keeps(String collection) {
    return !match.isEmpty()
        || collections.isEmpty()
        || collections.stream().anyMatch(pattern -> pattern.matches(collection));
  }

  /** The same for other collections. */
  public FlowDefinition with(List<CollectionPattern> others) {
    return new FlowDefinition(match, others, rate, parallelism, breaker, heedsRetryAfter);
  }

  /** Whether it names this host itself, not by a wildcard. */
  public boolean isHost(Destination destination) {
    return match.stream()
        .anyMatch(pattern -> !pattern.isWildcard() && pattern.matches(destination));
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
    /**
     * Returns the default burst of a rate: the number of calls that the rate allows in a second.
     */
    public static int defaultBurst(int limit, Duration per) {
      return (int) Math.max(1, limit * 1000L / per.toMillis());
    }
  }

  /**
   * Circuit breaker: stops all calls when too many fail, then lets probes through to see whether
   * the destination has recovered. A failure is a transport error, a time-out, or a status 408, 429
   * or 5xx.
   *
   * @param consecutive number of consecutive failures that opens it; empty if none does
   * @param ratio share of failures, above 0 to 1, that opens it; empty if none does
   * @param calls minimum number of calls in a window for the ratio
   * @param window time in which calls are counted for the ratio
   * @param pause how long it stays open the first time; doubled each time that a probe fails
   * @param maxPause maximum of the pause
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
