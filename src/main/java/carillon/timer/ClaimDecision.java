package carillon.timer;

import carillon.job.Attempt;
import carillon.job.Destination;
import carillon.job.JobDefinition;
import carillon.store.attempt.AttemptOutcome;
import carillon.store.attempt.NextOccurrence;
import java.util.Optional;
import java.util.function.Function;

/**
 * What is to be done with a claimed run.
 *
 * @param arming first of all, the next occurrence of the job
 * @param then and after that
 */
record ClaimDecision(Optional<NextOccurrence> arming, Then then) {

  /** The second step; it gets the run as it is held after arming. */
  sealed interface Then {}

  /** Makes the call. */
  record Perform(String name, JobDefinition definition, Destination destination) implements Then {}

  /** Ends the run without a call, with a record of why. */
  record End(Function<Attempt, AttemptOutcome> outcome) implements Then {}

  /** Lets the run wait for its collection's gate. */
  record Park() implements Then {}

  /** Lets the run wait for its job to be enabled. */
  record Withhold() implements Then {}
}
