/**
 * HTTP calls: the invoker, connections to targets and their bounds, credentials and OAuth tokens,
 * and the redaction of secrets.
 *
 * <p>Imports {@code bounded}, {@code config}, {@code dispatch.call}, {@code dispatch.egress},
 * {@code job.action}, {@code job.attempt}.
 */
package carillon.dispatch.http;
