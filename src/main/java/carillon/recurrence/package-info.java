/**
 * Schedules of jobs: the recurrence of a job definition as values ({@link
 * carillon.recurrence.Recurrence}, {@link carillon.recurrence.Schedule}), checked on construction.
 * Timetables in {@code recurrence.timetable} compute the resulting instants, by the grids of {@code
 * recurrence.grid}. Pure: reads no clock, and everything public is immutable. All calendar
 * arithmetic is in UTC. Local times of a time zone are treated as if they were UTC, and {@link
 * carillon.recurrence.grid.ZonedGrid} converts them to instants. Time ends with the year 9999.
 *
 * <p>The rules are those of the documented Azure Scheduler. For undocumented cases Carillon
 * decided, and the tests list those decisions ({@code recurrence/decisions.csv}).
 *
 * <p>Imports {@code recurrence.cron} and {@code recurrence.rrule}.
 */
package carillon.recurrence;
