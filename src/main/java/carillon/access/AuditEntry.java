package carillon.access;

import java.time.Instant;
import java.util.Map;

/**
 * Entry of the audit log: a completed change.
 *
 * @param id position in the audit log, which is read newest first
 * @param at instant of the change by Redis
 * @param facts who did what to which object, in display order; definitions are JSON without secrets
 */
public record AuditEntry(String id, Instant at, Map<String, String> facts) {

  /**
   * Filter of the audit log: the object and the time of the changes that are wanted.
   *
   * @param object key of a job, of a collection, or the beginning of such a key up to a slash; with
   *     all that it contains; empty for everything
   * @param fromMillis epoch, inclusive
   * @param untilMillis epoch, inclusive
   */
  public record AuditFilter(String object, long fromMillis, long untilMillis) {
    /** Everything that is remembered. */
    public static final AuditFilter ALL = new AuditFilter("", 0, Long.MAX_VALUE);

    /** Returns this filter for an object and all its contents. */
    public AuditFilter of(String name) {
      return new AuditFilter(name, fromMillis, untilMillis);
    }

    /** Returns this filter from this instant on. */
    public AuditFilter from(long millis) {
      return new AuditFilter(object, Math.max(fromMillis, millis), untilMillis);
    }

    /** Returns this filter up to this instant. */
    public AuditFilter until(long millis) {
      return new AuditFilter(object, fromMillis, Math.min(untilMillis, millis));
    }
  }

  /**
   * Context of a change that a client is about to make, for the audit log.
   *
   * @param by the caller, as the log names it
   * @param from the address that the request came from
   * @param did the request in two words, such as {@code PUT job}
   * @param at instant of the request; the change itself happens when it is written
   */
  public record AuditContext(String by, String from, String did, Instant at) {}
}
