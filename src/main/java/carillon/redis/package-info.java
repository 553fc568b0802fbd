/**
 * The way to Redis: connections to one server, to a master that Sentinels name, or to the masters
 * of a Cluster; scripts, pages of streams, key names, error kinds, checks of its security and
 * persistence, and the clock that all nodes share, or a virtual one in its place.
 *
 * <p>Imports {@code config}, {@code job}.
 */
package carillon.redis;
