package carillon.observe.metrics;

import carillon.job.Destination;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counter of failed attempts with a label for each destination, up to a bound; all others share
 * one. Half of the labels are for whoever comes first. Of the rest a collection gets a tenth of all
 * at most, so that one that calls everywhere leaves some to others. A label is host and port,
 * nothing else of an address. Thread-safe.
 */
final class DestinationFailureCounter {
  /** The label of those without one of their own. */
  private static final String OTHER = "other";

  private static final int SHARE = 10;

  private final Counter counter;
  private final int maxLabels;
  private final CounterDataPoint others;
  private final Map<Destination, CounterDataPoint> known = new ConcurrentHashMap<>();
  private final Map<String, Integer> owned = new HashMap<>(); // under the lock

  /**
   * A counter that has counted nothing.
   *
   * @param counter with one label
   * @param maxLabels labels
   */
  DestinationFailureCounter(Counter counter, int maxLabels) {
    this.counter = counter;
    this.maxLabels = maxLabels;
    this.others = counter.labelValues(OTHER);
  }

  /**
   * One more failure.
   *
   * @param collection key of the collection whose job failed
   */
  void count(Destination destination, String collection) {
    CounterDataPoint point = known.get(destination);
    if (point == null) {
      point = known.size() < maxLabels ? add(destination, collection) : others;
    }
    point.inc();
  }

  private synchronized CounterDataPoint add(Destination destination, String collection) {
    CounterDataPoint found = known.get(destination);
    if (found != null) {
      return found;
    }
    int labels = known.size();
    boolean hasShare = owned.getOrDefault(collection, 0) >= Math.max(1, maxLabels / SHARE);
    if (labels >= maxLabels || (labels >= maxLabels / 2 && hasShare)) {
      return others;
    }
    owned.merge(collection, 1, Integer::sum);
    CounterDataPoint point = counter.labelValues(destination.authority());
    known.put(destination, point);
    return point;
  }
}
