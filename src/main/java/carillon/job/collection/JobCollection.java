package carillon.job.collection;

import carillon.job.CollectionName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A job collection as it stands in the store.
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
   * A collection whose stored form cannot be read, as a list tells of it.
   *
   * @param name of the collection
   * @param reason why it cannot be read
   */
  public record DamagedCollection(CollectionName name, String reason) {
    /** What a warning of a list that leaves such out says of the first. */
    public static Optional<String> warning(List<DamagedCollection> damaged) {
      return damaged.stream()
          .findFirst()
          .map(one -> "collection '" + one.name.collection() + "' is damaged: " + one.reason);
    }
  }
}
