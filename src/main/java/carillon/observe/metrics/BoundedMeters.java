package carillon.observe.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Meters with a label for each of many things, up to a bound. All other things share one label. The
 * first half of the labels is given in the order of arrival. After that, a collection with a tenth
 * of all labels gets no more. So a collection with many destinations leaves some to others.
 * Thread-safe.
 *
 * @param <K> type of the things with a label
 * @param <M> the meters with one label
 */
final class BoundedMeters<K, M> {
  /** Label of the things without a separate one. */
  private static final String OTHER = "other";

  private static final int SHARE = 10;

  private final int maxLabels;
  private final Function<K, String> label;
  private final Function<String, M> meters;
  private final M others;
  private final Map<K, M> known = new ConcurrentHashMap<>();
  private final Map<String, Integer> owned = new HashMap<>(); // under the lock

  /**
   * Creates meters without any labels.
   *
   * @param maxLabels number of labels, without that of all others
   * @param label returns the label of a thing
   * @param meters creates the meters with a label
   */
  BoundedMeters(int maxLabels, Function<K, String> label, Function<String, M> meters) {
    this.maxLabels = maxLabels;
    this.label = label;
    this.meters = meters;
    this.others = meters.apply(OTHER);
  }

  /**
   * Returns the meters of a thing. Allocates nothing if the thing is known or no label is free.
   *
   * @param collection key of the collection that brings it
   */
  M of(K thing, String collection) {
    M found = known.get(thing);
    if (found != null) {
      return found;
    }
    return known.size() < maxLabels ? add(thing, collection) : others;
  }

  private synchronized M add(K thing, String collection) {
    M found = known.get(thing);
    if (found != null) {
      return found;
    }
    int labels = known.size();
    boolean hasShare = owned.getOrDefault(collection, 0) >= Math.max(1, maxLabels / SHARE);
    if (labels >= maxLabels || (labels >= maxLabels / 2 && hasShare)) {
      return others;
    }
    owned.merge(collection, 1, Integer::sum);
    M added = meters.apply(label.apply(thing));
    known.put(thing, added);
    return added;
  }
}
