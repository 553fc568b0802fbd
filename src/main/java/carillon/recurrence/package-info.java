/**
 * Schedules of jobs: the recurrence of a job definition as values ({@link
 * carillon.recurrence.Recurrence}, {@link carillon.recurrence.Schedule}), checked on construction,
 * and the resulting instants ({@link carillon.recurrence.Timetable}). Pure: reads no clock, and
 * everything public is immutable. All calendar arithmetic is in UTC. Local times of a time zone are
 * treated as if they were UTC, and {@link carillon.recurrence.grid.ZonedGrid} converts them to
 * instants. Time ends with the year 9999.
 *
 * <p>The rules are those of the documented Azure Scheduler. For undocumented cases Carillon
 * decided, and the tests list those decisions ({@code recurrence/decisions.csv}).
 *
 * <p>Internally, a timetable is a {@link carillon.recurrence.grid.Grid}: an increasing sequence of
 * whole numbers. It consists of a few nested parts, such as every second week, its Mondays, their
 * 5:15 and 17:15. Any occurrence is found by arithmetic on those parts, never by iteration from the
 * start.
 *
 * <p>Imports {@code recurrence.cron}, {@code recurrence.grid}, {@code recurrence.rrule}.
 */
package carillon.recurrence;
