/**
 * The reconciler: compares what Redis holds with what must always hold, reports what differs, and
 * repairs it on request, while nodes run. A check reads without a lock and only suspects; what one
 * Cluster slot decides is then proved, and repaired, in one atomic step ({@link
 * carillon.store.Guarded}), and what spans slots must be seen unchanged in several looks. Imports
 * {@code store}, {@code codec}, {@code job}, {@code recurrence} and {@code vault}; knows no
 * verticle and no settings.
 */
package carillon.fsck;
