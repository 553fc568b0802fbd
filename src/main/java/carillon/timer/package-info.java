/**
 * Turns the passing of time into attempts: heartbeat, wheel, claim, arm, recovery of dead nodes,
 * purge, sweeping after deletions. Imports {@code job}, {@code wheel}, {@code store}, {@code bus},
 * {@code config}. The only package that claims, arms, recovers, parks and purges.
 */
package carillon.timer;
