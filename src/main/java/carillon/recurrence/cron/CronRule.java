package carillon.recurrence.cron;

import java.time.Duration;
import java.time.LocalDateTime;

/** Parsed form of a cron expression. */
public sealed interface CronRule {
  /**
   * An interval of elapsed time: {@code @every 1h30m}, {@code rate(5 minutes)}.
   *
   * @param interval whole seconds, one at least
   */
  record Every(Duration interval) implements CronRule {}

  /** A single local time: {@code at(2027-03-28T02:30:00)}. */
  record Once(LocalDateTime time) implements CronRule {}

  /** The local times whose fields match. */
  record Matching(CronExpression expression) implements CronRule {}
}
