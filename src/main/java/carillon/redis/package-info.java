/**
 * Access to Redis: {@code RedisLink} is the connection of an event loop, above the routes of {@code
 * redis.route}. Contains scripts, pages of streams, key names, a check of the security of Redis,
 * and the clock of all nodes, or a virtual one in its place.
 *
 * <p>Imports {@code bounded}, {@code config}, {@code job.name}, {@code redis.route}.
 */
package carillon.redis;
