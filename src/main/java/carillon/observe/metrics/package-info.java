/**
 * Prometheus metrics: the observers of {@code redis}, {@code timer}, {@code dispatch} and {@code
 * api} turned into meters, and the text of {@code /metrics}. Meters are thread-safe and allocate
 * next to nothing where work is done; labels are bounded and hold no secrets.
 *
 * <p>Imports {@code access}, {@code api.admin}, {@code api.http}, {@code config}, {@code
 * dispatch.call}, {@code flow}, {@code job}, {@code job.action}, {@code job.attempt}, {@code
 * job.name}, {@code redis.route}, {@code store}, {@code store.attempt}, {@code store.operation},
 * {@code timer}.
 */
package carillon.observe.metrics;
