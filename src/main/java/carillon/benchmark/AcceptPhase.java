package carillon.benchmark;

import io.vertx.core.Future;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** How many small jobs are accepted per second, next to servers that do less for each. */
final class AcceptPhase implements Phase {
  private static final long STRIDE = 7919;
  private static final long YEAR = 31_536_000;
  private static final double SHARE_WANTED = 0.5;
  private static final String BARE_KEYS = "carillon-benchmark-bare:";

  @Override
  public List<Figure> run(Stage stage) {
    boolean ceilings = stage.options().ceilings();
    Optional<Accepted> bare = ceilings ? Optional.of(bare(stage)) : Optional.empty();
    Optional<Accepted> storing =
        ceilings ? stage.redis().map(redis -> storing(stage, redis)) : Optional.empty();
    Optional<Double> alone =
        ceilings ? stage.redis().flatMap(redis -> redisAlone(stage, redis)) : Optional.empty();
    stage.progress().phase("accept");
    Accepted accepted = measure(stage, stage.scheduler().url(), stage::cpu);
    List<Figure> figures = new ArrayList<>(figures(accepted, storing));
    bare.ifPresent(
        b ->
            figures.add(
                Figure.of("accept: jobs/s, beside a server that does nothing", accepted.perSecond())
                    .besides(Optional.of(b.perSecond()))));
    alone.ifPresent(
        a ->
            figures.add(
                Figure.of(
                        "accept: jobs/s, beside redis-benchmark EVALSHA -P 16",
                        accepted.perSecond())
                    .besides(alone)));
    figures.addAll(
        accepted
            .cpuPerJob()
            .figures("accept", storing.map(Accepted::cpuPerJob).orElse(Cpu.PerJob.UNKNOWN)));
    return figures;
  }

  /**
   * What was answered within the measured time.
   *
   * @param latency of the answers, in microseconds
   */
  private record Accepted(Percentiles latency, double seconds, Cpu cpu) {
    int count() {
      return latency.count();
    }

    double perSecond() {
      return count() / seconds;
    }

    Cpu.PerJob cpuPerJob() {
      return cpu.per(count());
    }
  }

  private static Accepted bare(Stage stage) {
    stage.progress().phase("accept, server that does nothing");
    try (ChildProcess server = stage.startCeiling(Ceiling.LISTENING, "bare")) {
      return measure(
          stage, Stage.address(server), () -> new Cpu(Optional.of(server.cpu()), Optional.empty()));
    }
  }

  private static Accepted storing(Stage stage, RedisProbe redis) {
    stage.progress().phase("accept, server that parses and stores");
    try (ChildProcess server =
        stage.startCeiling(Ceiling.LISTENING, "storing", redis.uri().toString(), BARE_KEYS)) {
      return measure(
          stage,
          Stage.address(server),
          () -> new Cpu(Optional.of(server.cpu()), Optional.of(redis.cpu())));
    } finally {
      redis.remove(BARE_KEYS);
    }
  }

  private static Optional<Double> redisAlone(Stage stage, RedisProbe redis) {
    stage.progress().phase("accept, redis-benchmark");
    try {
      return new RedisBenchmark(redis, BARE_KEYS).scriptsPerSecond();
    } finally {
      redis.remove(BARE_KEYS);
    }
  }

  private static Accepted measure(Stage stage, URI server, Supplier<Cpu> cpu) {
    Options options = stage.options();
    Samples latency = new Samples();
    long from = Micros.now() + options.warmup() * Micros.PER_SECOND;
    long to = from + options.acceptSeconds() * Micros.PER_SECOND;
    IntFunction<Optional<Instant>> start = startTimes();
    Work work =
        new Work(
            Pace.until(to),
            i -> stage.requests().putJob("accept-" + i, start.apply(i)),
            (index, sent, answered) -> {
              if (answered >= from && answered < to) {
                latency.add(answered - sent);
              }
            });
    Future<Void> sent = new Load(stage.vertx(), server, options.connections()).run(work);
    stage.progress().until(() -> Micros.now() >= from || sent.isComplete(), () -> "warming up");
    Cpu before = cpu.get();
    stage
        .progress()
        .until(() -> Micros.now() >= to || sent.isComplete(), () -> latency.size() + " accepted");
    Cpu used = cpu.get().since(before);
    stage.progress().await(sent, () -> "the last answers");
    return new Accepted(latency.percentiles(), options.acceptSeconds(), used);
  }

  /** Far ahead and spread out, as they would be: equal instants cost a sorted set more. */
  private static IntFunction<Optional<Instant>> startTimes() {
    Instant first = Stage.farAhead();
    return i -> Optional.of(first.plusSeconds(i * STRIDE % YEAR));
  }

  private static List<Figure> figures(Accepted accepted, Optional<Accepted> storing) {
    return List.of(
        Figure.of("accept: jobs/s, beside a server that parses and stores", accepted.perSecond())
            .besides(storing.map(Accepted::perSecond))
            .aimingAt(new Figure.ShareOfCeiling(SHARE_WANTED)),
        percentile("accept: answer p50, ms", accepted, storing, 50),
        percentile("accept: answer p99, ms", accepted, storing, 99));
  }

  private static Figure percentile(
      String name, Accepted accepted, Optional<Accepted> storing, double percent) {
    return Figure.of(name, Phase.millis(accepted.latency.at(percent)))
        .besides(storing.map(bare -> Phase.millis(bare.latency.at(percent))));
  }
}
