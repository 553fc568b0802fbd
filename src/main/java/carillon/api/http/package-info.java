/**
 * What every route needs: the table of routes, requests and their parameters, responses and errors,
 * permissions, the rate limits ({@code RequestRateLimiter}; {@code ArmRateLimiter} is that of
 * Resource Manager), limits on connections, bodies and memory, and the envelope of Resource
 * Manager. Knows no subject.
 *
 * <p>Imports {@code access}, {@code auth}, {@code bounded}, {@code config}, {@code flow}, {@code
 * job}, {@code json}, {@code secret}, {@code store.collection}.
 */
package carillon.api.http;
