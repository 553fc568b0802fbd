/**
 * Collections in Redis: definitions, the index, disabled markers, epochs that fence deleted ones,
 * quotas, queues, deletion, and the cloud services that the classic dialect groups them by. {@code
 * DisabledMarkers} disables and enables: attempts of a disabled collection wait in its {@code held}
 * set, where {@code AttemptStore.holdForCollection} puts them and {@code release_held.lua} lets
 * them out.
 *
 * <p>Imports {@code access}, {@code config}, {@code job}, {@code json}, {@code redis}, {@code
 * store.attempt}, {@code store.job}.
 */
package carillon.store.collection;
