/**
 * Everything that touches Redis: the link, the clock, the keys, and one class for each group of
 * scripts. Imports {@code access}, {@code job} and {@code codec}. Each transition has one writer:
 * the API puts, changes and deletes jobs; the timer claims, arms, recovers, purges and sweeps; the
 * dispatcher finishes.
 */
package carillon.store;
