/**
 * Nodes, and what they agree on: their records and heartbeats, the stored format and who reads it,
 * the clock by which the stored jobs live.
 *
 * <p>Imports {@code job}, {@code redis}.
 */
package carillon.store.node;
