package carillon.recurrence;

import java.time.Instant;
import java.util.Objects;

/** Rule by which a job repeats. Whichever of count and endTime comes first ends it. */
public sealed interface Recurrence permits PeriodicRecurrence, CronRecurrence, RruleRecurrence {
  int NO_COUNT = 0;
  Instant NO_END = Instant.MAX;

  /** How many occurrences are executed, {@link #NO_COUNT} for no such limit. */
  int count();

  /** The last instant at which an occurrence may lie (inclusive), or {@link #NO_END}. */
  Instant endTime();

  /** Whether only elapsed time counts, and no clock on any wall. */
  boolean isElapsed();

  /** Whether it says itself when the job starts. */
  default boolean hasStart() {
    return false;
  }

  /** This recurrence without an end. */
  Recurrence withoutEnd();

  /** Fails where the bounds are none. */
  static void check(int count, Instant endTime) {
    Objects.requireNonNull(endTime, "endTime");
    if (count < NO_COUNT) {
      throw new IllegalArgumentException("recurrence.count: " + count + " is negative");
    }
  }
}
