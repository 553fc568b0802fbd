/**
 * Collections in Redis: definitions, the index, disabled markers, epochs that fence deleted ones,
 * quotas, queues, and removal.
 *
 * <p>Imports {@code access}, {@code config}, {@code job}, {@code json}, {@code redis}, {@code
 * store.attempt}, {@code store.job}.
 */
package carillon.store.collection;
