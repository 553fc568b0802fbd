package carillon.timer;

import carillon.job.Claim;
import carillon.job.Destination;
import carillon.store.attempt.ClaimedAttempt;
import java.util.Optional;

/**
 * A claimed run and what is to be done with it.
 *
 * @param moment of the lease at which it was claimed
 * @param since when it is known what is to be done, epoch ms
 */
record PlannedAttempt(ClaimedAttempt claimed, ClaimDecision decision, long moment, long since) {
  Claim claim() {
    return claimed.claim();
  }

  Optional<Destination> destination() {
    return decision.then() instanceof ClaimDecision.Perform perform
        ? Optional.of(perform.destination())
        : Optional.empty();
  }
}
