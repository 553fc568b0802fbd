package carillon.redis;

import carillon.bounded.AsyncLoops;
import carillon.config.RedisSettings;
import carillon.job.name.ErrorCode;
import carillon.redis.route.ClusterRoute;
import carillon.redis.route.RedisConnectOptions;
import carillon.redis.route.RedisErrors;
import carillon.redis.route.RedisLinkOptions;
import carillon.redis.route.RedisLinkOptions.Patience;
import carillon.redis.route.RedisRetries;
import carillon.redis.route.RedisRoute;
import carillon.redis.route.SentinelRoute;
import carillon.redis.route.ServerConnection;
import io.vertx.core.Future;
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
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Connection of one event loop to Redis, wherever the keys live: in one server, in the master that
 * Sentinels name, or spread over the masters of a Cluster.
 *
 * <p>A failure with {@link ErrorCode#STORE_UNAVAILABLE} means "unknown": the command may have been
 * performed. Without a connection commands fail immediately; callers that must not give up use
 * {@link #persist}.
 *
 * <p>All methods must be called on the event loop on which {@link #open} was called.
 */
public final class RedisLink {
  private static final int SLICE = 256;

  /** Cursor of a scan before its first slice, and behind its last. */
  private static final String START = "0";

  private final Vertx vertx;
  private final RedisRoute route;
  private final RedisRetries retries;
  private final boolean sharded;
  private final Map<LuaScript, ScriptBatcher> batchers = new HashMap<>();

  private RedisLink(Vertx vertx, RedisRoute route, RedisRetries retries, boolean sharded) {
    this.vertx = vertx;
    this.route = route;
    this.retries = retries;
    this.sharded = sharded;
  }

  /**
   * Connects. The future fails when the first attempt is refused, or nothing answers for half a
   * minute, unless the {@link Patience} of the options is another. After that, the connections are
   * kept up indefinitely.
   */
  public static Future<RedisLink> open(Vertx vertx, RedisLinkOptions setup) {
    RedisRetries retries = new RedisRetries(vertx, setup);
    boolean sharded = setup.settings().mode() == RedisSettings.Mode.CLUSTER;
    return retries.atStart(
        () -> route(vertx, setup).map(route -> new RedisLink(vertx, route, retries, sharded)));
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

  /** True in Cluster: keys live in several servers, each with a separate clock. */
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

  /** Returns the time of the server that holds this key. */
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
   * Reads a hash of any size in bounded slices. Concurrent changes may be missing.
   *
   * @return values by their fields, in the order of the fields
   */
  public Future<NavigableMap<String, String>> entries(String hash) {
    NavigableMap<String, String> found = new TreeMap<>();
    String[] cursor = {START};
    return AsyncLoops.whileMore(
            () ->
                send(Request.cmd(Command.HSCAN).arg(hash).arg(cursor[0]).arg("COUNT").arg(SLICE))
                    .map(
                        reply -> {
                          Iterator<Response> fields = reply.get(1).iterator();
                          while (fields.hasNext()) {
                            found.put(fields.next().toString(), fields.next().toString());
                          }
                          cursor[0] = reply.get(0).toString();
                          return !cursor[0].equals(START);
                        }))
        .map(found);
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

  /**
   * Runs a script for several calls together. In a Cluster, the keys of all of them live in one
   * slot.
   */
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
    return retries.persist(step);
  }

  /**
   * Repeats an idempotent step of a start, with pauses in between, according to the {@link
   * Patience} of this link. That is for at most half a minute while Redis is silent, until Redis is
   * back, or not at all. Fails after that, and immediately for other reasons, which may be thrown.
   */
  public <T> Future<T> persistAtStart(Supplier<Future<T>> step) {
    return retries.atStart(step);
  }

  /** Completes after this time. */
  public Future<Void> pause(Duration time) {
    return vertx.timer(time.toMillis()).mapEmpty();
  }

  /**
   * Returns a recovery with a substitute after a refusal of Redis, such as for a damaged key. If
   * Redis is unavailable, the failure stays.
   */
  public static <T> Function<Throwable, Future<T>> unlessUnavailable(T instead) {
    return failure ->
        RedisErrors.isUnavailable(failure)
            ? Future.failedFuture(failure)
            : Future.succeededFuture(instead);
  }

  /** Closes the connections; outstanding commands fail. */
  public Future<Void> close() {
    retries.stop();
    return route.close();
  }
}
