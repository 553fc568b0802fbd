package carillon.redis;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.CommandImpl;
import io.vertx.redis.client.impl.RequestImpl;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to one Redis, with what the client library leaves out: a deadline for every command,
 * reconnection with jitter, and a look at the role and the durability of the server.
 *
 * <p>A command that is overdue closes the connection, because replies are matched by order. Without
 * a connection commands fail at once. Where the server is, is asked before every attempt to
 * connect, so that a master that moved is found where it is now; a server that turns out to be no
 * master any more (READONLY) is left.
 *
 * <p>All methods are to be called on the event loop on which it was made.
 */
final class ServerConnection implements RedisRoute {
  private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);

  private final Vertx vertx;
  private final Supplier<Future<RedisOptions>> where;
  private final ConnectCheck check;
  private final long timeoutNanos;
  private final RedisRetries.Backoff backoff;
  private final RedisObserver observer;
  private final ArrayDeque<Pending> pending = new ArrayDeque<>();
  private final long watchdog;
  private final ReplicaAcks acks; // null where a replica need not confirm
  private Runnable onLoss = () -> {};
  private Redis client; // of the connection, or of the attempt at one
  private Future<Void> attempt = Future.succeededFuture();
  private RedisConnection connection;
  private long generation;
  private long looked = System.nanoTime();
  private boolean heldUp;
  private boolean closed;

  private ServerConnection(
      Vertx vertx, RedisLinkOptions setup, Supplier<Future<RedisOptions>> where) {
    this.vertx = vertx;
    this.where = where;
    this.check = new ConnectCheck(setup.settings().durability());
    this.timeoutNanos = setup.settings().commandTimeout().toNanos();
    this.backoff = new RedisRetries.Backoff(setup.settings().reconnectMax());
    this.observer = setup.observer();
    this.acks =
        setup.isConfirming()
            ? new ReplicaAcks(this, setup.settings().commandTimeout().dividedBy(2))
            : null;
    this.watchdog =
        vertx.setPeriodic(
            Math.max(1, setup.settings().commandTimeout().toMillis() / 4),
            id -> closeWhenOverdue());
  }

  /**
   * Connects; the future fails when the first attempt does. From then on the connection is kept up
   * for ever.
   *
   * @param where the server is, asked before every attempt to connect
   */
  static Future<ServerConnection> open(
      Vertx vertx, RedisLinkOptions setup, Supplier<Future<RedisOptions>> where) {
    ServerConnection opened = new ServerConnection(vertx, setup, where);
    return opened.connect().map(opened).onFailure(failure -> opened.close());
  }

  /** A connection that is being made, and made again for ever, from the first attempt on. */
  static ServerConnection start(
      Vertx vertx, RedisLinkOptions setup, Supplier<Future<RedisOptions>> where) {
    ServerConnection started = new ServerConnection(vertx, setup, where);
    started.connect().onFailure(failure -> started.reconnect(0));
    return started;
  }

  /** Sets an action for a lost connection, beside the reconnection. */
  ServerConnection onLoss(Runnable action) {
    onLoss = action;
    return this;
  }

  @Override
  public boolean isUp() {
    return connection != null;
  }

  /** Each success of {@link #connect} begins a new one. */
  long generation() {
    return generation;
  }

  /** A command that was sent: replies come in the order of commands. */
  private record Pending(Request request, Promise<Response> reply, long sentNanos) {}

  @Override
  public Future<Response> send(String key, Request request) {
    return send(request);
  }

  @Override
  public Future<List<Response>> sendToAll(Supplier<Request> request) {
    return send(request.get()).map(List::of);
  }

  @Override
  public Future<Response> send(Request request) {
    Future<Response> reply = sendNow(request);
    return acks == null || isRead(request) ? reply : reply.compose(acks::confirm);
  }

  private static boolean isRead(Request request) {
    return ((CommandImpl) request.command()).isReadOnly(((RequestImpl) request).getArgs());
  }

  /** Sends of the same turn of the event loop leave in one packet. */
  Future<Response> sendNow(Request request) {
    if (connection == null) {
      return Future.failedFuture(RedisErrors.unavailable("Redis is not connected"));
    }
    long begun = generation;
    Pending command = new Pending(request, Promise.promise(), System.nanoTime());
    pending.addLast(command);
    connection.send(request).onComplete(reply -> settle(command, begun, reply));
    return command.reply.future();
  }

  private static List<String> keys(Request request) {
    return ((RequestImpl) request)
        .keys().stream().map(key -> new String(key, StandardCharsets.UTF_8)).toList();
  }

  /** After the loss of a connection everything that was sent on it has failed already. */
  private void settle(Pending command, long begun, AsyncResult<Response> reply) {
    if (begun != generation || !pending.remove(command)) {
      return;
    }
    observer.answered(command.sentNanos);
    if (reply.succeeded()) {
      command.reply.complete(reply.result());
      return;
    }
    command.reply.fail(RedisErrors.translate(reply.cause(), () -> keys(command.request)));
    if (RedisErrors.is("READONLY", reply.cause())) {
      lost(begun, "Redis is no longer the master, reconnecting");
    }
  }

  /** Done when an attempt that is under way has ended too: it would outlive its event loop. */
  @Override
  public Future<Void> close() {
    closed = true;
    vertx.cancelTimer(watchdog);
    connection = null;
    failPending();
    Future<Void> gone = client == null ? Future.succeededFuture() : client.close();
    return Future.join(gone, attempt).<Void>mapEmpty().otherwiseEmpty();
  }

  /**
   * A client for each connection: closing a connection of the library only returns it to its pool,
   * where the next one would be handed the same dead socket; closing the client closes the socket.
   */
  private Future<Void> connect() {
    if (closed) {
      return Future.failedFuture(RedisErrors.unavailable("the connection was closed"));
    }
    attempt =
        where
            .get()
            .compose(this::connect)
            .recover(failure -> Future.failedFuture(RedisErrors.translate(failure)));
    return attempt;
  }

  private Future<Void> connect(RedisOptions options) {
    Redis fresh = Redis.createClient(vertx, options);
    client = fresh;
    return fresh
        .connect()
        .compose(candidate -> check.verify(candidate).map(candidate))
        .timeout(timeoutNanos / 1_000_000, TimeUnit.MILLISECONDS)
        .compose(this::adopt)
        .onFailure(failure -> fresh.close());
  }

  private Future<Void> adopt(RedisConnection verified) {
    if (closed) {
      return Future.failedFuture(RedisErrors.unavailable("the connection was closed"));
    }
    long mine = ++generation;
    connection = verified;
    verified.endHandler(end -> lost(mine, "Redis connection lost, reconnecting"));
    verified.exceptionHandler(failure -> lost(mine, "Redis connection lost, reconnecting"));
    return Future.succeededFuture();
  }

  /** Leaves the server that is connected, if any, and asks again where to connect. */
  void leave(String reason) {
    lost(generation, reason);
  }

  private void lost(long which, String reason) {
    if (which != generation || connection == null) {
      return;
    }
    connection = null;
    client.close();
    LOG.atWarn().addKeyValue("waiting", pending.size()).log(reason);
    observer.lost();
    failPending();
    reconnect(0);
    onLoss.run();
  }

  private void failPending() {
    List<Pending> lost = List.copyOf(pending);
    pending.clear();
    lost.forEach(
        command ->
            command.reply.fail(
                RedisErrors.unavailable("the connection to Redis was lost before the answer")));
  }

  private void reconnect(int failures) {
    if (closed) {
      return;
    }
    vertx
        .timer(backoff.millis(failures))
        .compose(passed -> connect())
        .onSuccess(
            up -> {
              observer.restored();
              LOG.atInfo().addKeyValue("attempts", failures + 1).log("Redis connection restored");
            })
        .onFailure(failure -> reconnect(failures + 1));
  }

  /**
   * When this event loop was held up itself, replies may have come that it could not read yet: they
   * are read before the next look.
   */
  private void closeWhenOverdue() {
    long now = System.nanoTime();
    heldUp = !heldUp && now - looked > timeoutNanos / 2;
    looked = now;
    Pending oldest = pending.peekFirst();
    if (connection != null && oldest != null && !heldUp && now - oldest.sentNanos > timeoutNanos) {
      leave("Redis does not answer, closing the connection");
    }
  }

  /**
   * Sends one request over a connection of its own, which is closed then; the reply is null where
   * Redis says nil. Fails if there is none within half a deadline.
   */
  static Future<Response> askOnce(
      Vertx vertx, RedisLinkOptions setup, RedisOptions server, Request request) {
    Redis client = Redis.createClient(vertx, server);
    return client
        .connect()
        .compose(connection -> connection.send(request))
        .timeout(setup.settings().commandTimeout().toMillis() / 2, TimeUnit.MILLISECONDS)
        .eventually(client::close)
        .recover(failure -> Future.failedFuture(RedisErrors.translate(failure)));
  }
}
