/**
 * Occurrences as grids: a {@link carillon.recurrence.grid.Grid} is an increasing sequence of whole
 * numbers. It consists of a few nested parts, such as every second week, its Mondays, their 5:15
 * and 17:15. Any occurrence is found by arithmetic on those parts, never by iteration from the
 * start. Builders compile periodic recurrences, cron expressions and rules of iCalendar into grids
 * of local seconds. {@link carillon.recurrence.grid.ZonedGrid} converts them to instants. Pure.
 *
 * <p>Imports {@code recurrence}, {@code recurrence.cron}, {@code recurrence.rrule}.
 */
package carillon.recurrence.grid;
