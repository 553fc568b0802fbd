/**
 * Time turned into attempts: heartbeat and membership, the timer wheel, claims, the bulkhead of
 * each destination, recovery of dead nodes, purge of finished jobs, sweep of deleted collections,
 * move of what waits to where new rules of its time zone put it.
 *
 * <p>Imports {@code bounded}, {@code bus}, {@code config}, {@code job}, {@code json}, {@code
 * recurrence}, {@code redis}, {@code store}, {@code store.attempt}, {@code store.collection},
 * {@code store.job}, {@code store.operation}.
 */
package carillon.timer;
