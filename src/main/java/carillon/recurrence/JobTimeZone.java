package carillon.recurrence;

/**
 * Time zone of a job, as a client gave it.
 *
 * @param name as it was given: of the tz database, an offset, or one of Windows
 * @param place where it was given
 * @param clock what the name means, as this Java knows it
 */
public record JobTimeZone(String name, Place place, WallClock clock) {
  /** Where clients give a time zone. */
  public enum Place {
    JOB,
    RECURRENCE,
    /** In front of the cron expression: {@code CRON_TZ=Europe/Berlin 0 9 * * *}. */
    CRON
  }
}
