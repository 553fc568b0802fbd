package carillon.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Phase {@code memory}: stores jobs due far ahead and measures how much memory of Redis they take.
 */
final class MemoryPhase {
  private static final double LIMIT_BYTES = 1000;
  private static final String JOBS = "memory";
  private static final Duration SETTLE = Duration.ofSeconds(1);

  private MemoryPhase() {}

  static List<ResultRow> run(BenchmarkContext context) {
    if (context.redis().isEmpty()) {
      System.err.println("benchmark: memory is skipped: --redis does not say where Redis is");
      return List.of();
    }
    RedisProbe redis = context.redis().get();
    int jobs = context.options().memoryJobs;
    long before = redis.usedMemory();
    context.store(JOBS, jobs);
    context.progress().pass(SETTLE);
    double perJob = (redis.usedMemory() - before) / (double) jobs;
    List<ResultRow> rows = new ArrayList<>();
    rows.add(
        ResultRow.of("memory: bytes per stored job", perJob)
            .aimingAt(ResultRow.Goal.atMost(LIMIT_BYTES)));
    rows.addAll(examples(redis, context.requests().collection()));
    return rows;
  }

  private static List<ResultRow> examples(RedisProbe redis, String collection) {
    return redis
        .examples(
            List.of("*}:*" + collection + "/" + JOBS + "-*", "*}:*" + collection + "*", "*}:due"))
        .entrySet()
        .stream()
        .map(kind -> row(kind.getKey(), kind.getValue()))
        .toList();
  }

  /**
   * Returns the memory of a key. A hash or a list belongs to one job. A sorted set is shared: each
   * job has one entry in it.
   */
  private static ResultRow row(String kind, RedisProbe.Usage usage) {
    boolean shared = usage.type().equals("zset");
    String what = shared ? "bytes per entry (of " + usage.entries() + ")" : "bytes";
    return ResultRow.of(
        "memory: " + kind + " (" + usage.type() + "), " + what,
        shared ? usage.bytes() / (double) usage.entries() : usage.bytes());
  }
}
