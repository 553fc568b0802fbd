/**
 * OpenTelemetry traces: the submission of a job, each claim and each attempt are spans of one
 * trace. Implements the observers that {@code api}, {@code timer} and {@code dispatch} declare.
 *
 * <p>Imports {@code api.http}, {@code config}, {@code dispatch}, {@code job}, {@code
 * store.attempt}, {@code timer}.
 */
package carillon.observe.tracing;
