package carillon.timer;

import carillon.job.Destination;
import carillon.job.Run;
import carillon.store.Claimed;
import java.util.Optional;

/** A claimed run, what is to be done with it, and since when, epoch ms. */
record Work(Claimed claimed, Plan plan, long since) {
  Run run() {
    return claimed.run();
  }

  Optional<Destination> destination() {
    return plan.then() instanceof Plan.Perform perform
        ? Optional.of(perform.destination())
        : Optional.empty();
  }
}
