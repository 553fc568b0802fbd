package carillon.benchmark;

import carillon.load.EpochMicros;
import carillon.load.Load;
import carillon.load.Percentiles;
import carillon.load.SendRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Phase {@code now}: submits a few jobs without startTime per second and measures the time from the
 * submission of each job to its call.
 */
final class ImmediatePhase {
  private static final double LIMIT_MS = 30;

  private ImmediatePhase() {}

  static List<ResultRow> run(BenchmarkContext context) {
    BenchmarkOptions options = context.options();
    int rate = options.nowRate;
    int warmUp = rate * options.warmup;
    int jobs = warmUp + rate * options.nowSeconds;
    JobBatch batch = context.target().open(JobBatch.undated("now", jobs));
    long[] sent = new long[jobs];
    long[] answered = new long[jobs];
    long begin = EpochMicros.now();
    Load.Work work =
        new Load.Work(
            SendRate.timed(jobs, i -> begin + i * EpochMicros.PER_SECOND / rate),
            i -> context.requests().putJob(batch.id(i), Optional.empty()),
            (index, sentAt, answeredAt) -> {
              sent[index] = sentAt;
              answered[index] = answeredAt;
            });
    context
        .progress()
        .await(context.load().run(work), () -> batch.called() + " of " + jobs + " called");
    context.awaitCalls(batch);
    return rows(batch, delays(batch, sent, warmUp), delays(batch, answered, warmUp));
  }

  /**
   * Returns the microseconds from these instants to the calls, for the called jobs from index
   * {@code from}.
   */
  static Percentiles delays(JobBatch batch, long[] since, int from) {
    return Percentiles.of(
        IntStream.range(from, since.length)
            .filter(i -> batch.arrival(i) != 0)
            .mapToLong(i -> batch.arrival(i) - since[i])
            .toArray());
  }

  private static List<ResultRow> rows(JobBatch batch, Percentiles sent, Percentiles answered) {
    List<ResultRow> rows = new ArrayList<>();
    rows.add(ResultRow.percentile("due now: PUT sent to call", sent, 50));
    rows.add(
        ResultRow.percentile("due now: PUT sent to call", sent, 99)
            .aimingAt(ResultRow.Goal.below(LIMIT_MS)));
    rows.add(ResultRow.percentile("due now: PUT answered to call", answered, 50));
    rows.add(ResultRow.percentile("due now: PUT answered to call", answered, 99));
    rows.addAll(ResultRow.guarantees("due now: ", batch));
    return rows;
  }
}
