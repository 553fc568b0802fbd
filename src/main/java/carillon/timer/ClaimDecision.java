package carillon.timer;

import carillon.bus.Messages.PlannedAttempt;
import carillon.job.Attempt;
import carillon.job.Claim;
import carillon.store.attempt.AttemptOutcome;
import carillon.store.attempt.ClaimedAttempt;
import carillon.store.attempt.NextOccurrence;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/** Decision about a claimed attempt: what is to be done with it. */
sealed interface ClaimDecision {

  /** The claim of the attempt. */
  Claim claim();

  /** The next occurrence of the job; it is to wait before anything else is done. */
  Optional<NextOccurrence> next();

  /**
   * Makes the call.
   *
   * @param storedRevision of the job as it was claimed, see {@link ClaimedAttempt.Job}
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
   * @param outcome of the attempt as it is claimed once the next occurrence waits
   */
  record End(Claim claim, Optional<NextOccurrence> next, Function<Attempt, AttemptOutcome> outcome)
      implements ClaimDecision {}

  /** Lets the attempt wait for its collection to be enabled. */
  record HoldForCollection(Claim claim, Optional<NextOccurrence> next) implements ClaimDecision {}

  /**
   * Lets the attempt wait for a calendar that cannot be read.
   *
   * @param retryAt when to look again
   */
  record AwaitCalendar(Claim claim, Instant retryAt) implements ClaimDecision {
    @Override
    public Optional<NextOccurrence> next() {
      return Optional.empty();
    }
  }

  /** Lets the attempt wait for its job to be enabled. */
  record HoldForJob(Claim claim) implements ClaimDecision {
    @Override
    public Optional<NextOccurrence> next() {
      return Optional.empty();
    }
  }
}
