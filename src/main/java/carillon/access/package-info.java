/**
 * Permissions: callers, their grants, roles and scopes, and the one function that decides. Pure: no
 * Vert.x, no Redis, no clock. Text form of API keys and sessions, and entries of the audit log.
 *
 * <p>Imports {@code job.name}.
 */
package carillon.access;
