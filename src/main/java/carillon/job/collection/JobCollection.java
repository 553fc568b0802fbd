package carillon.job.collection;

import carillon.job.name.CollectionName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A job collection as it is stored.
 *
 * @param name full name, in the case it was given
 * @param definition its settings
 * @param revision rises with every change; the ETag
 * @param created when it was first PUT
 * @param modified when it was last changed
 */
public record JobCollection(
    CollectionName name,
    CollectionDefinition definition,
    long revision,
    Instant created,
    Instant modified) {
  /**
   * Entry of a list for a collection whose stored form cannot be read.
   *
   * @param name of the collection
   * @param reason why it cannot be read
   */
  public record DamagedCollection(CollectionName name, String reason) {
    /** Returns a warning about the first collection that a list leaves out. */
    public static Optional<String> warning(List<DamagedCollection> damaged) {
      return damaged.stream()
          .findFirst()
          .map(one -> "collection '" + one.name.collection() + "' is damaged: " + one.reason);
    }
  }
}
