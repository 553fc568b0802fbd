/**
 * Turns time into attempts: heartbeat and membership, timer wheel, claims, flow control, a bulkhead
 * for each destination, recovery of dead nodes, purge of finished jobs, and sweep of deleted
 * collections. Also moves waiting occurrences after changes of time zone rules and calendars, ends
 * pauses, reads notices of other nodes, and advances a virtual clock.
 *
 * <p>Imports {@code access}, {@code bounded}, {@code bus}, {@code config}, {@code flow}, {@code
 * job}, {@code job.action}, {@code job.attempt}, {@code job.collection}, {@code job.name}, {@code
 * json}, {@code json.schedule}, {@code recurrence}, {@code recurrence.calendar}, {@code
 * recurrence.timetable}, {@code redis}, {@code redis.route}, {@code store}, {@code store.attempt},
 * {@code store.collection}, {@code store.job}, {@code store.node}, {@code store.resource}.
 */
package carillon.timer;
