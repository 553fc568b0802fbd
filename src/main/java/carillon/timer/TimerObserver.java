package carillon.timer;

import carillon.flow.FlowGrant.BreakerState;
import carillon.job.Attempt;
import carillon.job.HistoryEntry;
import carillon.job.JobDefinition;

/**
 * Observer of the timer. Called on its event loop: must be quick and not throw. What it keeps may
 * be read on others.
 */
public interface TimerObserver {
  /** Ignores everything. */
  TimerObserver NONE = new TimerObserver() {};

  /** Attempts were claimed, also those that are put off afterwards; not those put off in Redis. */
  default void claimed(int attempts) {}

  /** Due attempts were put off: their destination has no place for them. */
  default void putOff(int attempts) {}

  /** Occurrences, or attempts whose job was changed meanwhile, were recorded as skipped. */
  default void skipped(long occurrences, HistoryEntry.Reason reason) {}

  /**
   * An execution was given up without a call.
   *
   * @param collection key of the collection of its job
   * @param isInterrupted whether it was in flight on a node when that died, so that calls may have
   *     been made
   */
  default void givenUp(String collection, boolean isInterrupted) {}

  /** Claims of a dead node were taken back. */
  default void recovered(int claims) {}

  /** A call began that passes the flow with this key. */
  default void flowBegun(String flow) {}

  /** An attempt found no room in the flow with this key, and waits. */
  default void flowLimited(String flow) {}

  /** A request of this node has changed the breaker of the flow with this key. */
  default void breakerChanged(String flow, BreakerState state) {}

  /**
   * How much is in flight, told a few times a second.
   *
   * @param attempts claimed by this node and not ended
   * @param waiting those of them that wait for a place at their destination
   */
  default void inFlight(int attempts, int waiting) {}

  /**
   * A claimed attempt is handed to a dispatcher.
   *
   * @param sinceMillis when it was claimed, epoch ms
   * @return the definition that goes along; its trace may be another, in which the attempt goes on
   */
  default JobDefinition handsOut(Attempt attempt, JobDefinition definition, long sinceMillis) {
    return definition;
  }
}
