package carillon.job;

import carillon.recurrence.WallClock;

/**
 * Time zone of a job, as a client gave it.
 *
 * @param name as it was given: of the tz database, an offset, or one of Windows
 * @param inRecurrence whether it was given within the recurrence
 * @param clock what the name means, as this Java knows it
 */
public record JobTimeZone(String name, boolean inRecurrence, WallClock clock) {}
