package carillon.recurrence.conversion;

import carillon.recurrence.CronRecurrence;
import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Recurrence;
import carillon.recurrence.cron.CronDialect;
import carillon.recurrence.cron.CronParser;
import java.util.Optional;

/** Form of a recurrence. */
public enum RecurrenceForm {
  /** A frequency with an interval, and an optional schedule. */
  FREQUENCY,
  /** A cron expression as in crontabs. */
  UNIX,
  /** A cron expression of Quartz. */
  QUARTZ,
  /** An expression of EventBridge. */
  AWS;

  /** Returns the form of a recurrence; empty for rules of iCalendar. */
  public static Optional<RecurrenceForm> of(Recurrence recurrence) {
    if (recurrence instanceof PeriodicRecurrence) {
      return Optional.of(FREQUENCY);
    }
    return recurrence instanceof CronRecurrence cron
        ? Optional.of(valueOf(CronParser.dialectOf(cron.text(), cron.dialect()).name()))
        : Optional.empty();
  }

  /** Returns the dialect of a form of cron expressions. */
  CronDialect dialect() {
    return CronDialect.valueOf(name());
  }
}
