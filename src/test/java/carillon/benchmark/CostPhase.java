package carillon.benchmark;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What each path costs Redis and the scheduler: what sizing is computed from. Each path is gone
 * twice, and the second time counts; after a smoke test the first.
 */
final class CostPhase implements Phase {
  private static final double SUBMITTED_PER_SECOND = 1000;
  private static final Duration QUIET = Duration.ofSeconds(10);
  private static final Duration SMOKE_QUIET = Duration.ofSeconds(1);
  private static final int NOTES_PER_JOB = 60;
  private static final int SHARE_NOTED = 10;

  /** What the keys of a script hold, and its name. */
  private static final Map<String, String> SCRIPTS =
      Map.of(
          "job,due,jobs,epochs", "put_job",
          "due,claims,epochs", "claim",
          "job,due,claims,history", "arm",
          "claims,job,due,history,jobs", "finish",
          "claims,due", "hand_back");

  @Override
  public List<ResultRow> run(BenchmarkContext stage) {
    if (stage.redis().isEmpty()) {
      System.err.println("benchmark: cost is skipped: --redis does not say where Redis is");
      return List.of();
    }
    int jobs = stage.options().herd();
    if (stage.options().judged()) {
      paths(stage, "warm", jobs);
    }
    List<ResultRow> figures = new ArrayList<>(paths(stage, "", jobs));
    figures.addAll(scripts(stage, Math.max(1, jobs / SHARE_NOTED)));
    return figures;
  }

  private static List<ResultRow> paths(BenchmarkContext stage, String prefix, int jobs) {
    List<ResultRow> figures = new ArrayList<>();
    figures.addAll(accepting(stage, prefix + "costaccept", jobs));
    figures.addAll(
        fired(stage, prefix + "costonce", jobs, false, false)
            .figures("one-time call", "job", jobs));
    figures.addAll(
        fired(stage, prefix + "costdaily", jobs, true, false)
            .figures("recurring call", "job", jobs));
    figures.addAll(
        fired(stage, prefix + "costretried", jobs, false, true)
            .figures("failed call and its retry", "job", jobs));
    figures.addAll(reading(stage, prefix + "costonce", jobs));
    figures.addAll(quiet(stage));
    return figures;
  }

  private static List<ResultRow> accepting(BenchmarkContext stage, String name, int jobs) {
    stage.progress().phase("cost: " + name);
    long due = BenchmarkContext.farAhead().toEpochMilli() * EpochMicros.PER_MILLI;
    Cost before = Cost.now(stage);
    stage.submit(SendRate.count(jobs), new Ledger(name, jobs, i -> due));
    return Cost.now(stage).since(before).figures("accept", "job", jobs);
  }

  private static List<ResultRow> reading(BenchmarkContext stage, String name, int jobs) {
    stage.progress().phase("cost: history");
    Cost before = Cost.now(stage);
    WorkSource work =
        new WorkSource(
            SendRate.count(jobs),
            i -> stage.requests().getHistory(name + "-" + i),
            (index, sent, answered) -> {});
    stage.progress().await(stage.load().run(work), () -> "reading");
    return Cost.now(stage).since(before).figures("history read", "read", jobs);
  }

  private static List<ResultRow> quiet(BenchmarkContext stage) {
    stage.progress().phase("cost: quiet");
    Duration time = stage.options().judged() ? QUIET : SMOKE_QUIET;
    Cost before = Cost.now(stage);
    Blocking.sleep(time);
    return Cost.now(stage).since(before).figures("one quiet node", "s", (double) time.toSeconds());
  }

  private static List<ResultRow> scripts(BenchmarkContext stage, int jobs) {
    RedisProbe redis = stage.redis().orElseThrow();
    redis.noteTimes(jobs * NOTES_PER_JOB);
    fired(stage, "costnoted", jobs, true, true);
    List<ResultRow> figures = new ArrayList<>();
    redis
        .scriptTimes()
        .forEach(
            (keys, times) -> {
              String name = "script " + SCRIPTS.getOrDefault(keys, keys) + ": ";
              figures.add(ResultRow.of(name + "us/call", times.getAverage()));
              figures.add(ResultRow.of(name + "calls/job", times.getCount() / (double) jobs));
            });
    return figures;
  }

  /** Jobs due at one instant, from a moment before it until all have called. */
  private static Cost fired(
      BenchmarkContext stage, String name, int jobs, boolean daily, boolean refused) {
    stage.progress().phase("cost: " + name);
    long due = BenchmarkContext.ahead(stage.options().lead() + jobs / SUBMITTED_PER_SECOND);
    Ledger ledger = stage.target().open(new Ledger(name, jobs, i -> due));
    URI called = refused ? stage.target().refusingUri() : stage.target().uri();
    Optional<Instant> start = Optional.of(BenchmarkContext.instant(due));
    stage.submit(
        SendRate.count(jobs),
        ledger,
        i -> stage.requests().putJob(ledger.id(i), start, daily, called));
    stage
        .progress()
        .until(
            () -> EpochMicros.now() >= due - EpochMicros.PER_SECOND / 2,
            () -> "waiting for the instant");
    Cost before = Cost.now(stage);
    stage.awaitCalls(ledger);
    return Cost.now(stage).since(before);
  }
}
