package carillon.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Stores jobs that are due far ahead and asks Redis how much memory that took. */
final class MemoryPhase implements Phase {
  private static final double LIMIT_BYTES = 1000;
  private static final String JOBS = "memory";
  private static final Duration SETTLE = Duration.ofSeconds(1);

  @Override
  public List<ResultRow> run(BenchmarkContext stage) {
    if (stage.redis().isEmpty()) {
      System.err.println("benchmark: memory is skipped: --redis does not say where Redis is");
      return List.of();
    }
    RedisProbe redis = stage.redis().get();
    int jobs = stage.options().memoryJobs();
    long before = redis.usedMemory();
    long due = BenchmarkContext.farAhead().toEpochMilli() * EpochMicros.PER_MILLI;
    stage.submit(SendRate.count(jobs), new Ledger(JOBS, jobs, i -> due));
    Blocking.sleep(SETTLE);
    double perJob = (redis.usedMemory() - before) / (double) jobs;
    List<ResultRow> figures = new ArrayList<>();
    figures.add(
        ResultRow.of("memory: bytes per stored job", perJob)
            .aimingAt(new ResultRow.AtMost(LIMIT_BYTES)));
    figures.addAll(examples(redis, stage.requests().collection()));
    return figures;
  }

  private static List<ResultRow> examples(RedisProbe redis, String collection) {
    List<ResultRow> figures = new ArrayList<>();
    redis
        .examples(
            List.of("*}:*" + collection + "/" + JOBS + "-*", "*}:*" + collection + "*", "*}:due"))
        .forEach((kind, usage) -> figures.add(figure(kind, usage)));
    return figures;
  }

  /** A hash or a list belongs to one job; of a sorted set a job takes one entry. */
  private static ResultRow figure(String kind, RedisProbe.Usage usage) {
    boolean shared = usage.type().equals("zset");
    String what = shared ? "bytes per entry (of " + usage.entries() + ")" : "bytes";
    return new ResultRow(
        "memory: " + kind + " (" + usage.type() + "), " + what,
        shared ? usage.bytes() / (double) usage.entries() : usage.bytes(),
        Optional.empty(),
        Optional.empty());
  }
}
