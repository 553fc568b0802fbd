/**
 * The console: its files, sign-in, the overview with alerts and recent failures, destinations, the
 * forecast of the load, and the stream of events that a page follows.
 *
 * <p>Imports {@code access}, {@code api.admin}, {@code api.http}, {@code auth}, {@code bounded},
 * {@code bus}, {@code flow}, {@code job}, {@code job.collection}, {@code json}, {@code json.view},
 * {@code recurrence.calendar}, {@code store}, {@code store.job}, {@code store.operation}, {@code
 * store.resource}.
 */
package carillon.api.console;
