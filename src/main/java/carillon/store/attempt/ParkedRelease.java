package carillon.store.attempt;

/**
 * Release of parked attempts that a claim hands out: their jobs were changed or deleted, so they
 * must be judged anew.
 *
 * @param jobs key of a job, or {@code subscription/group/collection/*}
 * @param again epoch ms at which the entry is due again, until a node removes it
 */
public record ParkedRelease(String jobs, long again) {
  /** Prefix of such an entry in {@code due}. */
  public static final String PREFIX = "release:";
}
