package carillon.observe.metrics;

import carillon.dispatch.call.DispatchObserver;
import carillon.job.action.ActionCall;
import carillon.job.action.Destination;
import carillon.job.action.TraceContext;
import carillon.job.action.TraceContext.TraceSpan;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.store.attempt.AttemptOutcome;
import carillon.store.operation.ActivityCounts;
import carillon.store.operation.DestinationCounts;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Meters of attempts, and with them of executions. */
final class DispatchMeters implements DispatchObserver {
  /** Maximum number of destinations whose attempts are counted separately in a minute. */
  private static final int MAX_TRAFFIC = 200;

  private final Map<ActionCall.Kind, KindMeters> kinds = new EnumMap<>(ActionCall.Kind.class);
  private final CounterDataPoint completed;
  private final CounterDataPoint faulted;
  private final CounterDataPoint retries;
  private final CounterDataPoint errorActions;
  private final CounterDataPoint lost;
  private final CounterDataPoint refused;
  private final CounterDataPoint repeated;
  private final DistributionDataPoint lateness;
  private final Histogram latenesses;
  private final BoundedMeters<Destination, CounterDataPoint> failures;
  private final BoundedMeters<Destination, DistributionDataPoint> durations;
  private final CollectionMeters collections;
  private final DestinationTraffic traffic = new DestinationTraffic(MAX_TRAFFIC);
  private final DispatchObserver traces;

  /** The meters of one kind of action. */
  private record KindMeters(
      CounterDataPoint completed, CounterDataPoint failed, DistributionDataPoint duration) {
    KindMeters(String action, Counter attempts, Histogram durations) {
      this(
          attempts.labelValues(action, "completed"),
          attempts.labelValues(action, "failed"),
          durations.labelValues(action));
    }
  }

  /**
   * @param executions by outcome
   * @param refusals of the egress policy, by place
   * @param destinations maximum number of destinations with a label
   * @param collections also receives each attempt
   * @param traces returns the trace of an attempt
   */
  DispatchMeters(
      MeterFactory meters,
      Counter executions,
      Counter refusals,
      int destinations,
      CollectionMeters collections,
      DispatchObserver traces) {
    this.collections = collections;
    this.traces = traces;
    addKinds(meters);
    completed = executions.labelValues("completed");
    faulted = executions.labelValues("faulted");
    retries =
        meters.counter("retries_total", "Scheduled retries of failed attempts.").labelValues();
    errorActions = meters.counter("error_actions_total", "Scheduled error actions.").labelValues();
    lost =
        meters
            .counter(
                "lost_results_total",
                "Attempts that ended after another node had taken over their claim.")
            .labelValues();
    refused = refusals.labelValues("attempt");
    repeated =
        meters
            .counter(
                "repeated_calls_total",
                "Calls sent a second time because their kept connection closed before an answer.")
            .labelValues();
    latenesses =
        meters.histogram(
            "lateness_seconds",
            "Time from the due instant of an occurrence to its first attempt.",
            MeterFactory.LATENESS);
    lateness = latenesses.labelValues();
    failures = failuresByDestination(meters, destinations);
    durations = durationsByDestination(meters, destinations);
  }

  private void addKinds(MeterFactory meters) {
    Counter attempts =
        meters.counter("attempts_total", "Ended attempts, by kind of action.", "action", "outcome");
    Histogram took =
        meters.histogram(
            "attempt_duration_seconds",
            "Duration of attempts, by kind of action.",
            MeterFactory.LONG,
            "action");
    for (ActionCall.Kind kind : ActionCall.Kind.values()) {
      String label = kind.name().toLowerCase(Locale.ROOT);
      kinds.put(kind, new KindMeters(label, attempts, took));
    }
  }

  private static BoundedMeters<Destination, CounterDataPoint> failuresByDestination(
      MeterFactory meters, int destinations) {
    Counter failed =
        meters.counter(
            "destination_failures_total",
            "Failed attempts, by host and port. Further destinations count as other.",
            "destination");
    return new BoundedMeters<>(destinations, Destination::authority, failed::labelValues);
  }

  private static BoundedMeters<Destination, DistributionDataPoint> durationsByDestination(
      MeterFactory meters, int destinations) {
    Histogram took =
        meters.histogram(
            "destination_attempt_duration_seconds",
            "Duration of attempts, by host and port. Further destinations count as other.",
            MeterFactory.COARSE,
            "destination");
    return new BoundedMeters<>(destinations, Destination::authority, took::labelValues);
  }

  @Override
  public void finished(String collection, ActionCall call, AttemptOutcome outcome, Instant due) {
    HistoryEntry entry = outcome.entry();
    boolean success = entry.status() == HistoryEntry.Status.COMPLETED;
    KindMeters kind = kinds.get(call.kind());
    (success ? kind.completed : kind.failed).inc();
    double seconds = MeterFactory.secondsBetween(entry.start(), entry.end());
    kind.duration.observe(seconds);
    Destination destination = call.destination();
    traffic.finished(destination, success, seconds);
    durations.of(destination, collection).observe(seconds);
    CollectionMeters.Points own = collections.of(collection);
    (success ? own.attemptsCompleted() : own.attemptsFailed()).inc();
    own.duration().observe(seconds);
    if (outcome.isFirst()) {
      double late = Math.max(0, MeterFactory.secondsBetween(due, entry.start()));
      lateness.observe(late);
      own.lateness().observe(late);
    }
    if (success && entry.phase() == Attempt.Phase.MAIN) {
      completed.inc();
      own.completed().inc();
    }
    if (!success) {
      failures.of(destination, collection).inc();
      failed(own, outcome);
    }
  }

  private void failed(CollectionMeters.Points own, AttemptOutcome outcome) {
    Attempt.Phase phase = outcome.entry().phase();
    if (outcome.exhausted()) {
      faulted.inc();
      own.faulted().inc();
    }
    outcome
        .following()
        .ifPresent(next -> (next.attempt().phase() == phase ? retries : errorActions).inc());
  }

  @Override
  public TraceSpan begins(Attempt attempt, ActionCall call, Optional<TraceContext> parent) {
    return traffic.begins(call.destination(), traces.begins(attempt, call, parent));
  }

  /**
   * Returns the counts of each destination, by host and port, since the last minute was over.
   *
   * @param isMinuteOver whether they start again at zero
   */
  Map<String, DestinationCounts> destinations(boolean isMinuteOver) {
    return traffic.counts(isMinuteOver);
  }

  /** All that has been counted since the start. Slower than counting: not for every attempt. */
  ActivityCounts total() {
    ClassicHistogramBuckets buckets =
        latenesses.collect().getDataPoints().get(0).getClassicBuckets();
    return new ActivityCounts(
        sum(KindMeters::completed),
        sum(KindMeters::failed),
        IntStream.range(0, buckets.size()).mapToObj(buckets::getCount).toList());
  }

  private long sum(Function<KindMeters, CounterDataPoint> counter) {
    return kinds.values().stream().mapToLong(kind -> (long) counter.apply(kind).get()).sum();
  }

  @Override
  public void lost() {
    lost.inc();
  }

  @Override
  public void repeated() {
    repeated.inc();
  }

  @Override
  public void refused() {
    refused.inc();
  }
}
