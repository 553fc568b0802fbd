/**
 * Bounded memory: a map that forgets what was not used for longest, and the results of lookups,
 * each kept for a time. Both are confined to one event loop.
 *
 * <p>Imports no other room.
 */
package carillon.cache;
