package carillon.job.name;

/**
 * Pattern of collection names within a group: one name, or all names with a beginning.
 *
 * @param beginning of the names, in lower case; empty for all names
 * @param isOpen whether longer names match, too
 */
public record CollectionPattern(String beginning, boolean isOpen) {
  /** All names. */
  public static final CollectionPattern ANY = new CollectionPattern("", true);

  private static final String STAR = "*";
  private static final String RULE =
      "must be the name of a collection, or the beginning of names with a * at its end";

  public CollectionPattern {
    beginning = NameRules.fold(beginning);
  }

  /**
   * Reads a name, a beginning with {@code *} at its end, or {@code *} for all names.
   *
   * @throws IllegalArgumentException whose message is the rule, to complete a sentence
   */
  public static CollectionPattern parse(String text) {
    boolean isOpen = text.endsWith(STAR);
    String beginning = isOpen ? text.substring(0, text.length() - 1) : text;
    if (!(isOpen && beginning.isEmpty()) && !NameRules.isName(beginning)) {
      throw new IllegalArgumentException(RULE);
    }
    return new CollectionPattern(beginning, isOpen);
  }

  /** Whether it matches a collection of this name. */
  public boolean matches(String collection) {
    String folded = NameRules.fold(collection);
    return isOpen ? folded.startsWith(beginning) : folded.equals(beginning);
  }

  /** Whether it matches every name that the other one matches. */
  public boolean covers(CollectionPattern other) {
    return isOpen
        ? other.beginning.startsWith(beginning)
        : !other.isOpen && other.beginning.equals(beginning);
  }

  /** Whether a name can match both. */
  public boolean meets(CollectionPattern other) {
    return covers(other) || other.covers(this);
  }

  /** The form that {@link #parse} reads. */
  @Override
  public String toString() {
    return isOpen ? beginning + STAR : beginning;
  }
}
