package carillon.recurrence;

import java.time.Instant;
import java.util.Objects;

/** Rule by which a job repeats. It ends by count or endTime, whichever comes first. */
public sealed interface Recurrence permits PeriodicRecurrence, CronRecurrence, RruleRecurrence {
  int NO_COUNT = 0;
  Instant NO_END = Instant.MAX;

  /** How many occurrences are executed, {@link #NO_COUNT} for no such limit. */
  int count();

  /** The last instant at which an occurrence may lie (inclusive), or {@link #NO_END}. */
  Instant endTime();

  /** Whether only elapsed time counts, and not the time of a wall clock. */
  boolean isElapsed();

  /** Whether the recurrence itself gives the start of the job. */
  default boolean hasStart() {
    return false;
  }

  /** Returns this recurrence without an end. */
  Recurrence withoutEnd();

  /** Fails if the bounds are invalid. */
  static void check(int count, Instant endTime) {
    Objects.requireNonNull(endTime, "endTime");
    if (count < NO_COUNT) {
      throw new IllegalArgumentException("recurrence.count: " + count + " is negative");
    }
  }
}
