/**
 * What every route needs: requests and their parameters, responses and errors, authentication,
 * permissions of a path, limits on connections, bodies, memory and rates. Knows no subject.
 *
 * <p>Imports {@code access}, {@code auth}, {@code job}, {@code json}, {@code secret}, {@code
 * store.collection}.
 */
package carillon.api.http;
