/**
 * Time turned into attempts: heartbeat and membership, the timer wheel, claims, flow control, the
 * bulkhead of each destination, recovery of dead nodes, purge of finished jobs, sweep of deleted
 * collections, move of what waits to where new rules of its time zone, or changed calendars, put
 * it, end of pauses, notices of changes that other nodes made, and the steps of a virtual clock.
 *
 * <p>Imports {@code access}, {@code bounded}, {@code bus}, {@code config}, {@code flow}, {@code
 * job}, {@code job.collection}, {@code json}, {@code recurrence}, {@code recurrence.calendar},
 * {@code redis}, {@code store}, {@code store.attempt}, {@code store.collection}, {@code store.job},
 * {@code store.node}, {@code store.resource}.
 */
package carillon.timer;
