/**
 * Instants at which a job runs. {@link carillon.recurrence.timetable.Timetable} computes them, and
 * skips the time that calendars exclude. Other classes describe schedules in plain words, and find
 * the shortest interval of a recurrence. Pure: reads no clock, and everything public is immutable.
 *
 * <p>Imports {@code recurrence}, {@code recurrence.cron}, {@code recurrence.grid}, {@code
 * recurrence.rrule}.
 */
package carillon.recurrence.timetable;
