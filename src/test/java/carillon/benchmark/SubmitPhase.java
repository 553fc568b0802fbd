package carillon.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How many small jobs are accepted per second, next to servers that do less for each. */
final class SubmitPhase implements Phase {
  private static final double SHARE_WANTED = 0.5;
  private static final int TURNS = 5;
  private static final String BARE_KEYS = "carillon-benchmark-bare:";

  @Override
  public List<ResultRow> run(BenchmarkContext stage) {
    boolean ceilings = stage.options().ceilings();
    Optional<SubmitMeasurement> bare = ceilings ? Optional.of(bare(stage)) : Optional.empty();
    Optional<Double> alone =
        ceilings ? stage.redis().flatMap(redis -> redisAlone(stage, redis)) : Optional.empty();
    SubmitMeasurement accepting =
        new SubmitMeasurement(stage, "accept", stage.scheduler().url(), stage::cpu);
    Optional<SubmitMeasurement> storing =
        ceilings
            ? stage.redis().map(redis -> besideStoring(stage, accepting, redis))
            : Optional.empty();
    if (storing.isEmpty()) {
      inTurn(stage.options(), List.of(accepting), () -> {});
    }
    List<ResultRow> figures = new ArrayList<>(figures(accepting, storing));
    bare.ifPresent(
        b ->
            figures.add(
                ResultRow.of(
                        "accept: jobs/s, beside a server that does nothing", accepting.perSecond())
                    .besides(Optional.of(b.perSecond()))));
    alone.ifPresent(
        a ->
            figures.add(
                ResultRow.of(
                        "accept: jobs/s, beside redis-benchmark EVALSHA -P 16",
                        accepting.perSecond())
                    .besides(alone)));
    figures.addAll(
        accepting
            .cpuPerJob()
            .figures(
                "accept",
                storing.map(SubmitMeasurement::cpuPerJob).orElse(CpuTime.PerJob.UNKNOWN)));
    return figures;
  }

  private static SubmitMeasurement bare(BenchmarkContext stage) {
    try (ChildProcess server = stage.startCeiling(BaselineMain.LISTENING, "bare")) {
      SubmitMeasurement accepting =
          new SubmitMeasurement(
              stage,
              "accept, server that does nothing",
              BenchmarkContext.address(server),
              () -> new CpuTime(Optional.of(server.cpu()), Optional.empty()));
      inTurn(stage.options(), List.of(accepting), () -> {});
      return accepting;
    }
  }

  /** Both in turn, since a machine that others use as well is not the same for long. */
  private static SubmitMeasurement besideStoring(
      BenchmarkContext stage, SubmitMeasurement accepting, RedisProbe redis) {
    try (ChildProcess server =
        stage.startCeiling(BaselineMain.LISTENING, "storing", redis.uri().toString(), BARE_KEYS)) {
      SubmitMeasurement storing =
          new SubmitMeasurement(
              stage,
              "accept, server that parses and stores",
              BenchmarkContext.address(server),
              () -> new CpuTime(Optional.of(server.cpu()), Optional.of(redis.cpu())));
      inTurn(stage.options(), List.of(storing, accepting), () -> redis.remove(BARE_KEYS));
      return storing;
    }
  }

  private static Optional<Double> redisAlone(BenchmarkContext stage, RedisProbe redis) {
    stage.progress().phase("accept, redis-benchmark");
    try {
      return new RedisBenchmark(redis, BARE_KEYS).scriptsPerSecond();
    } finally {
      redis.remove(BARE_KEYS);
    }
  }

  /**
   * @param tidy after each turn of a server, so that what one has stored is not in the way of the
   *     other
   */
  private static void inTurn(Options options, List<SubmitMeasurement> servers, Runnable tidy) {
    for (SubmitMeasurement server : servers) {
      server.warmUp(options.warmup());
      tidy.run();
    }
    int turns = Math.min(TURNS, options.acceptSeconds());
    for (int turn = 0; turn < turns; turn++) {
      for (SubmitMeasurement server : servers) {
        server.measure(options.acceptSeconds() / (double) turns);
        tidy.run();
      }
    }
  }

  private static List<ResultRow> figures(
      SubmitMeasurement accepting, Optional<SubmitMeasurement> storing) {
    return List.of(
        ResultRow.of(
                "accept: jobs/s, beside a server that parses and stores", accepting.perSecond())
            .besides(storing.map(SubmitMeasurement::perSecond))
            .aimingAt(new ResultRow.ShareOfCeiling(SHARE_WANTED)),
        percentile("accept: answer p50, ms", accepting, storing, 50),
        percentile("accept: answer p99, ms", accepting, storing, 99));
  }

  private static ResultRow percentile(
      String name,
      SubmitMeasurement accepting,
      Optional<SubmitMeasurement> storing,
      double percent) {
    return ResultRow.of(name, Phase.millis(accepting.latency().at(percent)))
        .besides(storing.map(bare -> Phase.millis(bare.latency().at(percent))));
  }
}
