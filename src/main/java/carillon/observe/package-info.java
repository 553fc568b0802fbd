/**
 * Observability of a node: traces with OpenTelemetry, log lines, and the lag of its event loops.
 * Metrics have a separate package. The submission of a job, each claim and each attempt are spans
 * of one trace.
 *
 * <p>Imports {@code api.admin}, {@code api.http}, {@code config}, {@code dispatch.call}, {@code
 * job}, {@code job.action}, {@code job.attempt}, {@code job.name}, {@code observe.metrics}, {@code
 * redis.route}, {@code timer}.
 */
package carillon.observe;
