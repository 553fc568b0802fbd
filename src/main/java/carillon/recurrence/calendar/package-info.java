/**
 * Calendars of excluded time as values ({@link carillon.recurrence.calendar.CalendarDefinition}),
 * and what they cover ({@link carillon.recurrence.calendar.CalendarCoverage}). Pure: reads no
 * clock, and everything public is immutable. Spans that are given in local times lie in the time
 * zone of their calendar.
 *
 * <p>Imports {@code recurrence}, {@code recurrence.rrule}.
 */
package carillon.recurrence.calendar;
