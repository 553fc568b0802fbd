package carillon.cli.local;

import carillon.config.Settings;
import carillon.node.SecurityChecklist;
import carillon.node.ServeProcess;
import carillon.redis.RedisLink;
import carillon.redis.RedisSecurityChecklist;
import carillon.redis.embedded.EmbeddedRedis;
import carillon.redis.route.RedisLinkOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;

/**
 * Command {@code check}: reports unsafe settings, also in the Redis of the settings. Starts
 * nothing: the embedded Redis is asked only if a node runs it.
 */
@Command(
    name = "check",
    description = {
      "Reports what is unsafe in the settings and in Redis, one line each.",
      "Starts nothing and changes nothing."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:nothing unsafe",
      "1:something unsafe",
      "2:wrong arguments or settings",
      "3:Redis cannot be reached"
    },
    exitCodeOnExecutionException = 2)
public final class CheckCommand extends SettingsCommand {
  private static final int UNSAFE = 1;

  @Override
  public Integer call() throws InterruptedException {
    return check(settings());
  }

  public static int check(Settings settings) throws InterruptedException {
    silenceLog();
    return check(settings, redis(settings), System.out);
  }

  /** The addresses of Redis; none if it is embedded and no node runs. */
  public static List<URI> redis(Settings settings) {
    Path data = settings.data().dir();
    if (!settings.redis().isEmbedded()) {
      return settings.redis().uri();
    }
    return Files.isDirectory(data) ? EmbeddedRedis.running(data).stream().toList() : List.of();
  }

  /**
   * Writes one line for each finding, or that there is none.
   *
   * @param redis empty when there is none to ask
   * @return the exit code
   */
  public static int check(Settings settings, List<URI> redis, Appendable out)
      throws InterruptedException {
    List<String> findings = SecurityChecklist.findings(settings);
    print(findings, out);
    if (redis.isEmpty()) {
      System.err.println(
          "carillon: no node runs with the data in "
              + settings.data().dir()
              + ": only the settings were checked, not Redis");
      return judge(findings.isEmpty(), "nothing unsafe in the settings", out);
    }
    Vertx vertx = Vertx.vertx();
    try {
      List<String> ofRedis = blocking(ask(vertx, settings, redis));
      print(ofRedis, out);
      boolean isSafe = findings.isEmpty() && ofRedis.isEmpty();
      return judge(isSafe, "nothing unsafe in the settings and in Redis", out);
    } catch (ExecutionException e) {
      return noRedis(ServeProcess.errorText(e.getCause(), settings));
    } finally {
      vertx.close();
    }
  }

  /** Reports success if the check found nothing. Returns the exit code. */
  private static int judge(boolean isSafe, String allIsWell, Appendable out) {
    if (!isSafe) {
      return UNSAFE;
    }
    try {
      out.append(allIsWell).append('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return 0;
  }

  private static Future<List<String>> ask(Vertx vertx, Settings settings, List<URI> redis) {
    return vertx
        .executeBlocking(() -> RedisLinkOptions.of(settings.redis(), redis))
        .compose(setup -> RedisLink.open(vertx, setup))
        .compose(link -> new RedisSecurityChecklist(link).findings().eventually(link::close));
  }

  private static <T> T blocking(Future<T> future) throws ExecutionException, InterruptedException {
    return future.toCompletionStage().toCompletableFuture().get();
  }

  private static void print(List<String> findings, Appendable out) {
    try {
      for (String finding : findings) {
        out.append("unsafe: ").append(finding).append('\n');
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
