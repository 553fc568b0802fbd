/**
 * Collections in Redis: definitions, the index, disabled markers, epochs that fence deleted ones,
 * quotas, queues, deletion, and the cloud services that the classic dialect groups them by. {@code
 * DisabledMarkers} sets the markers by which {@code claim.lua} knows a disabled collection. What
 * becomes of its attempts then the planner of the timer decides: an occurrence of a recurring job
 * is skipped, all else waits in the collection's {@code held} set, where {@code
 * AttemptStore.holdForCollection} puts it and {@code release_held.lua} lets it out.
 *
 * <p>Imports {@code access}, {@code bounded}, {@code config}, {@code job}, {@code job.collection},
 * {@code json}, {@code redis}, {@code store.attempt}, {@code store.job}.
 */
package carillon.store.collection;
