/**
 * The dispatcher: makes the attempts that the timer has claimed, records their outcome, plans
 * retries and error actions, and releases claims. Also puts messages into queues. Secrets are in
 * clear here and in the packages below, for the time of an attempt.
 *
 * <p>Imports {@code bounded}, {@code bus}, {@code config}, {@code dispatch.call}, {@code
 * dispatch.egress}, {@code dispatch.http}, {@code dispatch.servicebus}, {@code flow}, {@code job},
 * {@code job.action}, {@code job.attempt}, {@code job.name}, {@code job.template}, {@code
 * json.text}, {@code redis}, {@code redis.route}, {@code secret}, {@code store}, {@code
 * store.attempt}, {@code store.collection}, {@code store.job}.
 */
package carillon.dispatch;
