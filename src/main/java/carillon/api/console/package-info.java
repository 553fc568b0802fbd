/**
 * Console: its files, sign-in, the overview with alerts and recent failures, destinations, the
 * forecast of the load, and the stream of events for a page.
 *
 * <p>Imports {@code access}, {@code api.admin}, {@code api.edge}, {@code api.http}, {@code
 * api.jobs}, {@code auth}, {@code bounded}, {@code bus}, {@code flow}, {@code job}, {@code
 * job.action}, {@code job.attempt}, {@code job.collection}, {@code job.name}, {@code json}, {@code
 * json.text}, {@code json.view}, {@code recurrence.calendar}, {@code redis}, {@code store}, {@code
 * store.attempt}, {@code store.job}, {@code store.node}, {@code store.operation}, {@code
 * store.resource}.
 */
package carillon.api.console;
