package carillon.observe.metrics;

import carillon.redis.RedisObserver;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;

/** The links to Redis. */
final class RedisMeters implements RedisObserver {
  private final DistributionDataPoint commands;
  private final CounterDataPoint lost;
  private final CounterDataPoint restored;
  private final CounterDataPoint skipped;

  RedisMeters(MeterFactory meters, CounterDataPoint skipped) {
    this.skipped = skipped;
    commands =
        meters
            .histogram(
                "redis_command_seconds",
                "Time from sending a command to Redis to its answer.",
                HistogramBuckets.SHORT)
            .labelValues();
    lost =
        meters
            .counter("redis_connections_lost_total", "Connections to Redis that were lost or left.")
            .labelValues();
    restored =
        meters
            .counter("redis_reconnects_total", "Connections to Redis that were made again.")
            .labelValues();
  }

  @Override
  public void answered(long sentNanos) {
    commands.observe(HistogramBuckets.since(sentNanos));
  }

  @Override
  public void lost() {
    lost.inc();
  }

  @Override
  public void restored() {
    restored.inc();
  }

  @Override
  public void skipped(long occurrences) {
    skipped.inc(occurrences);
  }
}
