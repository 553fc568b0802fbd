package carillon.store.audit;

/**
 * How much of what clients change is remembered.
 *
 * @param entries about so many, 0 for none
 * @param definitionBytes a definition that is longer is left out of its entry
 * @param newDefinitions whether the entry of a job that was made holds its definition too
 */
public record AuditBounds(int entries, int definitionBytes, boolean newDefinitions) {
  /** Nothing. */
  public static final AuditBounds NONE = new AuditBounds(0, 0, false);

  /** As scripts are told it, for one of so many partitions; see note.lua and put_job.lua. */
  String argument(int partitions) {
    int perPartition = (entries + partitions - 1) / partitions;
    return perPartition + " " + definitionBytes + (newDefinitions ? " new" : "");
  }
}
