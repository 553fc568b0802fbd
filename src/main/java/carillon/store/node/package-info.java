/**
 * Nodes and their common facts: records and heartbeats, the format of the stored data, and the
 * clock of the stored jobs.
 *
 * <p>Imports {@code job.name}, {@code redis}, {@code redis.route}.
 */
package carillon.store.node;
