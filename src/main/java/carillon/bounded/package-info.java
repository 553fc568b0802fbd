/**
 * Limits on a node's resources for clients: a map that evicts the least recently used entry, a
 * cache of lookups, a rate limiter and a heap budget. Also loops of asynchronous steps, whose stack
 * depth does not grow with their length.
 *
 * <p>Imports no other package.
 */
package carillon.bounded;
