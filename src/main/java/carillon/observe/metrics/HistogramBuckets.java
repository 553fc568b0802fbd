package carillon.observe.metrics;

import carillon.store.operation.ActivityCounts;
import java.time.Duration;
import java.time.Instant;

/** Prometheus counts in seconds, and our histograms have these bounds. */
final class HistogramBuckets {
  /** For what takes a moment: commands, requests. */
  static final double[] SHORT = {
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5
  };

  /** For what others take the time of: calls. */
  static final double[] LONG = {
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300
  };

  /** For what should be nothing and can be hours. */
  static final double[] LATENESS =
      ActivityCounts.BOUNDS.stream().mapToDouble(Double::doubleValue).toArray();

  private static final double NANOS = 1e9;

  private HistogramBuckets() {}

  static double between(Instant from, Instant to) {
    return of(Duration.between(from, to));
  }

  static double of(Duration duration) {
    return duration.getSeconds() + duration.getNano() / NANOS;
  }

  /** Since an instant of {@link System#nanoTime}. */
  static double since(long nanos) {
    return of(System.nanoTime() - nanos);
  }

  static double of(long nanos) {
    return nanos / NANOS;
  }
}
