/**
 * Permissions: callers, their grants, roles and scopes, and the one function that decides. Pure: no
 * Vert.x, no Redis, no clock. The text form of API keys and sessions is here as well, and who
 * changed what, as the audit log keeps it.
 *
 * <p>Imports no other package.
 */
package carillon.access;
