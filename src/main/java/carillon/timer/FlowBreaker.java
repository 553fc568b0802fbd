package carillon.timer;

import carillon.flow.FlowGrant;
import carillon.flow.FlowGrant.BreakerState;
import carillon.flow.FlowRequest.Outcomes;
import java.util.Optional;

/**
 * Breaker of one flow as this node knows it, and what Redis is to be told of calls: how those of
 * its present generation ended, and how many probes are in flight.
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

  /** Whether it is closed, and no failure is to be told. */
  boolean isWell() {
    return state == BreakerState.CLOSED && outcomes.failed() == 0;
  }

  /** A call begins. */
  void begun() {
    countProbe(generation, 1);
  }

  /** The call that began last was not begun after all; its token is as good as before. */
  void notBegun() {
    countProbe(generation, -1);
  }

  /** How soon Redis is to be told of the end of a call. */
  enum Urgency {
    AT_ONCE,
    LATER,
    NOTHING
  }

  /**
   * A call has ended.
   *
   * @param began the generation in which it began
   * @param success whether the destination is well; empty where the call was not begun after all
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

  /** Tokens are not spent: those of a breaker that is half open were for probes. */
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

  /** What is to be told now, if anything; it is told once. */
  Optional<Outcomes> report() {
    Outcomes told = outcomes.withProbes(probes);
    outcomes = Outcomes.none(generation);
    return Optional.of(told).filter(any -> !any.isEmpty());
  }

  /** Takes the state that Redis tells; whether a new generation has begun. */
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
