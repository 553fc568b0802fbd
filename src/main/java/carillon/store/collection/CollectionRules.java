package carillon.store.collection;

import carillon.job.CollectionName;
import carillon.job.collection.CollectionLimits;

/**
 * Rules of a collection for writing its jobs.
 *
 * @param name as it was first written
 * @param epoch rises when the collection is deleted and made again, and when its limits change:
 *     what was learned in an earlier one is refused by every partition
 * @param limits what its jobs must keep to
 */
public record CollectionRules(CollectionName name, long epoch, CollectionLimits limits) {}
