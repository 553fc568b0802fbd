/**
 * The audit log in Redis: entries appended with the change they tell of, and read in pages.
 *
 * <p>Imports {@code job}, {@code redis}.
 */
package carillon.store.audit;
