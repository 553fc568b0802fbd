package carillon.benchmark;

import carillon.load.EpochMicros;
import carillon.load.Load;
import carillon.load.SendRate;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Phase {@code cost}: measures the cost of each path for Redis and the scheduler, as the basis of
 * sizing. Each path runs twice. Only the second run is measured, because the first loads classes.
 */
final class CostPhase {
  private static final double SUBMITTED_PER_SECOND = 1000;

  /**
   * Duration of the quiet measurement: the longest of a node's short periods, such as heartbeats
   * and checks of all partitions.
   */
  private static final Duration QUIET = Duration.ofSeconds(10);

  private static final int MAX_COUNTS = 3;
  private static final int NOTES_PER_JOB = 60;
  private static final int SHARE_NOTED = 10;
  private static final String COMMANDS = "commands, in scripts too";
  private static final String ALLOCATED = "allocated by the program, bytes";

  /** Names of the scripts by the kinds of their keys. */
  static final Map<String, String> SCRIPTS =
      Map.of(
          "", "create_jobs", // its calls pass none
          "due,claims,epochs,gates", "claim_due",
          "job,due,claims,history", "schedule_next",
          "claims,job,due,history,jobs,finished", "finish",
          "claims,due", "release");

  /**
   * Maximum number of commands of a path, including those in scripts: a tenth above the highest
   * count observed.
   */
  private static final Map<String, Double> MAX_COMMANDS =
      Map.of(
          "accept", 6.2,
          "one-time call", 11.0,
          "recurring call", 11.2,
          "failed call and its retry", 26.0,
          "history read", 3.4,
          "one quiet node", 233.0);

  /**
   * Maximum number of bytes that the program allocates for a path in a short run: a tenth above the
   * highest count observed. In a short run, C2 compiles little and few jobs share a batch. The
   * bytes represent processor time. They are counted, so that a busy machine does not matter.
   */
  private static final Map<String, Double> MAX_ALLOCATED =
      Map.of(
          "accept", 26_000.0,
          "one-time call", 38_000.0,
          "recurring call", 60_000.0,
          "failed call and its retry", 101_000.0,
          "history read", 22_400.0);

  private static final Map<String, Map<String, Double>> BARS =
      Map.of(COMMANDS, MAX_COMMANDS, ALLOCATED, MAX_ALLOCATED);

  private CostPhase() {}

  static List<ResultRow> run(BenchmarkContext context) {
    if (context.redis().isEmpty()) {
      System.err.println("benchmark: cost is skipped: --redis does not say where Redis is");
      return List.of();
    }
    int jobs = context.options().herd;
    Cost quiet = quiet(context);
    List<Path> paths = paths(context, jobs);
    paths.forEach(Path::warm);
    List<ResultRow> rows = new ArrayList<>();
    paths.forEach(path -> rows.addAll(path.rows(jobs, quiet.idle())));
    rows.addAll(quiet.rows("one quiet node", "s", quiet.seconds(), Idle.NOTHING));
    rows.addAll(scripts(context, Math.max(1, jobs / SHARE_NOTED)));
    return rows;
  }

  /**
   * Path whose cost is measured.
   *
   * @param unit unit of the count, such as {@code job}
   * @param gone runs the path with jobs of this prefix
   */
  private record Path(String name, String unit, Function<String, Cost> gone) {
    /** Runs the path for the first time, which loads classes. */
    void warm() {
      Cost unused = gone.apply("warm");
    }

    /**
     * Measures the cost, and repeats that up to twice while a figure is above its bar. During a
     * pause of the machine, compilers and timers add work to the count. A single high count
     * therefore proves nothing.
     */
    List<ResultRow> rows(int jobs, Idle idle) {
      List<ResultRow> rows = List.of();
      for (int time = 1; time <= MAX_COUNTS; time++) {
        rows = gone.apply(time == 1 ? "" : "again" + time).rows(name, unit, jobs, idle);
        if (rows.stream().allMatch(row -> row.met().orElse(true))) {
          return rows;
        }
      }
      return rows;
    }
  }

  private static List<Path> paths(BenchmarkContext context, int jobs) {
    return List.of(
        new Path("accept", "job", prefix -> accepting(context, prefix + "costaccept", jobs)),
        new Path(
            "one-time call",
            "job",
            prefix -> fired(context, prefix + "costonce", jobs, false, false)),
        new Path(
            "recurring call",
            "job",
            prefix -> fired(context, prefix + "costdaily", jobs, true, false)),
        new Path(
            "failed call and its retry",
            "job",
            prefix -> fired(context, prefix + "costretried", jobs, false, true)),
        new Path("history read", "read", prefix -> reading(context, "warmcostonce", jobs)));
  }

  private static Cost accepting(BenchmarkContext context, String name, int jobs) {
    context.progress().phase("cost: " + name);
    Cost before = Cost.now(context);
    context.store(name, jobs);
    return Cost.now(context).since(before);
  }

  private static Cost reading(BenchmarkContext context, String name, int jobs) {
    context.progress().phase("cost: history");
    Cost before = Cost.now(context);
    Load.Work work =
        new Load.Work(
            SendRate.count(jobs),
            i -> context.requests().getHistory(name + "-" + i),
            (index, sent, answered) -> {});
    context.progress().await(context.load().run(work), () -> "reading");
    return Cost.now(context).since(before);
  }

  /**
   * Measures a quiet node. Runs before the paths, because the program closes unused connections
   * within this time.
   */
  private static Cost quiet(BenchmarkContext context) {
    context.progress().phase("cost: quiet");
    Cost before = Cost.now(context);
    context.progress().pass(QUIET);
    return Cost.now(context).since(before);
  }

  private static List<ResultRow> scripts(BenchmarkContext context, int jobs) {
    RedisProbe redis = context.redis().orElseThrow();
    redis.noteTimes(jobs * NOTES_PER_JOB);
    fired(context, "costnoted", jobs, true, true);
    List<ResultRow> rows = new ArrayList<>();
    redis
        .scriptTimes()
        .forEach(
            (keys, times) -> {
              String name = "script " + SCRIPTS.getOrDefault(keys, keys) + ": ";
              rows.add(ResultRow.of(name + "us/call", times.getAverage()));
              rows.add(ResultRow.of(name + "calls/job", times.getCount() / (double) jobs));
            });
    return rows;
  }

  /** Returns the cost of jobs due at one instant, from shortly before it until all have called. */
  private static Cost fired(
      BenchmarkContext context, String name, int jobs, boolean daily, boolean refused) {
    context.progress().phase("cost: " + name);
    long due = BenchmarkContext.ahead(context.options().lead() + jobs / SUBMITTED_PER_SECOND);
    JobBatch batch = context.target().open(new JobBatch(name, jobs, i -> due));
    URI called = refused ? context.target().refusingUri() : context.target().uri();
    Optional<Instant> start = Optional.of(EpochMicros.toInstant(due));
    context.submit(
        SendRate.count(jobs),
        batch,
        i -> context.requests().putJob(batch.id(i), start, daily, called));
    context.awaitInstant(batch);
    Cost before = Cost.now(context);
    context.awaitCalls(batch);
    return Cost.now(context).since(before);
  }

  /**
   * Work of a node in one second without jobs.
   *
   * @param allocated bytes
   */
  private record Idle(double commands, double allocated) {
    static final Idle NOTHING = new Idle(0, 0);
  }

  /**
   * Work of Redis, and resources used by Redis and the scheduler, either so far or between two
   * readings.
   */
  private record Cost(
      RedisProbe.Counters redis, CpuTime cpu, Optional<Long> allocated, long nanos) {
    static Cost now(BenchmarkContext context) {
      return new Cost(
          context.redis().orElseThrow().counters(),
          context.cpu(),
          context.allocation().map(AllocationProbe::bytes),
          System.nanoTime());
    }

    Cost since(Cost before) {
      return new Cost(
          redis.since(before.redis),
          cpu.since(before.cpu),
          allocated.map(bytes -> bytes - before.allocated.orElseThrow()),
          nanos - before.nanos);
    }

    /** Returns the work of a node in one second without jobs. */
    Idle idle() {
      return new Idle(redis.commands() / seconds(), allocated.orElse(0L) / seconds());
    }

    double seconds() {
      return nanos / 1e9;
    }

    /**
     * @param path name of the path
     * @param unit unit of the count, such as {@code job}
     * @param count number of units
     * @param idle work of a quiet node, which is not part of the path
     */
    List<ResultRow> rows(String path, String unit, double count, Idle idle) {
      Map<String, Double> figures = new LinkedHashMap<>();
      cpu.redis().ifPresent(time -> figures.put("CPU of Redis, us", CpuTime.micros(time)));
      figures.put("scripts", (double) redis.scripts());
      figures.put(COMMANDS, redis.commands() - idle.commands * seconds());
      allocated.ifPresent(bytes -> figures.put(ALLOCATED, bytes - idle.allocated * seconds()));
      figures.put("to Redis, bytes", (double) redis.received());
      figures.put("from Redis, bytes", (double) redis.sent());
      figures.put("memory of Redis, bytes", (double) redis.memory());
      cpu.eventLoops()
          .ifPresent(time -> figures.put("CPU of event loops, us", CpuTime.micros(time)));
      cpu.program().ifPresent(time -> figures.put("CPU of the program, us", CpuTime.micros(time)));
      return figures.entrySet().stream()
          .map(each -> row(path, each.getKey(), unit, each.getValue() / count))
          .toList();
    }

    private static ResultRow row(String path, String figure, String unit, double value) {
      ResultRow row = ResultRow.of("cost " + path + ": " + figure + "/" + unit, value);
      Double bar = BARS.getOrDefault(figure, Map.of()).get(path);
      return bar == null ? row : row.aimingAt(ResultRow.Goal.counted(bar));
    }
  }
}
