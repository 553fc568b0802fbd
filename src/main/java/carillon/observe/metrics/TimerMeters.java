package carillon.observe.metrics;

import carillon.job.Attempt;
import carillon.job.JobDefinition;
import carillon.timer.TimerObserver;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.GaugeDataPoint;

/** Meters of the timer. */
final class TimerMeters implements TimerObserver {
  private final CounterDataPoint claimed;
  private final CounterDataPoint putOff;
  private final CounterDataPoint skipped;
  private final CounterDataPoint recovered;
  private final CounterDataPoint givenUp;
  private final GaugeDataPoint held;
  private final GaugeDataPoint waiting;
  private final TimerObserver traces;

  /**
   * @param givenUp counts executions that ended without success
   * @param traces is asked for the trace of a claim
   */
  TimerMeters(
      MeterFactory meters,
      CounterDataPoint givenUp,
      CounterDataPoint skipped,
      TimerObserver traces) {
    this.traces = traces;
    this.givenUp = givenUp;
    this.skipped = skipped;
    claimed =
        meters
            .counter("claimed_total", "Attempts that this node claimed, put off ones included.")
            .labelValues();
    putOff =
        meters
            .counter(
                "put_off_total",
                "Claimed attempts that were put off because their destination is too slow.")
            .labelValues();
    recovered =
        meters
            .counter("recovered_claims_total", "Claims of dead nodes that this node took back.")
            .labelValues();
    held = meters.gauge("in_flight", "Attempts that this node holds.").labelValues();
    waiting =
        meters
            .gauge("waiting", "Attempts of those in flight that wait for a place at their target.")
            .labelValues();
  }

  @Override
  public void claimed(int attempts) {
    claimed.inc(attempts);
  }

  @Override
  public void putOff() {
    putOff.inc();
  }

  @Override
  public void skipped(long occurrences) {
    skipped.inc(occurrences);
  }

  @Override
  public void givenUp() {
    givenUp.inc();
  }

  @Override
  public void recovered(int claims) {
    recovered.inc(claims);
  }

  @Override
  public void held(int attempts, int queued) {
    held.set(attempts);
    waiting.set(queued);
  }

  @Override
  public JobDefinition handsOut(Attempt attempt, JobDefinition definition, long sinceMillis) {
    return traces.handsOut(attempt, definition, sinceMillis);
  }
}
