/**
 * Attempts: the dispatcher performs them, records the outcome, and plans retries and error actions.
 * Secrets are in clear here, for the time of an attempt.
 *
 * <p>Imports {@code bounded}, {@code bus}, {@code config}, {@code dispatch.call}, {@code
 * dispatch.egress}, {@code dispatch.servicebus}, {@code flow}, {@code job}, {@code job.action},
 * {@code job.attempt}, {@code job.name}, {@code json.text}, {@code redis}, {@code redis.route},
 * {@code secret}, {@code store}, {@code store.attempt}, {@code store.collection}.
 */
package carillon.dispatch;
