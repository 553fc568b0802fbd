package carillon.benchmark;

import carillon.load.EpochMicros;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Phase {@code accept}: measures how many small jobs are accepted per second, next to servers that
 * do less work for each.
 */
final class SubmitPhase {
  private static final double SHARE_WANTED = 0.5;
  private static final int TURNS = 5;
  private static final String BARE_KEYS = "carillon-benchmark-bare:";

  private SubmitPhase() {}

  static List<ResultRow> run(BenchmarkContext context) {
    boolean ceilings = context.options().ceilings();
    Optional<SubmitMeasurement> bare = ceilings ? Optional.of(bare(context)) : Optional.empty();
    Optional<Double> alone =
        ceilings ? context.redis().flatMap(redis -> redisAlone(context, redis)) : Optional.empty();
    SubmitMeasurement accepting =
        new SubmitMeasurement(context, "accept", context.scheduler().url(), context::cpu);
    Optional<SubmitMeasurement> storing =
        ceilings
            ? context.redis().map(redis -> besideStoring(context, accepting, redis))
            : Optional.empty();
    if (storing.isEmpty()) {
      inTurn(context.options(), List.of(accepting), () -> {});
    }
    List<ResultRow> rows = new ArrayList<>(rows(accepting, storing));
    bare.map(SubmitMeasurement::perSecond)
        .map(nothing -> beside(accepting, "a server that does nothing", Optional.of(nothing)))
        .ifPresent(rows::add);
    alone
        .map(redis -> beside(accepting, "redis-benchmark EVALSHA -P 16", Optional.of(redis)))
        .ifPresent(rows::add);
    rows.addAll(
        accepting
            .cpuPerJob()
            .rows("accept", storing.map(SubmitMeasurement::cpuPerJob).orElse(CpuTime.UNKNOWN)));
    return rows;
  }

  private static SubmitMeasurement bare(BenchmarkContext context) {
    try (ChildProcess server = BenchmarkContext.startBaseline(BaselineMain.LISTENING, "bare")) {
      SubmitMeasurement accepting =
          new SubmitMeasurement(
              context,
              "accept, server that does nothing",
              BenchmarkContext.address(server),
              () -> new CpuTime(Optional.of(server.cpu()), Optional.empty(), Optional.empty()));
      inTurn(context.options(), List.of(accepting), () -> {});
      return accepting;
    }
  }

  /** Measures both servers in turn, because the speed of a shared machine changes quickly. */
  private static SubmitMeasurement besideStoring(
      BenchmarkContext context, SubmitMeasurement accepting, RedisProbe redis) {
    try (ChildProcess server =
        BenchmarkContext.startBaseline(
            BaselineMain.LISTENING, "storing", redis.uri().toString(), BARE_KEYS)) {
      SubmitMeasurement storing =
          new SubmitMeasurement(
              context,
              "accept, server that parses and stores",
              BenchmarkContext.address(server),
              () ->
                  new CpuTime(
                      Optional.of(server.cpu()), Optional.empty(), Optional.of(redis.cpu())));
      inTurn(context.options(), List.of(storing, accepting), () -> redis.remove(BARE_KEYS));
      return storing;
    }
  }

  private static Optional<Double> redisAlone(BenchmarkContext context, RedisProbe redis) {
    context.progress().phase("accept, redis-benchmark");
    try {
      return RedisBenchmark.scriptsPerSecond(redis, BARE_KEYS);
    } finally {
      redis.remove(BARE_KEYS);
    }
  }

  /**
   * @param tidy runs after each turn of a server, so that its stored data does not affect the other
   *     server
   */
  private static void inTurn(
      BenchmarkOptions options, List<SubmitMeasurement> servers, Runnable tidy) {
    for (SubmitMeasurement server : servers) {
      server.warmUp(options.warmup);
      tidy.run();
    }
    int turns = Math.min(TURNS, options.acceptSeconds);
    for (int turn = 0; turn < turns; turn++) {
      for (SubmitMeasurement server : servers) {
        server.measure(options.acceptSeconds / (double) turns);
        tidy.run();
      }
    }
  }

  private static List<ResultRow> rows(
      SubmitMeasurement accepting, Optional<SubmitMeasurement> storing) {
    return List.of(
        beside(
                accepting,
                "a server that parses and stores",
                storing.map(SubmitMeasurement::perSecond))
            .aimingAt(ResultRow.Goal.share(SHARE_WANTED)),
        latency(accepting, storing, 50),
        latency(accepting, storing, 99));
  }

  private static ResultRow beside(
      SubmitMeasurement accepting, String what, Optional<Double> ceiling) {
    return ResultRow.of("accept: jobs/s, beside " + what, accepting.perSecond()).besides(ceiling);
  }

  private static ResultRow latency(
      SubmitMeasurement accepting, Optional<SubmitMeasurement> storing, int percent) {
    return ResultRow.percentile("accept: answer", accepting.latency(), percent)
        .besides(storing.map(bare -> EpochMicros.toMillis(bare.latency().at(percent))));
  }
}
