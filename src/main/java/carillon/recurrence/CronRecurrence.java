package carillon.recurrence;

import carillon.recurrence.cron.CronDialect;
import carillon.recurrence.cron.CronRule;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Recurrence by a cron expression. Without a startTime it begins with the first match after its
 * submission, not immediately.
 *
 * @param text of the expression, as it was given
 * @param dialect as it was given
 * @param rule parsed form of the expression
 */
public record CronRecurrence(
    String text, Optional<CronDialect> dialect, CronRule rule, int count, Instant endTime)
    implements Recurrence {

  public CronRecurrence {
    Objects.requireNonNull(text, "text");
    Recurrence.check(count, endTime);
  }

  /** An interval is elapsed time. */
  @Override
  public boolean isElapsed() {
    return rule instanceof CronRule.Every;
  }

  @Override
  public CronRecurrence withoutEnd() {
    return new CronRecurrence(text, dialect, rule, count, NO_END);
  }

  /** Whether it continues in elapsed time when clocks are changed. */
  boolean isWildcard() {
    return rule instanceof CronRule.Matching matching && matching.expression().isWildcard();
  }
}
