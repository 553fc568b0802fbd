/**
 * Jobs in Redis: written as clients ask, read, listed and searched.
 *
 * <p>Imports {@code config}, {@code job}, {@code json}, {@code redis}, {@code store.attempt},
 * {@code store.audit}.
 */
package carillon.store.job;
