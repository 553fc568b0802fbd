package carillon.timer;

import carillon.flow.FlowGrant;
import carillon.flow.FlowGrant.BreakerState;
import carillon.flow.FlowRequest.Outcomes;
import java.util.Optional;

/**
 * Breaker of one flow as this node knows it, with the outcomes to report to Redis: how calls of the
 * current generation ended, and the number of probes in flight.
 */
final class FlowBreaker {
  private BreakerState state = BreakerState.CLOSED;
  private long generation;
  private Outcomes outcomes = Outcomes.none(generation);
  private int probes;

  BreakerState state() {
    return state;
  }

  long generation() {
    return generation;
  }

  /** Whether the breaker is closed and has no failure to report. */
  boolean isWell() {
    return state == BreakerState.CLOSED && outcomes.failed() == 0;
  }

  /** Records the start of a call. */
  void begun() {
    countProbe(generation, 1);
  }

  /** Undoes the last {@link #begun}: the call was not begun, and its token can be used again. */
  void notBegun() {
    countProbe(generation, -1);
  }

  /** When to report the end of a call to Redis. */
  enum Urgency {
    AT_ONCE,
    LATER,
    NOTHING
  }

  /**
   * Records the end of a call.
   *
   * @param began generation in which the call began
   * @param success whether the destination is healthy; empty if the call was not begun
   * @param isCounted whether the flow has a breaker
   */
  Urgency ended(long began, Optional<Boolean> success, boolean isCounted) {
    countProbe(began, -1);
    if (success.isEmpty() && isProbe(began)) {
      outcomes = outcomes.plusNotBegun(1);
      return Urgency.AT_ONCE;
    }
    if (success.isEmpty() || !isCounted || began != generation) {
      return Urgency.NOTHING;
    }
    outcomes = outcomes.plus(success.get());
    boolean isNews = !success.get() || state == BreakerState.HALF_OPEN;
    return isNews ? Urgency.AT_ONCE : Urgency.LATER;
  }

  /** Records unspent tokens. Tokens of a half-open breaker were for probes. */
  void unspent(int tokens) {
    if (state == BreakerState.HALF_OPEN) {
      outcomes = outcomes.plusNotBegun(tokens);
    }
  }

  private void countProbe(long began, int by) {
    if (isProbe(began)) {
      probes = Math.max(0, probes + by);
    }
  }

  private boolean isProbe(long began) {
    return state == BreakerState.HALF_OPEN && began == generation;
  }

  /** Returns the outcomes to report now, if any, and clears them. */
  Optional<Outcomes> report() {
    Outcomes told = outcomes.withProbes(probes);
    outcomes = Outcomes.none(generation);
    return Optional.of(told).filter(any -> !any.isEmpty());
  }

  /** Applies the state that Redis returned. Returns whether a new generation has begun. */
  boolean update(FlowGrant grant) {
    state = grant.breaker();
    if (generation == grant.generation()) {
      return false;
    }
    generation = grant.generation();
    outcomes = Outcomes.none(generation);
    probes = 0;
    return true;
  }
}
