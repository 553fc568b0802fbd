package carillon.job;

/**
 * Which changes are asked for.
 *
 * @param object key of a job, of a collection, or the beginning of such a key up to a slash; with
 *     all that it contains; empty for everything
 * @param fromMillis epoch, inclusive
 * @param untilMillis epoch, inclusive
 */
public record AuditFilter(String object, long fromMillis, long untilMillis) {
  /** Everything that is remembered. */
  public static final AuditFilter ALL = new AuditFilter("", 0, Long.MAX_VALUE);

  /** The same of what lies in this object. */
  public AuditFilter of(String name) {
    return new AuditFilter(name, fromMillis, untilMillis);
  }

  /** The same, from this instant on. */
  public AuditFilter from(long millis) {
    return new AuditFilter(object, Math.max(fromMillis, millis), untilMillis);
  }

  /** The same, up to this instant. */
  public AuditFilter until(long millis) {
    return new AuditFilter(object, fromMillis, Math.min(untilMillis, millis));
  }
}
