/**
 * Jobs in Redis: written as clients ask, read, listed and searched, upcoming work, notices of
 * changes to other nodes, the move of next occurrences by new rules of time zones, and the audit
 * log, which has an entry in the same step as each change of a job.
 *
 * <p>Imports {@code access}, {@code bounded}, {@code config}, {@code flow}, {@code job}, {@code
 * job.collection}, {@code json}, {@code json.view}, {@code recurrence}, {@code
 * recurrence.calendar}, {@code redis}, {@code store.attempt}.
 */
package carillon.store.job;
