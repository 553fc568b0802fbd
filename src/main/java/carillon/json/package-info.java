/**
 * JSON of the domain: one codec for each concept reads and writes it, told by a {@code Dialect} how
 * the names are spelt. Also computes what is answered from a definition alone, such as the names of
 * time zones. Owns the rules on the form of what a client submits; each refusal is a {@code
 * JobException} that names field, value and rule. No Vert.x.
 *
 * <p>Imports {@code config}, {@code job}, {@code job.collection}, {@code recurrence}, {@code
 * recurrence.calendar}, {@code recurrence.cron}, {@code recurrence.rrule}.
 */
package carillon.json;
