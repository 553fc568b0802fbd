/**
 * Jobs in Redis: writes for clients, reads, lists, searches and upcoming work. Also notices of
 * changes to other nodes, moves of next occurrences after changed time zone rules, and the audit
 * log. A change of a job and its entry in the audit log are one step.
 *
 * <p>Imports {@code access}, {@code bounded}, {@code config}, {@code job}, {@code job.attempt},
 * {@code job.collection}, {@code job.name}, {@code json}, {@code json.text}, {@code json.view},
 * {@code recurrence.calendar}, {@code recurrence.timetable}, {@code redis}, {@code redis.route},
 * {@code store.attempt}.
 */
package carillon.store.job;
