package carillon.observe.metrics;

import carillon.job.Destination;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One counter for each destination, up to a bound; those that come later share one. A label is host
 * and port, nothing else of an address.
 */
final class BoundedLabelCounter {
  /** The label of those beyond the bound. */
  static final String OTHER = "other";

  private final Counter counter;
  private final int most;
  private final CounterDataPoint others;
  private final Map<Destination, CounterDataPoint> known = new ConcurrentHashMap<>();
  private final AtomicInteger labels = new AtomicInteger();

  BoundedLabelCounter(Counter counter, int most) {
    this.counter = counter;
    this.most = most;
    this.others = counter.labelValues(OTHER);
  }

  void count(Destination destination) {
    CounterDataPoint point = known.get(destination);
    if (point == null && labels.get() < most) {
      point = known.computeIfAbsent(destination, this::point);
    }
    (point == null ? others : point).inc();
  }

  private CounterDataPoint point(Destination destination) {
    return labels.incrementAndGet() > most
        ? others
        : counter.labelValues(destination.port() == 0 ? destination.host() : label(destination));
  }

  private static String label(Destination destination) {
    String host = destination.host();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + destination.port();
  }
}
