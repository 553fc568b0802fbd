/**
 * What keeps a node within bounds that strangers could drive it beyond: a map that forgets what was
 * not used for longest, the results of lookups, each kept for a time, a rate limiter and a budget
 * of heap.
 *
 * <p>Imports no other package.
 */
package carillon.bounded;
