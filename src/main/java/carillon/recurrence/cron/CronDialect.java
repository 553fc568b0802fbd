package carillon.recurrence.cron;

import java.util.Locale;

/**
 * Form of cron expressions, which says what numbers of weekdays mean and which fields there are.
 */
public enum CronDialect {
  /** Of crontabs: 0 and 7 are Sunday; five fields, or six with seconds first. */
  UNIX,
  /** Of Quartz: 1 is Sunday; six fields with seconds first, or seven with years last. */
  QUARTZ,
  /** Of EventBridge: 1 is Sunday; six fields with years last. */
  AWS;

  /** What users write. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The number that stands for Sunday. */
  int sunday() {
    return this == UNIX ? 0 : 1;
  }
}
