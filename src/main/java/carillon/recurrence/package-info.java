/**
 * When a job runs: the recurrence of a job definition as values ({@link
 * carillon.recurrence.Recurrence}, {@link carillon.recurrence.Schedule}), checked on construction,
 * and the instants that follow from it ({@link carillon.recurrence.Timetable}). Pure: reads no
 * clock, and everything public is immutable. All calendar arithmetic is in UTC: local times of a
 * time zone are treated as if they were, and {@link carillon.recurrence.ZonedGrid} makes instants
 * of them. Time ends with the year 9999.
 *
 * <p>The rules are those of the Azure Scheduler as it was documented; where it was silent Carillon
 * decided, which the tests list ({@code recurrence/decisions.csv}).
 *
 * <p>Inside, a timetable is a {@link carillon.recurrence.Grid}: an increasing sequence of whole
 * numbers, built from a few parts that nest, such as every second week, its Mondays, their 5:15 and
 * 17:15. Any occurrence is found by arithmetic on those parts, never by walking there from the
 * start.
 *
 * <p>Imports {@code recurrence.cron} and {@code recurrence.rrule}.
 */
package carillon.recurrence;
