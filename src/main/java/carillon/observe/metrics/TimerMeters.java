package carillon.observe.metrics;

import carillon.flow.FlowGrant.BreakerState;
import carillon.job.JobDefinition;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.timer.TimerObserver;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.GaugeDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.stream.Stream;

/** Meters of the timer. */
final class TimerMeters implements TimerObserver {
  private final CounterDataPoint claimed;
  private final CounterDataPoint deferred;
  private final Counter skipped;
  private final CounterDataPoint recovered;
  private final CounterDataPoint faulted;
  private final CounterDataPoint interrupted;
  private final GaugeDataPoint inFlight;
  private final GaugeDataPoint waiting;
  private final Counter flowBegun;
  private final Counter flowLimited;
  private final Counter breakerChanges;
  private final CollectionMeters collections;
  private final TimerObserver traces;

  /**
   * @param executions by outcome
   * @param collections also receives executions
   * @param traces returns the trace of a claim
   */
  TimerMeters(
      MeterFactory meters,
      Counter executions,
      Counter skipped,
      CollectionMeters collections,
      TimerObserver traces) {
    this.collections = collections;
    this.traces = traces;
    faulted = executions.labelValues("faulted");
    interrupted = executions.labelValues("interrupted");
    this.skipped = skipped;
    // A series that begins with its first occurrence has no increase.
    Stream.of(HistoryEntry.Reason.values())
        .filter(reason -> reason != HistoryEntry.Reason.INTERRUPTED)
        .map(HistoryEntry.Reason::word)
        .forEach(skipped::initLabelValues);
    claimed =
        meters
            .counter(
                "claimed_total",
                "Attempts claimed by this node. Includes attempts that it deferred afterwards.")
            .labelValues();
    deferred =
        meters
            .counter(
                "put_off_total", "Due attempts deferred because their destination is too slow.")
            .labelValues();
    recovered =
        meters
            .counter("recovered_claims_total", "Claims of dead nodes recovered by this node.")
            .labelValues();
    flowBegun = meters.counter("flow_begun_total", "Calls started by this node, by flow.", "flow");
    flowLimited =
        meters.counter(
            "flow_limited_total",
            "Attempts parked in Redis because of the limits of their flow.",
            "flow");
    breakerChanges =
        meters.counter(
            "flow_breaker_changes_total",
            "Changes of breakers by this node, by flow and new state.",
            "flow",
            "to");
    inFlight =
        meters
            .gauge("in_flight", "Attempts in flight on this node: claimed and not ended.")
            .labelValues();
    waiting =
        meters
            .gauge("waiting", "In-flight attempts that wait for a free place at their destination.")
            .labelValues();
  }

  @Override
  public void claimed(int attempts) {
    claimed.inc(attempts);
  }

  @Override
  public void deferred(int attempts) {
    deferred.inc(attempts);
  }

  @Override
  public void skipped(long occurrences, HistoryEntry.Reason reason) {
    skipped.labelValues(reason.word()).inc(occurrences);
  }

  @Override
  public void givenUp(String collection, boolean isInterrupted) {
    CollectionMeters.Points own = collections.of(collection);
    (isInterrupted ? interrupted : faulted).inc();
    (isInterrupted ? own.interrupted() : own.faulted()).inc();
  }

  @Override
  public void recovered(int claims) {
    recovered.inc(claims);
  }

  @Override
  public void flowBegun(String flow) {
    flowBegun.labelValues(flow).inc();
  }

  @Override
  public void flowLimited(String flow) {
    flowLimited.labelValues(flow).inc();
  }

  @Override
  public void breakerChanged(String flow, BreakerState state) {
    breakerChanges.labelValues(flow, state.word()).inc();
  }

  @Override
  public void inFlight(int attempts, int queued) {
    inFlight.set(attempts);
    waiting.set(queued);
  }

  @Override
  public JobDefinition handsOut(Attempt attempt, JobDefinition definition, long sinceMillis) {
    return traces.handsOut(attempt, definition, sinceMillis);
  }
}
