package carillon.recurrence.rrule;

/** Period by which a recurrence rule repeats (RFC 5545, 3.3.10). */
public enum RuleFrequency {
  SECONDLY,
  MINUTELY,
  HOURLY,
  DAILY,
  WEEKLY,
  MONTHLY,
  YEARLY;

  /** Whether it is shorter than a day, so that its periods are elapsed time. */
  public boolean isElapsed() {
    return compareTo(DAILY) < 0;
  }
}
