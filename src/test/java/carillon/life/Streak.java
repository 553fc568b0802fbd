package carillon.life;

import carillon.job.Attempt;
import carillon.job.HistoryEntry;
import carillon.job.HistoryEntry.Reason;
import carillon.job.HistoryEntry.Status;
import java.time.Instant;

/** The executions of a job in a row that failed, since it was written last. */
final class Streak {
  private int failures;

  /** When there were too many, and which node was told of it; null for not yet. */
  private Instant tooMany;

  private String told;

  /** The job was written: the count begins anew. */
  void begin() {
    failures = 0;
    tooMany = null;
  }

  /**
   * An attempt has ended.
   *
   * @param most so many are too many, 0 for any number
   * @return whether this is one too many
   */
  boolean end(HistoryEntry entry, boolean isFollowed, int most, String node, Instant at) {
    boolean isMain = entry.phase() == Attempt.Phase.MAIN;
    if (isMain && entry.status() == Status.COMPLETED) {
      failures = 0;
      return false;
    }
    boolean isOfItsOwn =
        entry.status() == Status.SKIPPED
            || entry.reason().filter(Reason.INTERRUPTED::equals).isPresent();
    if (isFollowed || isOfItsOwn) {
      return false;
    }
    failures++;
    boolean isTooMany = most > 0 && failures >= most;
    if (isTooMany) {
      tooMany = at;
      told = node;
    }
    return isTooMany;
  }

  /** Whether there were too many: a node may disable the job. */
  boolean wasTooLong() {
    return tooMany != null;
  }

  /** Whether there still are. */
  boolean isTooLong(int most) {
    return tooMany != null && most > 0 && failures >= most;
  }

  /** When the job became one that is to be disabled. */
  Instant since() {
    return tooMany;
  }

  /** The node that is to disable it. */
  String told() {
    return told;
  }

  @Override
  public String toString() {
    return failures + " failed in a row, told to " + told + " at " + tooMany;
  }
}
