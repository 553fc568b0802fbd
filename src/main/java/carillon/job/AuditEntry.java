package carillon.job;

import java.time.Instant;
import java.util.Map;

/**
 * A change that was made.
 *
 * @param id where it stands in the audit log, which is read from the newest on
 * @param at when Redis made it
 * @param facts who did what to which object, in the order in which they are shown; definitions are
 *     JSON without secrets
 */
public record AuditEntry(String id, Instant at, Map<String, String> facts) {}
