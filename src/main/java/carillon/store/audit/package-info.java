/**
 * The audit log in Redis: entries appended with the change of a job that they tell of, or after
 * another change, and read in pages.
 *
 * <p>Imports {@code config}, {@code job}, {@code redis}.
 */
package carillon.store.audit;
