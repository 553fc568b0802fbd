/**
 * What every route needs: the table of routes, requests and their parameters, responses and errors,
 * permissions, limits on connections, bodies, memory and rates, and the envelope of Resource
 * Manager. Knows no subject.
 *
 * <p>Imports {@code access}, {@code auth}, {@code bounded}, {@code config}, {@code job}, {@code
 * json}, {@code secret}, {@code store.collection}.
 */
package carillon.api.http;
