/**
 * Tells a collector of OpenTelemetry what becomes of a job: its submission, each claim of a run,
 * and each attempt are spans of one trace. Decorates the observers that {@code api}, {@code timer}
 * and {@code dispatch} name; only {@code carillon} knows it: its Observation makes it where it is
 * asked for.
 */
package carillon.tracing;
