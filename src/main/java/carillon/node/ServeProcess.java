package carillon.node;

import carillon.config.RedisSettings;
import carillon.config.Settings;
import carillon.config.Settings.EmbeddedSettings.Fsync;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.observe.LogSetup;
import carillon.redis.embedded.EmbeddedRedis;
import carillon.redis.embedded.EmbeddedRedisException;
import carillon.redis.embedded.EmbeddedRedisOptions;
import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process of a node: starts the node, stops it on a signal, sets the exit code. */
public final class ServeProcess {
  private static final Logger LOG = LoggerFactory.getLogger(ServeProcess.class);
  private static final int FAILED = 1;

  private final Settings settings;
  private final NodeLifecycle lifecycle = new NodeLifecycle();
  private final CompletableFuture<Node> started = new CompletableFuture<>();
  private Optional<EmbeddedRedis> redis = Optional.empty();

  public ServeProcess(Settings settings) {
    this.settings = settings;
  }

  /** Returns when the process listens; the process then lives until it is asked to end. */
  public void start() throws InterruptedException {
    try {
      StartupValidation.checkListening(settings);
      warmUp();
      Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop"));
      redis =
          settings.redis().isEmbedded()
              ? Optional.of(EmbeddedRedis.start(embeddedOptions(settings)).supervised())
              : Optional.empty();
      List<URI> uris =
          redis.map(keeper -> List.of(keeper.uri())).orElseGet(() -> settings.redis().uri());
      started.complete(
          Node.start(settings, uris, redis.isPresent(), lifecycle)
              .toCompletionStage()
              .toCompletableFuture()
              .get());
    } catch (CancellationException e) {
      started.cancel(false); // by stop, which ends the process
    } catch (ExecutionException | EmbeddedRedisException | IllegalStateException | IOException e) {
      Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
      System.err.println("carillon: cannot start: " + errorText(cause, settings));
      started.completeExceptionally(cause);
      System.exit(FAILED);
    }
  }

  /** Warms up the JVM. A failure does not prevent the start: the node is only slow at first. */
  private void warmUp() throws InterruptedException {
    Duration atMost = settings.node().warmUp();
    if (atMost.isZero()) {
      return;
    }
    LOG.atInfo().addKeyValue("atMost", atMost).log("warming up");
    try {
      TrainingRun.TrainingResult done = LogSetup.silently(() -> TrainingRun.warmUp(atMost));
      LOG.atInfo()
          .addKeyValue("jobs", done.accepted())
          .addKeyValue("calls", done.called())
          .log("warmed up");
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
      LOG.atWarn()
          .addKeyValue("reason", errorText(cause, settings))
          .log("could not warm up, the node starts cold");
    }
  }

  /** Returns the options of the embedded Redis in the settings. */
  public static EmbeddedRedisOptions embeddedOptions(Settings settings) {
    boolean everyChange = settings.redis().durability() == RedisSettings.Durability.FSYNC;
    Fsync fsync = everyChange ? Fsync.ALWAYS : settings.embedded().appendfsync();
    return EmbeddedRedisOptions.in(settings.data().dir()).with(fsync);
  }

  /**
   * Runs when the JVM ends, or the start failed. Halting with 0 reports a successful stop: a JVM
   * that returns from its hooks reports the signal instead (143 for SIGTERM).
   */
  private void stop() {
    int code = FAILED;
    lifecycle.enter(NodeLifecycle.NodePhase.STOPPING);
    long grace = settings.node().stopGrace().plusSeconds(10).toMillis();
    try {
      started
          .get(grace, TimeUnit.MILLISECONDS)
          .stop()
          .toCompletionStage()
          .toCompletableFuture()
          .get(grace, TimeUnit.MILLISECONDS);
      code = 0;
    } catch (InterruptedException | TimeoutException e) {
      System.err.println("carillon: did not stop within " + grace + " ms");
    } catch (CancellationException e) {
      code = 0;
    } catch (ExecutionException e) {
      // The start failed, and has said why.
    }
    redis.ifPresent(EmbeddedRedis::close);
    Runtime.getRuntime().halt(code);
  }

  /** Says in one line for an operator why a start failed. */
  public static String errorText(Throwable failure, Settings settings) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException) {
        return "http.port "
            + settings.http().port()
            + " on "
            + settings.http().host()
            + " is in use or not permitted ("
            + cause.getMessage()
            + "); set --port or CARILLON_HTTP_PORT";
      }
    }
    if (failure instanceof JobException refusal && refusal.code() == ErrorCode.STORE_UNAVAILABLE) {
      return "Redis at redis.uri (CARILLON_REDIS_URI) cannot be used: " + refusal.getMessage();
    }
    return failure.getMessage() == null
        ? failure.toString()
        : failure.getMessage().replace('\n', ' ');
  }
}
