package carillon.dispatch.call;

import carillon.job.action.ActionCall;
import carillon.job.action.TraceContext;
import carillon.job.action.TraceContext.TraceSpan;
import carillon.job.attempt.Attempt;
import carillon.store.attempt.AttemptOutcome;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Observer of attempts. Called on event loops, of several at a time: must be thread-safe, quick,
 * and not throw.
 */
public interface DispatchObserver {
  /** Ignores everything. */
  DispatchObserver NONE = new DispatchObserver() {};

  /**
   * Notes that an attempt is over and Redis has its outcome.
   *
   * @param collection key of the collection of its job
   * @param call as the job holds it, secrets sealed
   * @param due when its occurrence was due, later than the nominal instant by the jitter of the job
   */
  default void finished(String collection, ActionCall call, AttemptOutcome outcome, Instant due) {}

  /** An attempt is over, but another node had taken the claim: its result was dropped. */
  default void lost() {}

  /** A call was sent once more: its kept connection had ended before a byte of the answer came. */
  default void repeated() {}

  /** A connection to a target was refused: the egress policy does not allow its address. */
  default void refused() {}

  /**
   * Begins the span of an attempt. The span learns how the attempt ends, and its trace is sent to
   * the target.
   *
   * @param call the call in the job, with sealed secrets
   * @param parent trace that led to the attempt, if there is one
   * @return by default a new span of that trace, which is not reported
   */
  default TraceSpan begins(Attempt attempt, ActionCall call, Optional<TraceContext> parent) {
    return TraceSpan.within(
        parent.map(trace -> trace.child(ThreadLocalRandom.current().nextLong())));
  }
}
