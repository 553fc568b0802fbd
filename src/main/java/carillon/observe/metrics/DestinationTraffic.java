package carillon.observe.metrics;

import carillon.job.action.Destination;
import carillon.job.action.TraceContext;
import carillon.job.action.TraceContext.TraceSpan;
import carillon.job.attempt.HistoryEntry;
import carillon.store.operation.DestinationCounts;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Traffic of this node with each destination: the calls of a minute, and their outcomes. A bounded
 * number of destinations is counted separately; further ones count as one. A destination that was
 * idle for a minute makes room. Thread-safe.
 */
final class DestinationTraffic {
  private final int max;
  private final Map<Destination, Tally> tallies = new HashMap<>(); // under the lock, as all below
  private final Tally others = new Tally();

  /** Counts of one destination. */
  private static final class Tally {
    private long completed;
    private long failed;
    private long inFlight;
    private final long[] durations = new long[DestinationCounts.BOUNDS.size() + 1];

    boolean isIdle() {
      return completed == 0 && failed == 0 && inFlight == 0;
    }

    DestinationCounts counts() {
      return new DestinationCounts(
          completed, failed, inFlight, Arrays.stream(durations).boxed().toList());
    }

    void clear() {
      completed = 0;
      failed = 0;
      Arrays.fill(durations, 0);
    }
  }

  /**
   * Creates traffic without any destination.
   *
   * @param max maximum number of separate destinations
   */
  DestinationTraffic(int max) {
    this.max = max;
  }

  private Tally of(Destination destination) {
    Tally known = tallies.get(destination);
    if (known != null) {
      return known;
    }
    return tallies.size() < max
        ? tallies.computeIfAbsent(destination, added -> new Tally())
        : others;
  }

  /** An attempt begins; it is in flight until the span ends. */
  synchronized TraceSpan begins(Destination destination, TraceSpan span) {
    Tally tally = of(destination);
    tally.inFlight++;
    return new CountedSpan(tally, span);
  }

  private synchronized void ended(Tally tally) {
    tally.inFlight--;
  }

  /** An attempt is over. */
  synchronized void finished(Destination destination, boolean isSuccess, double seconds) {
    Tally tally = of(destination);
    if (isSuccess) {
      tally.completed++;
    } else {
      tally.failed++;
    }
    tally.durations[DestinationCounts.slot(seconds)]++;
  }

  /**
   * Returns the counts by host and port since the last minute was over.
   *
   * @param isMinuteOver whether they start again at zero
   */
  synchronized Map<String, DestinationCounts> counts(boolean isMinuteOver) {
    Map<String, DestinationCounts> counts =
        tallies.entrySet().stream()
            .collect(
                Collectors.toMap(
                    one -> one.getKey().authority(),
                    one -> one.getValue().counts(),
                    DestinationCounts::plus,
                    TreeMap::new));
    if (!others.isIdle()) {
      counts.merge(DestinationCounts.OTHERS, others.counts(), DestinationCounts::plus);
    }
    if (isMinuteOver) {
      tallies.values().forEach(Tally::clear);
      tallies.values().removeIf(Tally::isIdle);
      others.clear();
    }
    return counts;
  }

  /** Counts an attempt as in flight until its span ends. */
  private final class CountedSpan implements TraceSpan {
    private final Tally tally;
    private final TraceSpan span;

    CountedSpan(Tally tally, TraceSpan span) {
      this.tally = tally;
      this.span = span;
    }

    @Override
    public Optional<TraceContext> context() {
      return span.context();
    }

    @Override
    public void status(int status) {
      span.status(status);
    }

    @Override
    public void outcome(HistoryEntry.Status status) {
      span.outcome(status);
    }

    @Override
    public void ended() {
      span.ended();
      DestinationTraffic.this.ended(tally);
    }
  }
}
