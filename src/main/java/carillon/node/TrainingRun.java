package carillon.node;

import carillon.config.Settings;
import carillon.config.SettingsLoader;
import carillon.redis.embedded.EmbeddedRedis;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.Future;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Training run: puts a node under load, so that the JVM loads and compiles its code. The node has a
 * separate Redis in a temporary directory; its jobs call a target in this process, on loopback.
 * Half of the jobs run immediately, half only tomorrow. The client and the target use the JDK, so
 * that only the node uses Netty. Blocks; not for an event loop.
 */
public final class TrainingRun {
  private static final int CLIENTS = 16;
  private static final int CREATED = 201;
  private static final int MAX_END_SECONDS = 10;
  private static final String JOB =
      "{\"startTime\":\"%s\",\"action\":{\"type\":\"http\",\"request\":{\"uri\":\"%s\",\"method\":\"GET\"}}}";

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Duration time;
  private final BooleanSupplier isTrained;
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong called = new AtomicLong();

  private TrainingRun(Duration time, BooleanSupplier isTrained) {
    this.time = time;
    this.isTrained = isTrained;
  }

  /** Result of a run: jobs that the node accepted, and calls that the target received. */
  public record TrainingResult(long accepted, long called) {}

  /**
   * Runs, and removes all that it made.
   *
   * @param time how long the load lasts
   * @throws ExecutionException with the reason why the node did not start, or refused a job
   */
  public static TrainingResult run(Duration time)
      throws ExecutionException, IOException, InterruptedException {
    return new TrainingRun(time, () -> false).run();
  }

  /**
   * Runs until the JVM has compiled the code that the load uses. Removes all its files.
   *
   * @param time how long the load lasts at most
   * @throws ExecutionException with the reason why the node did not start, or refused a job
   */
  static TrainingResult warmUp(Duration time)
      throws ExecutionException, IOException, InterruptedException {
    return new TrainingRun(time, new QuietCompiler()).run();
  }

  private TrainingResult run() throws ExecutionException, IOException, InterruptedException {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Runtime.getRuntime().addShutdownHook(interrupting(Thread.currentThread(), ended));
    Path dir = Files.createTempDirectory("carillon-train-");
    try {
      inDirectory(dir);
    } finally {
      delete(dir);
      ended.complete(null);
    }
    return new TrainingResult(accepted.get(), called.get());
  }

  /** Returns a shutdown hook that interrupts the run, so that it removes its files. */
  private static Thread interrupting(Thread run, CompletableFuture<Void> ended) {
    return new Thread(
        () -> {
          if (!ended.isDone()) {
            run.interrupt();
            ended.completeOnTimeout(null, MAX_END_SECONDS, TimeUnit.SECONDS).join();
          }
        },
        "end-training");
  }

  private void inDirectory(Path dir) throws ExecutionException, IOException, InterruptedException {
    Settings settings =
        SettingsLoader.load(
            List.of(),
            Map.of(
                "CARILLON_DATA_DIR", dir.resolve("data").toString(),
                "CARILLON_HTTP_PORT", "0",
                "CARILLON_EGRESS_LOOPBACK", "allow"));
    HttpServer target = target();
    try (EmbeddedRedis redis = EmbeddedRedis.start(ServeProcess.embeddedOptions(settings))) {
      Node node = await(Node.start(settings, List.of(redis.uri()), true));
      try {
        load(
            "http://127.0.0.1:" + node.port() + "/jobcollections/default/jobs/",
            "http://127.0.0.1:" + target.getAddress().getPort() + "/");
      } finally {
        await(node.stop());
      }
    } finally {
      target.stop(0);
    }
  }

  private HttpServer target() throws IOException {
    HttpServer target =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    target.createContext("/", this::answer);
    target.start();
    return target;
  }

  private void answer(HttpExchange call) throws IOException {
    called.incrementAndGet();
    call.sendResponseHeaders(200, -1);
    call.close();
  }

  private void load(String jobs, String target) throws ExecutionException, InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    BooleanSupplier isOver = () -> System.nanoTime() - end >= 0 || isTrained.getAsBoolean();
    Instant now = InstantSource.system().instant();
    List<String> bodies =
        Stream.of(now, now.plus(Duration.ofDays(1)))
            .map(due -> JOB.formatted(due, target))
            .toList();
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<java.util.concurrent.Future<?>> running = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        String prefix = jobs + "job-" + i + "-";
        running.add(clients.submit(() -> submit(prefix, bodies, isOver)));
      }
      for (java.util.concurrent.Future<?> one : running) {
        one.get();
      }
    } finally {
      clients.shutdownNow();
    }
  }

  private Void submit(String prefix, List<String> bodies, BooleanSupplier isOver)
      throws IOException, InterruptedException {
    for (int n = 0; !isOver.getAsBoolean(); n++) {
      HttpRequest put =
          HttpRequest.newBuilder(URI.create(prefix + n))
              .header("Content-Type", "application/json")
              .PUT(BodyPublishers.ofString(bodies.get(n % bodies.size())))
              .build();
      int status = client.send(put, BodyHandlers.discarding()).statusCode();
      if (status != CREATED) {
        throw new IOException("the node answered " + status + " to a job of the training run");
      }
      accepted.incrementAndGet();
    }
    return null;
  }

  private static <T> T await(Future<T> future) throws ExecutionException, InterruptedException {
    return future.toCompletionStage().toCompletableFuture().get();
  }

  private static void delete(Path dir) throws IOException {
    try (Stream<Path> all = Files.walk(dir)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }

  /** Whether the compilers of the JVM have had next to nothing to do for seconds. Thread-safe. */
  private static final class QuietCompiler implements BooleanSupplier {
    private static final long SAMPLE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MAX_QUIET_MILLIS = 50;
    private static final int QUIET_SAMPLES = 3;

    /** Compiler of the JVM; none if the JVM only interprets. */
    private final Optional<CompilationMXBean> compiler =
        Optional.ofNullable(ManagementFactory.getCompilationMXBean());

    private long sampledAt = System.nanoTime();
    private long compiledMillis = compiledMillis();
    private int quiet;

    @Override
    public synchronized boolean getAsBoolean() {
      long now = System.nanoTime();
      if (now - sampledAt >= SAMPLE_NANOS) {
        long compiled = compiledMillis();
        quiet = compiled - compiledMillis <= MAX_QUIET_MILLIS ? quiet + 1 : 0;
        sampledAt = now;
        compiledMillis = compiled;
      }
      return quiet >= QUIET_SAMPLES;
    }

    private long compiledMillis() {
      return compiler.map(CompilationMXBean::getTotalCompilationTime).orElse(0L);
    }
  }
}
