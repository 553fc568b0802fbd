/**
 * JSON of schedules: codecs of recurrences, time zones, calendars and the policy for occurrences,
 * the limits of a schedule, and the names of time zones.
 *
 * <p>Imports {@code job}, {@code job.name}, {@code json.text}, {@code recurrence}, {@code
 * recurrence.calendar}, {@code recurrence.cron}, {@code recurrence.rrule}, {@code
 * recurrence.timetable}.
 */
package carillon.json.schedule;
