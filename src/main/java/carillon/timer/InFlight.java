package carillon.timer;

import carillon.job.Claim;
import carillon.job.Destination;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The runs that this node has claimed and not ended, and the places of those that are performed at
 * their destinations. Two claims of one run are two: each has its place, and each ends. A value
 * that is told what happens: knows no clock, Redis or thread.
 */
final class InFlight {
  private final Set<Claim> held = new HashSet<>();
  private final Map<Claim, Started> performed = new HashMap<>();

  /** That a run has a place at its destination, and since when. */
  record Started(Destination destination, long since) {}

  int size() {
    return held.size();
  }

  boolean contains(Claim claim) {
    return held.contains(claim);
  }

  /** Takes a run that was claimed; false when it is held already. */
  boolean add(Claim claim) {
    return held.add(claim);
  }

  /** Its work has a place at its destination, if it has one, and is begun. */
  void begin(PlannedAttempt planned, long now) {
    planned
        .destination()
        .ifPresent(destination -> performed.put(planned.claim(), new Started(destination, now)));
  }

  /** From now on the run is known under another nominal instant. */
  void move(Claim from, Claim to) {
    held.remove(from);
    held.add(to);
    Optional.ofNullable(performed.remove(from)).ifPresent(started -> performed.put(to, started));
  }

  /** Lets go of a run that has not been begun. */
  void remove(Claim claim) {
    held.remove(claim);
  }

  /** A run is over; the place that it had, if any. */
  Optional<Started> end(Claim claim) {
    held.remove(claim);
    return Optional.ofNullable(performed.remove(claim));
  }
}
