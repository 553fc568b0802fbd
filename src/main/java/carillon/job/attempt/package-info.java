/**
 * Attempts: waiting and claimed ones with their stored texts, and the entries and marks of a
 * history. Pure.
 *
 * <p>Imports {@code job.name}.
 */
package carillon.job.attempt;
