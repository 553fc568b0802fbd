/**
 * Calendars of excluded time as values ({@link carillon.recurrence.calendar.CalendarDefinition}),
 * and the time that they cover ({@link carillon.recurrence.calendar.CalendarCoverage}). Pure: reads
 * no clock, and everything public is immutable. Spans in local times use the time zone of their
 * calendar.
 *
 * <p>Imports {@code recurrence}, {@code recurrence.rrule}, {@code recurrence.timetable}.
 */
package carillon.recurrence.calendar;
