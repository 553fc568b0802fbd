/**
 * The HTTP server of a node: {@code ApiVerticle} owns one listener, {@code ApiRouter} takes each
 * request by its guards to its route, {@code ApiRoutes} makes the table of all routes. The rows of
 * each dialect and the handlers of each subject are in the packages below.
 *
 * <p>Imports {@code access}, {@code api.admin}, {@code api.arm}, {@code api.classic}, {@code
 * api.console}, {@code api.dialect}, {@code api.edge}, {@code api.http}, {@code api.jobs}, {@code
 * api.resources}, {@code auth}, {@code bus}, {@code config}, {@code job.action}, {@code job.name},
 * {@code json}, {@code json.action}, {@code json.text}, {@code json.view}, {@code
 * recurrence.calendar}, {@code secret}, {@code store}, {@code store.resource}.
 */
package carillon.api;
