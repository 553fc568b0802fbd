/**
 * The HTTP server of a node: {@code ApiVerticle} owns one listener, {@code ApiRouter} puts guards,
 * authentication and routes in order, {@code ResourceRouter} finds the route of a resource in any
 * dialect. The routes of each subject are in the rooms below.
 *
 * <p>Imports {@code access}, {@code api.admin}, {@code api.classic}, {@code api.console}, {@code
 * api.http}, {@code api.jobs}, {@code auth}, {@code job}, {@code json}, {@code secret}, {@code
 * store}, {@code store.audit}.
 */
package carillon.api;
