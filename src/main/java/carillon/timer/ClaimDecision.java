package carillon.timer;

import carillon.bus.Messages.PlannedAttempt;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.Claim;
import carillon.job.collection.Hold.HoldLevel;
import carillon.store.attempt.AttemptOutcome;
import carillon.store.attempt.ClaimedAttempt;
import carillon.store.attempt.NextOccurrence;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/** Decision about what to do with a claimed attempt. */
sealed interface ClaimDecision {

  Claim claim();

  /** Next occurrence of the job, which must be scheduled before anything else is done. */
  Optional<NextOccurrence> next();

  /**
   * Makes the call.
   *
   * @param storedRevision revision of the job when it was claimed, see {@link ClaimedAttempt.Job}
   */
  record Perform(PlannedAttempt attempt, String storedRevision, Optional<NextOccurrence> next)
      implements ClaimDecision {
    @Override
    public Claim claim() {
      return attempt.claim();
    }
  }

  /**
   * Ends the attempt without a call.
   *
   * @param outcome returns the outcome of the attempt, as it is after the next occurrence was
   *     scheduled
   */
  record End(Claim claim, Optional<NextOccurrence> next, Function<Attempt, AttemptOutcome> outcome)
      implements ClaimDecision {}

  /**
   * Parks the attempt until its collection is enabled.
   *
   * @param level of the widest pause that disables the collection
   */
  record HoldForCollection(Claim claim, HoldLevel level, Optional<NextOccurrence> next)
      implements ClaimDecision {}

  /**
   * Defers the attempt because a calendar cannot be read.
   *
   * @param retryAt when to try again
   */
  record AwaitCalendar(Claim claim, Instant retryAt) implements ClaimDecision {
    @Override
    public Optional<NextOccurrence> next() {
      return Optional.empty();
    }
  }

  /** Holds the attempt until its job is enabled. */
  record HoldForJob(Claim claim) implements ClaimDecision {
    @Override
    public Optional<NextOccurrence> next() {
      return Optional.empty();
    }
  }
}
