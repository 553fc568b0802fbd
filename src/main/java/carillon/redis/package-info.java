/**
 * Access to Redis: connections to one server, to the master of Sentinels, or to the masters of a
 * Cluster. Contains scripts, pages of streams, key names, error kinds, checks of its security and
 * persistence, and the clock of all nodes, or a virtual one in its place.
 *
 * <p>Imports {@code bounded}, {@code config}, {@code job.name}.
 */
package carillon.redis;
