/**
 * Basis of all routes: the table of routes, requests and their parameters, responses and errors,
 * and permissions. {@code RequestRateLimiter} limits the rate of requests. Knows no subject, and of
 * the dialects only the native one.
 *
 * <p>Imports {@code access}, {@code auth}, {@code bounded}, {@code config}, {@code flow}, {@code
 * job}, {@code job.action}, {@code job.attempt}, {@code job.name}, {@code json}, {@code json.text},
 * {@code store.collection}, {@code store.resource}, {@code text}.
 */
package carillon.api.http;
