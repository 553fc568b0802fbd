package carillon.recurrence;

/**
 * Time zone of a job, as a client gave it.
 *
 * @param name as it was given: of the tz database, an offset, or one of Windows
 * @param location where it was given
 * @param clock clock of that name, by the time zone data of this Java
 */
public record JobTimeZone(String name, ZoneLocation location, WallClock clock) {
  /** Place in a job where clients give a time zone. */
  public enum ZoneLocation {
    JOB,
    RECURRENCE,
    /**
     * Part of the text of the recurrence: {@code CRON_TZ=Europe/Berlin 0 9 * * *}, or {@code
     * DTSTART;TZID=Europe/Berlin:20270301T090000}.
     */
    EXPRESSION
  }
}
