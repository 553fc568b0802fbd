/**
 * The consistency check: compares what Redis holds with the invariants, reports what differs, and
 * repairs it on request, while nodes run. A check reads without a lock and only suspects; what one
 * Cluster slot decides is then proved, and repaired, in one atomic step, and what spans slots must
 * be seen unchanged several times.
 *
 * <p>Imports {@code job}, {@code job.collection}, {@code json}, {@code json.view}, {@code
 * recurrence.calendar}, {@code redis}, {@code secret}, {@code store}, {@code store.attempt}, {@code
 * store.collection}, {@code store.operation}, {@code store.resource}.
 */
package carillon.fsck;
