/**
 * Attempts in Redis: claimed, followed by the next occurrence, finished, released, held for a
 * disabled collection or job, recovered, quarantined, and the purge of finished jobs. The timer
 * does all of it but for the end of an attempt that was performed, which the dispatcher records.
 * For readers, the attempts in flight on all nodes and the log of those that ended.
 *
 * <p>Imports {@code bounded}, {@code config}, {@code job}, {@code job.collection}, {@code json},
 * {@code json.view}, {@code redis}, {@code store.node}.
 */
package carillon.store.attempt;
