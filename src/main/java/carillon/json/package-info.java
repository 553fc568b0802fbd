/**
 * JSON of the domain. Each concept has a codec that reads and writes it, in the spelling of a
 * {@code Dialect}. Also computes answers that depend on no stored state, such as the names of time
 * zones. Owns the rules on the form of submissions; each refusal is a {@code JobException} that
 * names field, value and rule. No Vert.x.
 *
 * <p>Imports {@code job}, {@code job.action}, {@code job.attempt}, {@code job.collection}, {@code
 * job.name}, {@code json.action}, {@code json.text}, {@code recurrence}, {@code
 * recurrence.calendar}, {@code recurrence.cron}, {@code recurrence.rrule}, {@code
 * recurrence.timetable}.
 */
package carillon.json;
