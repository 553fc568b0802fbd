/**
 * Consistency check: compares the data in Redis with the invariants, reports differences, and
 * repairs them on request, while nodes run. A check reads without a lock and only suspects. A
 * suspicion within one Cluster slot is then proved, and repaired, in one atomic step. A suspicion
 * that spans slots must be seen unchanged several times.
 *
 * <p>Imports {@code bounded}, {@code job}, {@code job.attempt}, {@code job.collection}, {@code
 * job.name}, {@code json}, {@code json.view}, {@code recurrence.calendar}, {@code redis}, {@code
 * secret}, {@code store}, {@code store.attempt}, {@code store.collection}, {@code store.operation},
 * {@code store.resource}.
 */
package carillon.fsck;
