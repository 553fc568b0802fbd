/**
 * Log lines as JSON, and the measured lag of event loops; metrics and traces have rooms of their
 * own.
 *
 * <p>Imports no other room.
 */
package carillon.observe;
