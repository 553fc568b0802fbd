package carillon.store;

/**
 * How much of what clients change is remembered.
 *
 * @param entries about so many, 0 for none
 * @param definitionBytes a definition that is longer is left out of its entry
 */
public record AuditBounds(int entries, int definitionBytes) {
  /** Nothing. */
  public static final AuditBounds NONE = new AuditBounds(0, 0);

  /** How many each of so many partitions keeps. */
  int perPartition(int partitions) {
    return (entries + partitions - 1) / partitions;
  }
}
