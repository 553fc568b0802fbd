package carillon.benchmark;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Jobs without startTime, a few per second: how long from submitting one to its call. */
final class ImmediatePhase implements Phase {
  private static final double LIMIT_MS = 30;

  @Override
  public List<ResultRow> run(BenchmarkContext stage) {
    Options options = stage.options();
    int rate = options.nowRate();
    int warmUp = rate * options.warmup();
    int jobs = warmUp + rate * options.nowSeconds();
    Ledger ledger = stage.target().open(Ledger.undated("now", jobs));
    long[] sent = new long[jobs];
    long[] answered = new long[jobs];
    long begin = EpochMicros.now();
    WorkSource work =
        new WorkSource(
            SendRate.timed(jobs, i -> begin + i * EpochMicros.PER_SECOND / rate),
            i -> stage.requests().putJob(ledger.id(i), Optional.empty()),
            (index, sentAt, answeredAt) -> {
              sent[index] = sentAt;
              answered[index] = answeredAt;
            });
    stage
        .progress()
        .await(stage.load().run(work), () -> ledger.called() + " of " + jobs + " called");
    stage.awaitCalls(ledger);
    return figures(ledger, delays(ledger, sent, warmUp), delays(ledger, answered, warmUp));
  }

  private static Percentiles delays(Ledger ledger, long[] since, int from) {
    return Percentiles.of(
        IntStream.range(from, since.length)
            .filter(i -> ledger.arrival(i) != 0)
            .mapToLong(i -> ledger.arrival(i) - since[i])
            .toArray());
  }

  private static List<ResultRow> figures(Ledger ledger, Percentiles sent, Percentiles answered) {
    return List.of(
        ResultRow.of("due now: PUT sent to call p50, ms", Phase.millis(sent.at(50))),
        ResultRow.of("due now: PUT sent to call p99, ms", Phase.millis(sent.at(99)))
            .aimingAt(new ResultRow.Below(LIMIT_MS)),
        ResultRow.of("due now: PUT answered to call p50, ms", Phase.millis(answered.at(50))),
        ResultRow.of("due now: PUT answered to call p99, ms", Phase.millis(answered.at(99))),
        ResultRow.of("due now: missing, jobs", ledger.missing()).aimingAt(ResultRow.NONE),
        ResultRow.of("due now: called twice, jobs", ledger.repeats()).aimingAt(ResultRow.NONE));
  }
}
