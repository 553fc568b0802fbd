package carillon.observe.metrics;

import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import java.util.function.LongConsumer;

/** How far behind the event loops are. */
public final class LoopMeters implements LongConsumer {
  private final DistributionDataPoint lag;

  LoopMeters(MeterFactory meters) {
    lag =
        meters
            .histogram(
                "event_loop_lag_seconds",
                "By how much timers of the event loops were late, four times a second on each.",
                HistogramBuckets.SHORT)
            .labelValues();
  }

  /** A loop was late by so many nanoseconds. */
  @Override
  public void accept(long nanos) {
    lag.observe(HistogramBuckets.of(nanos));
  }
}
