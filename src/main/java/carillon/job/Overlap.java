package carillon.job;

/**
 * What a due occurrence does while another execution of its job is under way: it waits for the end
 * of that, or is skipped.
 *
 * @param rule which of the two
 * @param room how many executions may wait, 0 for none
 */
public record Overlap(Rule rule, int room) {
  /** How many executions wait with {@link Rule#BUFFER_ALL} where a client does not say. */
  public static final int ROOM = 10;

  /** The same without what a client can leave out. */
  public Overlap(Rule rule) {
    this(rule, rule.room);
  }

  /** Rule of a job for executions that would overlap. */
  public enum Rule implements WireWord {
    /** The occurrence is not performed. */
    SKIP("skip", 0),
    /** The first one waits, the others are not performed. */
    BUFFER_ONE("bufferOne", 1),
    /** They wait one behind the other. */
    BUFFER_ALL("bufferAll", ROOM);

    private final String word;
    private final int room;

    Rule(String word, int room) {
      this.word = word;
      this.room = room;
    }

    @Override
    public String word() {
      return word;
    }
  }
}
