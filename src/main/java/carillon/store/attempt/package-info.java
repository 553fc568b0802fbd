/**
 * Attempts in Redis: claim, next occurrence, end, release, hold for a disabled collection or job,
 * recovery and quarantine. Also the purge of finished jobs. The timer does all this, except that
 * the dispatcher records the end of performed attempts. For readers, the package lists the attempts
 * in flight on all nodes, and the log of ended attempts.
 *
 * <p>Imports {@code bounded}, {@code config}, {@code flow}, {@code job}, {@code job.action}, {@code
 * job.attempt}, {@code job.collection}, {@code job.name}, {@code json}, {@code json.text}, {@code
 * json.view}, {@code redis}, {@code redis.route}, {@code store.node}.
 */
package carillon.store.attempt;
