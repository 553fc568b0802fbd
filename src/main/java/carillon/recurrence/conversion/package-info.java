/**
 * Conversion of recurrences to other forms with exactly the same meaning: from a frequency to a
 * cron expression, to another dialect of cron, and back. A refusal gives the reason. Pure.
 *
 * <p>Imports {@code recurrence}, {@code recurrence.cron}, {@code recurrence.grid}, {@code
 * recurrence.timetable}.
 */
package carillon.recurrence.conversion;
