package carillon.observe.metrics;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.function.Function;

/**
 * Meters of attempts and executions by collection, up to a bound of collections; the first that
 * have attempts are told apart. Thread-safe.
 */
final class CollectionMeters {
  private static final String LABEL = "collection";

  private final BoundedMeters<String, Points> meters;

  /** The meters of one collection. All series are there from the first attempt on. */
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
            "Attempts that ended, by collection; further collections count as other.",
            LABEL,
            "outcome");
    Counter executions =
        factory.counter(
            "collection_executions_total",
            "Executions that ended, by collection and outcome.",
            LABEL,
            "outcome");
    Histogram durations =
        factory.histogram(
            "collection_attempt_duration_seconds",
            "How long attempts took, by collection.",
            MeterFactory.COARSE,
            LABEL);
    Histogram latenesses =
        factory.histogram(
            "collection_lateness_seconds",
            "From the instant at which an occurrence was due to its first attempt, by collection.",
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
   * The meters of a collection.
   *
   * @param collection its key
   */
  Points of(String collection) {
    return meters.of(collection, collection);
  }
}
