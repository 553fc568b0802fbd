package carillon.benchmark;

import carillon.load.Cleanup;
import carillon.load.EpochMicros;
import carillon.load.Load;
import carillon.load.MachineInfo;
import carillon.load.Progress;
import carillon.load.SendRate;
import carillon.support.Await;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * Comparison of Carillon with other schedulers. Each workload runs on each scheduler in turn, each
 * time with a fresh store and scheduler. For the main thread.
 */
final class Comparison {
  /** Folder with the script that runs Carillon. */
  static final Path OURS = Path.of("src", "test", "peers", "carillon");

  private static final List<Phase> WORKLOADS =
      List.of(Phase.ACCEPT, Phase.HERD, Phase.STEADY, Phase.NOW);
  private static final int CALLS_OF_WARM_UP = 50_000;

  private final BenchmarkOptions options;
  private final Cleanup cleanup = Cleanup.atExit();
  private final Progress progress = new Progress(System.err);
  private final Vertx vertx = Vertx.vertx();
  private final Map<String, String> facts = new LinkedHashMap<>();
  private final Map<String, String> unmeasured = new LinkedHashMap<>();
  private final List<ComparedResult> results = new ArrayList<>();

  /** Options of a comparison. */
  static final class Options {
    @Option(
        names = "--compare",
        required = true,
        description =
            "accept, herd, steady and now on Carillon's packaged program (mvn package) and on other schedulers")
    boolean compare;

    @Option(
        names = "--peers",
        paramLabel = "DIR",
        description = "folders of other schedulers, as benchmarks.md describes them")
    Optional<Path> peers = Optional.empty();

    @Option(
        names = "--schedulers",
        paramLabel = "NAMES",
        split = ",",
        hideParamSyntax = true,
        description = "comma-separated: carillon and folders of DIR; default: all")
    List<String> schedulers = List.of();

    @Option(names = "--cold", description = "without warming the schedulers up")
    boolean cold;
  }

  Comparison(BenchmarkOptions options) {
    this.options = options;
    cleanup.add(() -> Await.result(vertx.close()));
  }

  /**
   * Measures and prints the result on standard output.
   *
   * @return whether Carillon called each job exactly once and not early
   * @throws IllegalArgumentException when the options exclude each other
   * @throws IllegalStateException when a workload could not be measured with Carillon
   */
  boolean run() {
    if (options.url.isPresent() || options.redis.isPresent()) {
      throw new IllegalArgumentException(
          "--compare starts every scheduler and its store: it takes neither --url nor --redis");
    }
    List<Path> folders = folders();
    options.only.stream()
        .filter(phase -> !WORKLOADS.contains(phase))
        .forEach(phase -> unmeasured.put(phase.toString(), "is no workload of a comparison"));
    note();
    BatchTarget target = Await.result(BatchTarget.listen(vertx));
    warmUpLoad(target);
    for (Phase workload : WORKLOADS) {
      if (options.only.contains(workload)) {
        folders.forEach(folder -> measure(workload, folder, target));
      }
    }
    report();
    if (unmeasured.keySet().stream().anyMatch(what -> what.startsWith(name(OURS)))) {
      throw new IllegalStateException("Carillon was not measured");
    }
    return results.stream()
        .filter(result -> result.scheduler().equals(name(OURS)))
        .allMatch(ComparedResult::isFlawless);
  }

  private List<Path> folders() {
    List<Path> all = new ArrayList<>(List.of(OURS));
    options.comparison.peers.ifPresent(
        parent ->
            Peer.folders(parent).stream()
                .filter(folder -> !name(folder).equals(name(OURS)))
                .forEach(all::add));
    List<String> wanted = options.comparison.schedulers;
    List<String> names = all.stream().map(Comparison::name).toList();
    wanted.stream()
        .filter(name -> !names.contains(name))
        .forEach(name -> unmeasured.put(name, "there is no such folder with a peer.json"));
    return all.stream()
        .filter(folder -> wanted.isEmpty() || wanted.contains(name(folder)))
        .toList();
  }

  private static String name(Path folder) {
    return folder.getFileName().toString();
  }

  private void note() {
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
    facts.put("Carillon", version());
    facts.putAll(MachineInfo.facts());
    facts.put(
        "warm-up",
        options.comparison.cold ? "none" : options.warmup + " s of jobs that are called");
    facts.put("accept", options.connections + " connections, " + options.acceptSeconds + " s");
    facts.put("herd", options.herd + " jobs");
    facts.put("steady", options.rate + "/s for " + options.seconds + " s");
    facts.put("now", options.nowRate + "/s for " + options.nowSeconds + " s");
  }

  /** Returns the commit of this clone, or {@code unknown commit} without one. */
  private static String version() {
    try {
      Process git =
          new ProcessBuilder("git", "describe", "--always", "--dirty")
              .redirectErrorStream(true)
              .start();
      String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return said.matches("[\\w.-]+") ? "commit " + said : "unknown commit";
    } catch (IOException e) {
      return "unknown commit";
    }
  }

  /**
   * Warms up the virtual machine of the load. Otherwise the first scheduler would pay for its
   * compilers.
   */
  private void warmUpLoad(BatchTarget target) {
    progress.phase("warm-up of the load");
    try (ChildProcess server = BenchmarkContext.startBaseline(BaselineMain.LISTENING, "bare")) {
      JobRequests requests = new JobRequests("127.0.0.1", "warm", target.uri());
      Buffer put = requests.putJob("warm", Optional.empty());
      long end = EpochMicros.now() + options.warmup * EpochMicros.PER_SECOND / 2;
      Load.Work work = new Load.Work(SendRate.until(end), i -> put, (index, sent, answered) -> {});
      Load load = new Load(vertx, BenchmarkContext.address(server), options.connections);
      progress.await(load.run(work), () -> "submitting");
    }
    String calls = Integer.toString(CALLS_OF_WARM_UP);
    try (ChildProcess caller =
        BenchmarkContext.startBaseline(
            BaselineMain.DONE, "caller", target.uri().toString(), "warm", calls, "1")) {
      caller.awaitMarker();
    }
  }

  /** Measures a workload. Skips a scheduler that could not be started for an earlier workload. */
  private void measure(Phase workload, Path folder, BatchTarget target) {
    String name = name(folder);
    if (unmeasured.containsKey(name)) {
      return;
    }
    progress.phase(name + "-" + workload);
    try (RunningPeer running =
        RunningPeer.start(Peer.read(folder, System.getenv()), target.port())) {
      cleanup.add(running);
      String store = running.store().map(version -> ", " + version).orElse("");
      facts.put(name, running.peer().title() + store);
      measure(workload, running, target);
    } catch (RuntimeException | AssertionError e) {
      noteUnmeasured(name, e);
    }
  }

  private void measure(Phase workload, RunningPeer running, BatchTarget target) {
    try {
      results.add(new ComparedWorkloads(vertx, options, target, progress, running).run(workload));
    } catch (RuntimeException | AssertionError e) {
      noteUnmeasured(running.peer().name() + " " + workload, e);
    }
  }

  private void noteUnmeasured(String what, Throwable why) {
    String reason = (why.getCause() == null ? why : why.getCause()).getMessage();
    System.err.println("benchmark: " + what + ": " + reason);
    unmeasured.put(what, reason);
  }

  private void report() {
    facts.forEach((name, value) -> System.out.printf("%-24s %s%n", name, value));
    System.out.println();
    ComparedResult.table(results).forEach(System.out::println);
    unmeasured.forEach((what, why) -> System.out.printf("%nnot measured: %s: %s%n", what, why));
    options.json.ifPresent(
        file -> {
          unmeasured.forEach((what, why) -> facts.put("not measured: " + what, why));
          List<ResultRow> rows =
              results.stream().flatMap(result -> result.figures().stream()).toList();
          new Report(facts, rows).writeJson(file);
        });
  }
}
