/**
 * Hosts and ports of URIs. All packages read them here, so a policy judges the same host that a
 * call uses. Pure.
 *
 * <p>Imports no other package.
 */
package carillon.uri;
