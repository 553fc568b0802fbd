/**
 * Basis of all routes: the table of routes, requests and their parameters, responses and errors,
 * permissions, and the envelope of Resource Manager. Limits rates ({@code RequestRateLimiter};
 * {@code ArmRateLimiter} is that of Resource Manager), connections, bodies and memory. Knows no
 * subject.
 *
 * <p>Imports {@code access}, {@code auth}, {@code bounded}, {@code config}, {@code flow}, {@code
 * job}, {@code job.action}, {@code job.attempt}, {@code job.name}, {@code json}, {@code json.text},
 * {@code store.collection}, {@code store.resource}, {@code text}.
 */
package carillon.api.http;
