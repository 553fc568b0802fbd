package carillon.cli.local;

import carillon.config.Settings;
import carillon.config.Settings.AuditSettings;
import carillon.fsck.Fsck;
import carillon.fsck.FsckReport;
import carillon.node.ServeProcess;
import carillon.redis.Keys;
import carillon.redis.RedisClock;
import carillon.redis.embedded.EmbeddedRedis;
import carillon.redis.embedded.EmbeddedRedisException;
import carillon.redis.route.RedisLinkOptions;
import carillon.store.StoreFactory;
import carillon.store.Stores;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Command {@code fsck}: checks the stored data, with or without running nodes. With the embedded
 * Redis it uses that of the node in {@code data.dir}, or starts one temporarily. It needs no secret
 * keys.
 */
@Command(
    name = "fsck",
    description = {
      "Checks everything that is stored in Redis: one line for each finding, and a summary.",
      "Can run at any time, also while nodes work."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:nothing found, or all of it repaired",
      "1:findings are left",
      "2:wrong arguments or settings",
      "3:Redis cannot be reached"
    },
    exitCodeOnExecutionException = 2)
public final class FsckCommand extends SettingsCommand {
  private static final int LEFT = 1;

  /** Pause between two checks of a finding, far longer than two steps of a node take. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  @Option(names = "--repair", description = "Also repairs what it finds.")
  private boolean repair;

  @Option(
      names = "--json",
      description = "Prints one JSON object per line for each finding and for the summary.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    Settings settings = settings();
    silenceLog();
    try {
      return settings.redis().isEmbedded()
          ? embedded(settings)
          : run(settings, settings.redis().uri());
    } catch (ExecutionException e) {
      return noRedis(ServeProcess.errorText(e.getCause(), settings));
    } catch (EmbeddedRedisException e) {
      return noRedis(e.getMessage());
    }
  }

  private int embedded(Settings settings) throws ExecutionException, InterruptedException {
    Optional<URI> running = EmbeddedRedis.running(settings.data().dir());
    if (running.isPresent()) {
      return run(settings, List.of(running.get()));
    }
    try (EmbeddedRedis own = EmbeddedRedis.start(ServeProcess.embeddedOptions(settings))) {
      return run(settings, List.of(own.uri()));
    }
  }

  private int run(Settings settings, List<URI> uris)
      throws ExecutionException, InterruptedException {
    Vertx vertx = Vertx.vertx();
    try {
      FsckPrinter printer = json ? FsckPrinter.json(System.out) : FsckPrinter.text(System.out);
      FsckReport report =
          vertx
              .executeBlocking(() -> settings)
              .compose(go -> check(vertx, settings, uris, printer))
              .toCompletionStage()
              .toCompletableFuture()
              .get();
      return report.left() == 0 ? 0 : LEFT;
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get();
    }
  }

  private Future<FsckReport> check(
      Vertx vertx, Settings settings, List<URI> uris, FsckPrinter printer) {
    RedisClock clock = new RedisClock(System::nanoTime);
    StoreFactory storeFactory =
        new StoreFactory(
            RedisLinkOptions.of(settings.redis(), uris),
            new Keys(settings.redis().prefix(), settings.partitions()),
            "fsck",
            clock,
            settings.history(),
            settings.jobs(),
            AuditSettings.NONE,
            settings.executions(),
            settings.groups());
    long begun = System.nanoTime();
    return storeFactory
        .open(vertx)
        .compose(
            stores ->
                stores
                    .node()
                    .nodes()
                    .syncClock()
                    .compose(told -> stores.node().storeFormat().readable())
                    .compose(same -> stores.node().storeFormat().partitions())
                    .compose(
                        known -> {
                          Keys keys =
                              new Keys(
                                  settings.redis().prefix(), known.orElse(settings.partitions()));
                          return fsck(stores, keys, clock, settings, printer);
                        })
                    .eventually(() -> stores.close()))
        .onSuccess(report -> printer.summary(report, Duration.ofNanos(System.nanoTime() - begun)));
  }

  private Future<FsckReport> fsck(
      Stores stores, Keys keys, RedisClock clock, Settings settings, FsckPrinter printer) {
    Fsck.Options options = new Fsck.Options(repair, PAUSE, settings.jobs().keepFinished());
    return new Fsck(stores, keys, clock, options, printer::finding).run();
  }
}
