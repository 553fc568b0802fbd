package carillon.dispatch;

import carillon.job.Call;
import carillon.store.Outcome;

/**
 * Told how attempts go. Called on event loops, of several at a time: must be thread-safe, quick,
 * and not throw.
 */
public interface DispatchObserver {
  /** Looks away. */
  DispatchObserver NONE = new DispatchObserver() {};

  /**
   * An attempt is over, and Redis has its outcome.
   *
   * @param call as it stands in the job, secrets sealed
   */
  default void finished(Call call, Outcome outcome) {}

  /** An attempt is over, but another node had taken the claim: its result was dropped. */
  default void lost() {}

  /** A connection to a target was refused: the egress policy does not allow its address. */
  default void refused() {}
}
