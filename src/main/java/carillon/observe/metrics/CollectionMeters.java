package carillon.observe.metrics;

import carillon.access.Visibility;
import carillon.job.name.CollectionName;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.function.Function;

/**
 * Meters of attempts and executions by collection, up to a bound of collections. The first
 * collections with attempts have separate meters. Thread-safe.
 */
final class CollectionMeters {
  private static final String LABEL = "collection";

  private final BoundedMeters<String, Points> meters;

  /** Meters of one collection. All series exist from the first attempt on. */
  record Points(
      CounterDataPoint attemptsCompleted,
      CounterDataPoint attemptsFailed,
      CounterDataPoint completed,
      CounterDataPoint faulted,
      CounterDataPoint interrupted,
      DistributionDataPoint duration,
      DistributionDataPoint lateness) {}

  CollectionMeters(MeterFactory factory, int maxCollections) {
    Counter attempts =
        factory.counter(
            "collection_attempts_total",
            "Ended attempts, by collection. Further collections count as other.",
            LABEL,
            "outcome");
    Counter executions =
        factory.counter(
            "collection_executions_total",
            "Ended executions, by collection and outcome.",
            LABEL,
            "outcome");
    Histogram durations =
        factory.histogram(
            "collection_attempt_duration_seconds",
            "Duration of attempts, by collection.",
            MeterFactory.COARSE,
            LABEL);
    Histogram latenesses =
        factory.histogram(
            "collection_lateness_seconds",
            "Time from the due instant of an occurrence to its first attempt, by collection.",
            MeterFactory.COARSE,
            LABEL);
    meters =
        new BoundedMeters<>(
            maxCollections,
            Function.identity(),
            label ->
                new Points(
                    attempts.labelValues(label, "completed"),
                    attempts.labelValues(label, "failed"),
                    executions.labelValues(label, "completed"),
                    executions.labelValues(label, "faulted"),
                    executions.labelValues(label, "interrupted"),
                    durations.labelValues(label),
                    latenesses.labelValues(label)));
  }

  /**
   * Returns the meters of the collections that are visible. Leaves out meters that cover several
   * collections: those without the label, or with the label {@code other}.
   */
  static MetricSnapshots visible(MetricSnapshots all, Visibility visible) {
    MetricSnapshots.Builder some = MetricSnapshots.builder();
    for (MetricSnapshot snapshot : all) {
      if (snapshot instanceof CounterSnapshot counter) {
        List<CounterSnapshot.CounterDataPointSnapshot> points =
            visible(counter.getDataPoints(), visible);
        if (!points.isEmpty()) {
          some.metricSnapshot(new CounterSnapshot(counter.getMetadata(), points));
        }
      } else if (snapshot instanceof HistogramSnapshot histogram) {
        List<HistogramSnapshot.HistogramDataPointSnapshot> points =
            visible(histogram.getDataPoints(), visible);
        if (!points.isEmpty()) {
          some.metricSnapshot(new HistogramSnapshot(histogram.getMetadata(), points));
        }
      }
    }
    return some.build();
  }

  private static <P extends DataPointSnapshot> List<P> visible(List<P> points, Visibility visible) {
    return points.stream().filter(point -> isVisible(point.getLabels(), visible)).toList();
  }

  private static boolean isVisible(Labels labels, Visibility visible) {
    String collection = labels.get(LABEL);
    return collection != null
        && collection.indexOf('/') >= 0
        && visible.includes(CollectionName.parse(collection));
  }

  /**
   * The meters of a collection.
   *
   * @param collection its key
   */
  Points of(String collection) {
    return meters.of(collection, collection);
  }
}
