package carillon.store;

import carillon.job.attempt.Attempt;
import carillon.job.attempt.Claim;
import carillon.job.name.JobKey;
import carillon.store.attempt.AttemptOutcome;
import carillon.store.attempt.AttemptStore.Finished;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Ending of attempts: the steps after an outcome was recorded, or could not be. Confined to the
 * event loop of the stores.
 */
public final class AttemptEnding {
  private static final Duration CRASHED_DELAY = Duration.ofSeconds(5);

  private final Stores stores;
  private final InstantSource clock;
  private final FailurePauser pauser;
  private final Listener listener;

  /** Listener that schedules polls of the partitions of attempts. */
  public interface Listener {
    /** Something is due at this instant in the partition of this attempt. */
    void due(Attempt attempt, Instant at);
  }

  /** Creates an ending for the attempts in these stores. */
  public AttemptEnding(Stores stores, InstantSource clock, Listener listener) {
    this.stores = stores;
    this.clock = clock;
    this.pauser = new FailurePauser(stores, clock);
    this.listener = listener;
  }

  /**
   * Notifies the listener of the next due instant, or disables a job with too many failed
   * executions. Never fails.
   *
   * @param finished reply of the store to the outcome
   */
  public Future<Void> follow(Attempt attempt, AttemptOutcome outcome, Finished finished) {
    switch (finished) {
      case DONE -> outcome.following().ifPresent(next -> listener.due(next.attempt(), next.due()));
      case RELEASED -> listener.due(attempt, Instant.ofEpochMilli(clock.millis()));
      case TOO_MANY_FAILURES -> {
        return pauser.pause(new JobKey(attempt.job()));
      }
      case COMPLETED, FAULTED, GONE, LOST -> {}
    }
    return Future.succeededFuture();
  }

  /**
   * Releases an attempt that met a bug or damaged data, as if its node had crashed. It is claimed
   * again after a pause, and given up after too many crashes.
   */
  public Future<Void> releaseCrashed(Claim claim) {
    Instant due = clock.instant().plus(CRASHED_DELAY);
    return stores
        .attempt()
        .attempts()
        .releaseCrashed(claim, due)
        .onSuccess(released -> listener.due(claim.attempt(), due));
  }
}
