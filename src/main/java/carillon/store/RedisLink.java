package carillon.store;

import carillon.job.ErrorCode;
import carillon.job.JobException;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event loop's connection to Redis, with what the client library leaves out: a deadline for
 * every command, reconnection with jitter, a look at the role of the server, and EVALSHA that falls
 * back to EVAL.
 *
 * <p>A command that is overdue closes the connection, because replies are matched by order. A
 * failure with {@link ErrorCode#STORE_UNAVAILABLE} means "unknown": the command may have been
 * performed. Without a connection commands fail at once; who must not give up uses {@link
 * #persist}.
 *
 * <p>All methods are to be called on the event loop on which {@link #open} was called.
 */
public final class RedisLink {
  private static final Logger LOG = LoggerFactory.getLogger(RedisLink.class);
  private static final int MAX_WAITING = 16_384;
  private static final long FIRST_BACKOFF_MS = 20;
  private static final Set<String> PASSING =
      Set.of(
          "LOADING",
          "MASTERDOWN",
          "CLUSTERDOWN",
          "TRYAGAIN",
          "READONLY",
          "NOREPLICAS",
          "MISCONF",
          "OOM",
          "BUSY",
          "NOAUTH",
          "WRONGPASS",
          "NOPERM",
          "UNBLOCKED");

  private final Vertx vertx;
  private final RedisOptions options;
  private final long timeoutNanos;
  private final long backoffMaxMs;
  private final ArrayDeque<Pending> pending = new ArrayDeque<>();
  private Redis client;
  private RedisConnection connection;
  private long generation;
  private long watchdog;
  private boolean closed;

  private RedisLink(Vertx vertx, String uri, Duration timeout, Duration reconnectMax) {
    this.vertx = vertx;
    this.timeoutNanos = timeout.toNanos();
    this.backoffMaxMs = reconnectMax.toMillis();
    this.options = new RedisOptions().setConnectionString(uri).setMaxWaitingHandlers(MAX_WAITING);
  }

  /**
   * Connects; the future fails when the first attempt does. From then on the connection is kept up
   * for ever.
   *
   * @param timeout for each command, and for connecting
   * @param reconnectMax longest pause between two attempts to connect
   */
  public static Future<RedisLink> open(
      Vertx vertx, String uri, Duration timeout, Duration reconnectMax) {
    RedisLink link = new RedisLink(vertx, uri, timeout, reconnectMax);
    return link.connect()
        .map(
            ready -> {
              link.watchdog =
                  vertx.setPeriodic(
                      Math.max(1, timeout.toMillis() / 4), id -> link.closeWhenOverdue());
              return link;
            });
  }

  /** True while there is a connection. */
  public boolean isUp() {
    return connection != null;
  }

  /** A command that was sent: replies come in the order of commands. */
  private record Pending(Promise<Response> reply, long sentNanos) {}

  /** Sends one command. Sends of the same turn of the event loop leave in one packet. */
  public Future<Response> send(Request request) {
    if (connection == null) {
      return Future.failedFuture(unavailable("Redis is not connected"));
    }
    long begun = generation;
    Pending command = new Pending(Promise.promise(), System.nanoTime());
    pending.addLast(command);
    connection.send(request).onComplete(reply -> settle(command, begun, reply));
    return command.reply.future();
  }

  /** After the loss of a connection everything that was sent on it has failed already. */
  private void settle(Pending command, long begun, AsyncResult<Response> reply) {
    if (begun != generation || !pending.remove(command)) {
      return;
    }
    if (reply.succeeded()) {
      command.reply.complete(reply.result());
    } else {
      command.reply.fail(translate(reply.cause()));
    }
  }

  /** Runs a script whose keys all live in one slot. */
  Future<Response> eval(LuaScript script, List<String> keys, List<String> arguments) {
    return send(evaluation(Command.EVALSHA, script.sha1(), keys, arguments))
        .recover(
            failure ->
                isNoScript(failure)
                    ? send(evaluation(Command.EVAL, script.text(), keys, arguments))
                    : Future.failedFuture(failure));
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
   * other reasons or after close.
   */
  public <T> Future<T> persist(Supplier<Future<T>> step) {
    return persist(step, 0);
  }

  private <T> Future<T> persist(Supplier<Future<T>> step, int failures) {
    return step.get()
        .recover(
            failure ->
                closed || !isUnavailable(failure)
                    ? Future.failedFuture(failure)
                    : vertx
                        .timer(backoff(failures))
                        .compose(passed -> persist(step, failures + 1)));
  }

  /** Completes after a while. */
  Future<Void> pause(Duration time) {
    return vertx.timer(time.toMillis()).mapEmpty();
  }

  /** True when Redis was away or refused for now: the same command may succeed later. */
  public static boolean isUnavailable(Throwable failure) {
    return failure instanceof JobException e && e.code() == ErrorCode.STORE_UNAVAILABLE;
  }

  /** Ends the connection; outstanding commands fail. */
  public Future<Void> close() {
    closed = true;
    vertx.cancelTimer(watchdog);
    connection = null;
    failPending();
    return client == null ? Future.succeededFuture() : client.close().otherwiseEmpty();
  }

  /**
   * A client for each connection: closing a connection of the library only returns it to its pool,
   * where the next one would be handed the same dead socket; closing the client closes the socket.
   */
  private Future<Void> connect() {
    Redis fresh = Redis.createClient(vertx, new RedisOptions(options));
    return fresh
        .connect()
        .compose(this::verify)
        .timeout(timeoutNanos / 1_000_000, TimeUnit.MILLISECONDS)
        .map(
            verified -> {
              adopt(fresh, verified);
              return (Void) null;
            })
        .onFailure(failure -> fresh.close())
        .recover(failure -> Future.failedFuture(translate(failure)));
  }

  /**
   * Only a master takes writes; a server that is still loading answers with an error. A user
   * without ROLE is taken at its word.
   */
  private Future<RedisConnection> verify(RedisConnection candidate) {
    return candidate
        .send(Request.cmd(Command.ROLE))
        .map(role -> role.get(0).toString())
        .recover(
            failure ->
                word(failure).equals("NOPERM")
                    ? Future.succeededFuture("master")
                    : Future.failedFuture(failure))
        .compose(
            role ->
                role.equals("master")
                    ? Future.succeededFuture(candidate)
                    : Future.failedFuture(unavailable("Redis is a " + role + ", not the master")));
  }

  private void adopt(Redis fresh, RedisConnection verified) {
    long mine = ++generation;
    client = fresh;
    connection = verified;
    verified.endHandler(end -> lost(mine));
    verified.exceptionHandler(failure -> lost(mine));
  }

  private void lost(long which) {
    if (which != generation || connection == null) {
      return;
    }
    connection = null;
    client.close();
    LOG.atWarn().addKeyValue("waiting", pending.size()).log("Redis connection lost, reconnecting");
    failPending();
    reconnect(0);
  }

  private void failPending() {
    List<Pending> lost = List.copyOf(pending);
    pending.clear();
    lost.forEach(
        command ->
            command.reply.fail(unavailable("the connection to Redis was lost before the answer")));
  }

  private void reconnect(int failures) {
    if (closed) {
      return;
    }
    vertx
        .timer(backoff(failures))
        .compose(passed -> connect())
        .onSuccess(
            up ->
                LOG.atInfo().addKeyValue("attempts", failures + 1).log("Redis connection restored"))
        .onFailure(failure -> reconnect(failures + 1));
  }

  /**
   * Full jitter: many nodes that lost the same Redis do not return in step. Milliseconds, at least
   * 1.
   */
  private long backoff(int failures) {
    long ceiling = Math.min(backoffMaxMs, FIRST_BACKOFF_MS << Math.min(failures, 10));
    return 1 + ThreadLocalRandom.current().nextLong(ceiling);
  }

  private void closeWhenOverdue() {
    Pending oldest = pending.peekFirst();
    if (connection != null
        && oldest != null
        && System.nanoTime() - oldest.sentNanos > timeoutNanos) {
      LOG.atWarn()
          .addKeyValue("waiting", pending.size())
          .log("Redis does not answer, closing the connection");
      lost(generation);
    }
  }

  private static boolean isNoScript(Throwable failure) {
    return word(failure).equals("NOSCRIPT");
  }

  private static Throwable translate(Throwable failure) {
    boolean redisAnswered = failure instanceof ErrorType || failure.getCause() instanceof ErrorType;
    if (failure instanceof JobException || (redisAnswered && !PASSING.contains(word(failure)))) {
      return failure;
    }
    return unavailable("Redis did not answer: " + failure.getMessage());
  }

  private static String word(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    int end = message.indexOf(' ');
    return end < 0 ? message : message.substring(0, end);
  }

  private static JobException unavailable(String message) {
    return new JobException(ErrorCode.STORE_UNAVAILABLE, message);
  }
}
