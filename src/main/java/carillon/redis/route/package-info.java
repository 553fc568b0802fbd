/**
 * Connections to Redis: routes of commands to one server, to the master that Sentinels name, or to
 * the masters of a Cluster. Also retries, checks of a new connection, confirmation by replicas, and
 * the kinds of errors.
 *
 * <p>Imports {@code config} and {@code job.name}.
 */
package carillon.redis.route;
