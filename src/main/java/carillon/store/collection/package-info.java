/**
 * Collections in Redis: definitions, the index, disabled markers, epochs, quotas, queues and
 * deletion.
 *
 * <p>{@code DisabledMarkers} sets the markers that show disabled collections to claims. The planner
 * of the timer then decides about each attempt. It skips an occurrence of a recurring job. All
 * other attempts wait in the collection's waiting list: {@code AttemptStore.parkForCollection} adds
 * them, and {@code release_list.lua} releases them.
 *
 * <p>Imports {@code access}, {@code bounded}, {@code config}, {@code job}, {@code job.action},
 * {@code job.collection}, {@code job.name}, {@code json}, {@code redis}, {@code redis.route},
 * {@code store.attempt}, {@code store.job}.
 */
package carillon.store.collection;
