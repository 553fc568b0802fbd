/**
 * Nodes and their common facts: records and heartbeats, the format of the stored data, and the
 * clock of the stored jobs.
 *
 * <p>Imports {@code job.name} and {@code redis}.
 */
package carillon.store.node;
