package carillon.timer;

import carillon.flow.FlowGrant.BreakerState;
import carillon.job.JobDefinition;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;

/**
 * Observer of the timer. Called on its event loop, so it must be quick and not throw. Other threads
 * may read the data that it keeps.
 */
public interface TimerObserver {
  /** Ignores everything. */
  TimerObserver NONE = new TimerObserver() {};

  /**
   * Attempts were claimed, including those that are deferred afterwards, but not those deferred in
   * Redis.
   */
  default void claimed(int attempts) {}

  /** Due attempts were deferred because their destination has no place for them. */
  default void deferred(int attempts) {}

  /** Occurrences, or attempts whose job was changed in the meantime, were recorded as skipped. */
  default void skipped(long occurrences, HistoryEntry.Reason reason) {}

  /**
   * An execution was given up without a call.
   *
   * @param collection key of the collection of its job
   * @param isInterrupted whether it was in flight on a node that died, so that calls may have been
   *     made
   */
  default void givenUp(String collection, boolean isInterrupted) {}

  /** Claims of a dead node were recovered. */
  default void recovered(int claims) {}

  /** A call began that passes the flow with this key. */
  default void flowBegun(String flow) {}

  /** An attempt found no room in the flow with this key, and waits. */
  default void flowLimited(String flow) {}

  /** A request of this node has changed the breaker of the flow with this key. */
  default void breakerChanged(String flow, BreakerState state) {}

  /**
   * Receives the load several times a second.
   *
   * @param attempts number of claimed attempts that have not ended
   * @param waiting number of those that wait for a place at their destination
   */
  default void inFlight(int attempts, int waiting) {}

  /**
   * A claimed attempt is handed to a dispatcher.
   *
   * @param sinceMillis when it was claimed, epoch ms
   * @return the definition to hand over; it may have another trace, in which the attempt continues
   */
  default JobDefinition handsOut(Attempt attempt, JobDefinition definition, long sinceMillis) {
    return definition;
  }
}
