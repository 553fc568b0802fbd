/**
 * The output that is not metrics or traces: log lines as JSON, and the lag of event loops.
 *
 * <p>Imports no other room.
 */
package carillon.observe;
