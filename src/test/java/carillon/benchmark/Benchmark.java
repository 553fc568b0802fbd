package carillon.benchmark;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Measures a scheduler: the command {@code benchmark}, or {@code mvn -q compile
 * exec:java@benchmark} with options in {@code -Dexec.args}. Progress goes to standard error, the
 * result to standard output. Exit codes: see {@link Options#USAGE}.
 */
public final class Benchmark {
  private static final int FAILED = 1;
  private static final int FLAWED = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Options options;
  private final Cleanup cleanup;
  private final Progress progress = new Progress(System.err);

  private Benchmark(Options options, Cleanup cleanup) {
    this.options = options;
    this.cleanup = cleanup;
  }

  public static void main(String[] arguments) {
    System.exit(run(List.of(arguments)));
  }

  /** What the arguments may be. */
  public static String usage() {
    return Options.USAGE;
  }

  /** Measures; returns the exit code of the program. */
  public static int run(List<String> arguments) {
    if (OptionsParser.wantsHelp(arguments)) {
      System.out.println(Options.USAGE);
      return 0;
    }
    try {
      return new Benchmark(OptionsParser.parse(arguments), Cleanup.atExit()).run();
    } catch (RuntimeException e) {
      System.err.println("benchmark: " + e.getMessage());
      return FAILED;
    }
  }

  private int run() {
    progress.phase("starting");
    BenchmarkContext stage = stage();
    Map<String, String> facts = new LinkedHashMap<>(MachineInfo.facts());
    stage.redis().ifPresent(redis -> facts.putAll(redis.facts()));
    List<ResultRow> figures = new ArrayList<>();
    for (PhaseName name : PhaseName.values()) {
      if (options.only().contains(name)) {
        progress.phase(name.word());
        figures.addAll(Phase.named(name).run(stage));
      }
    }
    show(
        new Report(
            facts,
            options.judged() ? figures : figures.stream().map(ResultRow::unjudged).toList()));
    return verdict(stage.target());
  }

  private BenchmarkContext stage() {
    Vertx vertx = Vertx.vertx();
    cleanup.add(() -> Blocking.on(vertx.close(), PATIENCE));
    Scheduler scheduler = Scheduler.from(options, cleanup);
    Optional<RedisProbe> redis =
        scheduler.redis().map(uri -> Blocking.on(RedisProbe.connect(vertx, uri), PATIENCE));
    redis.ifPresent(probe -> cleanup.add(() -> Blocking.on(probe.close(), PATIENCE)));
    if (scheduler.leavesNothing()) {
      redis.ifPresent(RedisProbe::stopRewrites);
    }
    Target target = Blocking.on(Target.listen(vertx), PATIENCE);
    Load load = new Load(vertx, scheduler.url(), options.connections());
    String collection = "benchmark-" + Integer.toHexString(ThreadLocalRandom.current().nextInt());
    JobRequests requests = new JobRequests(scheduler.authority(), collection, target.uri());
    Blocking.on(load.once(requests.putCollection()), PATIENCE);
    if (!scheduler.leavesNothing()) {
      cleanup.add(() -> Blocking.on(load.once(requests.deleteCollection()), PATIENCE));
    }
    return new BenchmarkContext(vertx, options, scheduler, redis, target, requests, load, progress);
  }

  private void show(Report report) {
    System.out.println(report.text());
    options.json().ifPresent(report::writeJson);
  }

  private static int verdict(Target target) {
    List<Ledger> flawed = target.ledgers().stream().filter(ledger -> !ledger.isFlawless()).toList();
    flawed.forEach(ledger -> System.err.println("benchmark: " + ledger));
    return flawed.isEmpty() ? 0 : FLAWED;
  }
}
