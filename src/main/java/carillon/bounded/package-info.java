/**
 * Bounds on what strangers can make a node hold: a map that forgets what was not used for longest,
 * results of lookups, each kept for a time, a rate limiter and a budget of heap.
 *
 * <p>Imports no other package.
 */
package carillon.bounded;
