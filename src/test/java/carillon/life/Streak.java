package carillon.life;

import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.Reason;
import carillon.job.attempt.HistoryEntry.Status;
import java.time.Instant;

/** Failed executions of a job in a row since its last write. */
final class Streak {
  private int failures;

  /** Instant of the latest excess of the limit, null for none yet, and then the notified node. */
  private Instant tooMany;

  private String told;

  /** The job was written: the count restarts. */
  void begin() {
    failures = 0;
    tooMany = null;
  }

  /**
   * An attempt has ended.
   *
   * @param most number of failures in a row that is too many, 0 for any number
   * @param node that receives the answer
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

  /** Whether the limit was reached: a node may disable the job. */
  boolean wasTooLong() {
    return tooMany != null;
  }

  /** Whether the limit is still reached. */
  boolean isTooLong(int most) {
    return tooMany != null && most > 0 && failures >= most;
  }

  /** Returns the instant since which the job must be disabled. */
  Instant since() {
    return tooMany;
  }

  /** Returns the node that must disable the job. */
  String told() {
    return told;
  }

  @Override
  public String toString() {
    return failures + " failed in a row, told to " + told + " at " + tooMany;
  }
}
