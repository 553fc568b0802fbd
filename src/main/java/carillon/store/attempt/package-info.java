/**
 * Attempts in Redis: claimed, armed, finished, released, recovered, quarantined, and the purge of
 * finished jobs. The timer claims, arms, recovers and removes, and finishes what is not performed;
 * the dispatcher finishes what is.
 *
 * <p>Imports {@code bounded}, {@code config}, {@code job}, {@code json}, {@code redis}.
 */
package carillon.store.attempt;
