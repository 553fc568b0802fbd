package carillon.job;

import carillon.recurrence.cron.HashedValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * Jitter of a job: how much later than at its nominal instant an occurrence is due, so that many
 * jobs of one instant do not run at once. A hash, the same on every node.
 *
 * @param upTo the delay is shorter than this
 * @param per whether all occurrences of the job have one delay
 * @param job full name of the job, in any case
 */
public record Jitter(Duration upTo, Per per, String job) {
  /** What has a delay of its own. */
  public enum Per implements WireWord {
    JOB,
    OCCURRENCE;

    @Override
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** When an occurrence is due: to the millisecond, and never before its nominal instant. */
  public Instant planned(Instant nominal) {
    String what = per == Per.JOB ? "jitter" : "jitter " + IsoInstant.text(nominal);
    return nominal.plusMillis(new HashedValue(job).below(upTo.toMillis(), what));
  }
}
