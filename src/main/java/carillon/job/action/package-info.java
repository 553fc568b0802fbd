/**
 * Actions of jobs: calls of each kind, their destinations, authentication, secrets, retry policies
 * and position in a trace. Pure.
 *
 * <p>Imports {@code job.attempt}, {@code job.name}, {@code uri}.
 */
package carillon.job.action;
