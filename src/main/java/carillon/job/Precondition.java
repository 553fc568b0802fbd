package carillon.job;

/**
 * Condition of a write (RFC 9110, If-Match and If-None-Match).
 *
 * @param kind see {@link Kind}
 * @param revision that must be the current one; only with {@link Kind#REVISION}
 */
public record Precondition(Kind kind, long revision) {
  /** Create or replace. */
  public static final Precondition NONE = new Precondition(Kind.NONE, 0);

  /** {@code If-None-Match: *}: create only. */
  public static final Precondition ABSENT = new Precondition(Kind.ABSENT, 0);

  /** {@code If-Match: *}: replace only. */
  public static final Precondition PRESENT = new Precondition(Kind.PRESENT, 0);

  /** {@code If-Match: "revision"}. */
  public static Precondition revision(long revision) {
    return new Precondition(Kind.REVISION, revision);
  }

  /** Kind of condition. */
  public enum Kind {
    NONE,
    ABSENT,
    PRESENT,
    REVISION
  }

  /** Whether a job that does not exist may be created. */
  public boolean allowsNew() {
    return kind == Kind.NONE || kind == Kind.ABSENT;
  }

  /** Whether an existing job at this revision may be replaced. */
  public boolean holds(long current) {
    return switch (kind) {
      case NONE, PRESENT -> true;
      case ABSENT -> false;
      case REVISION -> revision == current;
    };
  }

  /**
   * The form that the scripts take: {@code any}, {@code absent}, {@code present} or the revision.
   */
  public String argument() {
    return switch (kind) {
      case NONE -> "any";
      case ABSENT -> "absent";
      case PRESENT -> "present";
      case REVISION -> Long.toString(revision);
    };
  }
}
