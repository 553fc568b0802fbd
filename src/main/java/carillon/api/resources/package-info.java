/**
 * Collections, calendars and flows over HTTP: their operations, routes and pages. Writes are noted
 * in the audit log and announced to all nodes.
 *
 * <p>Imports {@code access}, {@code api.http}, {@code bus}, {@code flow}, {@code job}, {@code
 * job.collection}, {@code job.name}, {@code json}, {@code json.schedule}, {@code json.text}, {@code
 * json.view}, {@code recurrence.calendar}, {@code secret}, {@code store}, {@code store.collection},
 * {@code store.job}, {@code store.resource}.
 */
package carillon.api.resources;
