package carillon.recurrence.cron;

import java.util.Locale;

/** Form of cron expressions, which determines the numbers of weekdays and the available fields. */
public enum CronDialect {
  /** Crontabs: 0 and 7 are Sunday; five fields, or six with seconds first. */
  UNIX,
  /** Quartz: 1 is Sunday; six fields with seconds first, or seven with years last. */
  QUARTZ,
  /** EventBridge: 1 is Sunday; six fields with years last. */
  AWS;

  /** The word that users write. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The number of Sunday. */
  int sunday() {
    return this == UNIX ? 0 : 1;
  }
}
