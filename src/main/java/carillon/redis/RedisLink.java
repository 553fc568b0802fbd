package carillon.redis;

import carillon.config.RedisSettings;
import carillon.job.ErrorCode;
import carillon.job.JobException;
import carillon.redis.RedisLinkOptions.Patience;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection of one event loop to Redis, wherever the keys live: in one server, in the master that
 * Sentinels name, or spread over the masters of a Cluster.
 *
 * <p>A failure with {@link ErrorCode#STORE_UNAVAILABLE} means "unknown": the command may have been
 * performed. Without a connection commands fail at once; who must not give up uses {@link
 * #persist}.
 *
 * <p>All methods are to be called on the event loop on which {@link #open} was called.
 */
public final class RedisLink {
  private static final Logger LOG = LoggerFactory.getLogger(RedisLink.class);

  /**
   * For so long a silent Redis is asked again at the start: a virtual machine that has just been
   * started may itself be too slow for the deadline of a command, on a busy machine many times
   * over.
   */
  private static final Duration START = Duration.ofSeconds(30);

  /** Longest pause of a start that waits: who is told to stop meanwhile ends after it. */
  private static final Duration MAX_START_PAUSE = Duration.ofSeconds(1);

  private static final int SLICE = 256;

  private final Vertx vertx;
  private final RedisLinkOptions setup;
  private final RedisRoute route;
  private final boolean sharded;
  private final Backoff backoff;
  private final Map<LuaScript, ScriptBatcher> batchers = new HashMap<>();
  private boolean closed;

  private RedisLink(Vertx vertx, RedisLinkOptions setup, RedisRoute route) {
    this.vertx = vertx;
    this.setup = setup;
    this.route = route;
    this.sharded = setup.settings().mode() == RedisSettings.Mode.CLUSTER;
    this.backoff = new Backoff(setup.settings().reconnectMax());
  }

  /**
   * Connects; the future fails when the first attempt is refused, or nothing answers for {@link
   * #START}, unless the {@link Patience} of the options is another. From then on the connections
   * are kept up for ever.
   */
  public static Future<RedisLink> open(Vertx vertx, RedisLinkOptions setup) {
    return atStart(
        vertx, setup, () -> route(vertx, setup).map(route -> new RedisLink(vertx, setup, route)));
  }

  private static Future<? extends RedisRoute> route(Vertx vertx, RedisLinkOptions setup) {
    return switch (setup.settings().mode()) {
      case STANDALONE -> standalone(vertx, setup);
      case SENTINEL -> SentinelRoute.open(vertx, setup);
      case CLUSTER -> ClusterRoute.open(vertx, setup);
    };
  }

  private static Future<ServerConnection> standalone(Vertx vertx, RedisLinkOptions setup) {
    RedisConnectOptions access = new RedisConnectOptions(setup);
    URI uri = setup.uris().get(0);
    return ServerConnection.open(
        vertx, setup, () -> Future.succeededFuture(access.configured(uri)));
  }

  /** True while there is a connection; in Cluster, to some master. */
  public boolean isUp() {
    return route.isUp();
  }

  /** True in Cluster: keys live in several servers, each with a clock of its own. */
  public boolean isSharded() {
    return sharded;
  }

  /**
   * Sends one command to the server that holds its keys. Sends of the same turn of the event loop
   * leave in one packet.
   */
  public Future<Response> send(Request request) {
    return route.send(request);
  }

  /** The clock of the one server, when it performs this: microseconds since the epoch. */
  public Future<Long> time() {
    return send(Request.cmd(Command.TIME)).map(RedisLink::micros);
  }

  /** That of the server that holds this key. */
  public Future<Long> time(String key) {
    return send(key, Request.cmd(Command.TIME)).map(RedisLink::micros);
  }

  private static long micros(Response time) {
    return time.get(0).toLong() * 1_000_000 + time.get(1).toLong();
  }

  /** Sends a command that names no key to the server that holds this one. */
  public Future<Response> send(String key, Request request) {
    return route.send(key, request);
  }

  /** Sends a command to every server that holds keys. */
  public Future<List<Response>> sendToAll(Supplier<Request> request) {
    return route.sendToAll(request);
  }

  /**
   * Reads a hash of any size in bounded slices. What changes meanwhile may be missing.
   *
   * @return values by their fields, in the order of the fields
   */
  public Future<NavigableMap<String, String>> entries(String hash) {
    return entries(hash, "0", new TreeMap<>());
  }

  private Future<NavigableMap<String, String>> entries(
      String hash, String cursor, NavigableMap<String, String> found) {
    return send(Request.cmd(Command.HSCAN).arg(hash).arg(cursor).arg("COUNT").arg(SLICE))
        .compose(
            reply -> {
              Iterator<Response> fields = reply.get(1).iterator();
              while (fields.hasNext()) {
                found.put(fields.next().toString(), fields.next().toString());
              }
              String next = reply.get(0).toString();
              return next.equals("0") ? Future.succeededFuture(found) : entries(hash, next, found);
            });
  }

  /** A route to each server that holds keys at present. */
  public List<RedisRoute> masters() {
    return route.masters();
  }

  /** Runs a script whose keys all live in one slot. */
  Future<Response> eval(LuaScript script, List<String> keys, List<String> arguments) {
    assert ClusterRoute.isOneSlot(keys) : script.name() + " spans slots: " + keys;
    return evalBatch(script, keys, arguments);
  }

  /** The same for several calls of a script; their keys live in one slot in a Cluster. */
  Future<Response> evalBatch(LuaScript script, List<String> keys, List<String> arguments) {
    String key = keys.isEmpty() ? "" : keys.get(0);
    List<String> declared = route.declared(keys);
    return route
        .send(key, evaluation(Command.EVALSHA, script.sha1(), declared, arguments))
        .recover(
            failure ->
                RedisErrors.is("NOSCRIPT", failure)
                    ? route.send(key, evaluation(Command.EVAL, script.text(), declared, arguments))
                    : Future.failedFuture(failure));
  }

  /** Gathers the calls of a script. */
  ScriptBatcher batcher(LuaScript script) {
    return batchers.computeIfAbsent(
        script, any -> new ScriptBatcher(this, vertx.getOrCreateContext(), script));
  }

  private static Request evaluation(
      Command command, String script, List<String> keys, List<String> arguments) {
    Request request = Request.cmd(command).arg(script).arg(keys.size());
    keys.forEach(request::arg);
    arguments.forEach(request::arg);
    return request;
  }

  /**
   * Repeats an idempotent step until Redis has answered it, with pauses in between; fails only for
   * other reasons, which may be thrown, or after close.
   */
  public <T> Future<T> persist(Supplier<Future<T>> step) {
    return repeat(vertx, step, backoff, failure -> !closed && isUnavailable(failure));
  }

  /**
   * The same for a step of a start, as long as the {@link Patience} of this link is endless:
   * otherwise it fails at once.
   */
  public <T> Future<T> persistAtStart(Supplier<Future<T>> step) {
    return atStart(vertx, setup, step);
  }

  private static <T> Future<T> atStart(
      Vertx vertx, RedisLinkOptions setup, Supplier<Future<T>> step) {
    Duration max = setup.settings().reconnectMax();
    Backoff pauses = new Backoff(max.compareTo(MAX_START_PAUSE) < 0 ? max : MAX_START_PAUSE);
    StartRetry retry = new StartRetry(setup);
    return repeat(vertx, step, pauses, retry).onSuccess(done -> retry.ended());
  }

  private static <T> Future<T> repeat(
      Vertx vertx, Supplier<Future<T>> step, Backoff pauses, Predicate<Throwable> again) {
    return begun(step)
        .recover(
            failure ->
                again.test(failure)
                    ? new Repetition<>(vertx, step, pauses, again, Promise.<T>promise()).begun()
                    : Future.failedFuture(failure));
  }

  /**
   * Repetition of a step that has failed once. Its tries are not futures that wait for each other:
   * after an hour they would be a stack too deep.
   */
  private record Repetition<T>(
      Vertx vertx,
      Supplier<Future<T>> step,
      Backoff pauses,
      Predicate<Throwable> again,
      Promise<T> promise) {
    Future<T> begun() {
      pause(0);
      return promise.future();
    }

    private void pause(int failures) {
      vertx.setTimer(pauses.millis(failures), passed -> attempt(failures + 1));
    }

    private void attempt(int failures) {
      RedisLink.begun(step)
          .onSuccess(promise::complete)
          .onFailure(
              failure -> {
                if (again.test(failure)) {
                  pause(failures);
                } else {
                  promise.fail(failure);
                }
              });
    }
  }

  /** Decision of a start whether it waits for Redis, which it tells the log. */
  private static final class StartRetry implements Predicate<Throwable> {
    private final RedisLinkOptions setup;
    private final long begun = System.nanoTime();
    private boolean waits;

    StartRetry(RedisLinkOptions setup) {
      this.setup = setup;
    }

    @Override
    public boolean test(Throwable failure) {
      return switch (setup.patience().get()) {
        case BRIEF -> RedisErrors.isSilence(failure) && System.nanoTime() - begun < START.toNanos();
        case ENDLESS -> isUnavailable(failure) && waits(failure);
        case NONE -> false;
      };
    }

    private boolean waits(Throwable failure) {
      if (!waits) {
        LOG.atWarn().addKeyValue("error", failure.getMessage()).log("the start waits for Redis");
      }
      waits = true;
      return true;
    }

    void ended() {
      if (waits) {
        LOG.atInfo().log("Redis answers, the start goes on");
      }
    }
  }

  private static <T> Future<T> begun(Supplier<Future<T>> step) {
    try {
      return step.get();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  /** Completes after this time. */
  public Future<Void> pause(Duration time) {
    return vertx.timer(time.toMillis()).mapEmpty();
  }

  /** True when Redis was away or refused for now: the same command may succeed later. */
  public static boolean isUnavailable(Throwable failure) {
    return failure instanceof JobException e && e.code() == ErrorCode.STORE_UNAVAILABLE;
  }

  /** Takes this for what Redis refuses, such as a damaged key; fails on while it is away. */
  public static <T> Function<Throwable, Future<T>> unlessUnavailable(T instead) {
    return failure ->
        isUnavailable(failure) ? Future.failedFuture(failure) : Future.succeededFuture(instead);
  }

  /** Closes the connections; outstanding commands fail. */
  public Future<Void> close() {
    closed = true;
    return route.close();
  }

  /**
   * Growing pauses between attempts, with full jitter, so that many nodes that lost the same Redis
   * do not return in step.
   *
   * @param max longest pause
   */
  record Backoff(Duration max) {
    private static final long FIRST_MS = 20;

    /** Milliseconds, at least 1. */
    long millis(int failures) {
      long ceiling = Math.min(max.toMillis(), FIRST_MS << Math.min(failures, 10));
      return 1 + ThreadLocalRandom.current().nextLong(ceiling);
    }
  }
}
