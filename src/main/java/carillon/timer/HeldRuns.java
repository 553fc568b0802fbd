package carillon.timer;

import carillon.job.Destination;
import carillon.job.Run;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The runs that this node has claimed and not ended, and the places of those that are performed at
 * their destinations. A value that is told what happens: knows no clock, Redis or thread.
 */
final class HeldRuns {
  private final Set<Run> held = new HashSet<>();
  private final Map<Run, Started> performed = new HashMap<>();

  /** That a run has a place at its destination, and since when. */
  record Started(Destination destination, long since) {}

  int size() {
    return held.size();
  }

  boolean contains(Run run) {
    return held.contains(run);
  }

  /** Takes a run that was claimed. */
  void add(Run run) {
    held.add(run);
  }

  /** Its work has a place at its destination, if it has one, and is begun. */
  void begin(Work work, long now) {
    work.destination()
        .ifPresent(destination -> performed.put(work.run(), new Started(destination, now)));
  }

  /** From now on the run is known under another nominal instant. */
  void move(Run from, Run to) {
    held.remove(from);
    held.add(to);
    Optional.ofNullable(performed.remove(from)).ifPresent(started -> performed.put(to, started));
  }

  /** Lets go of a run that has not been begun. */
  void letGo(Run run) {
    held.remove(run);
  }

  /** A run is over; the place that it had, if any. */
  Optional<Started> end(Run run) {
    held.remove(run);
    return Optional.ofNullable(performed.remove(run));
  }
}
