/**
 * Guards at the edge of the API, before a request reaches its route: TLS, host names, pages of
 * other origins, and limits of connections, pipelining, bodies, memory and load.
 *
 * <p>Imports {@code api.http}, {@code auth}, {@code bounded}, {@code config}, {@code json.text}.
 */
package carillon.api.edge;
