package carillon.redis.route;

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
 * Connection to one Redis, with additions to the client library: a deadline for every command,
 * reconnection with jitter, and a check of the role and the durability of the server.
 *
 * <p>Replies are matched by order. An overdue command therefore closes the connection, and so does
 * an impossible reply. From time to time, a text that Redis must repeat shows whether replies and
 * commands still match. Without a connection commands fail immediately. The address is determined
 * before every attempt to connect, so that a master that moved is found at its new place. A server
 * that turns out to be no master any more (READONLY) is left.
 *
 * <p>All methods must be called on the event loop that made it.
 */
public final class ServerConnection implements RedisRoute {
  private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);

  private static final String MISMATCH = "the replies of Redis do not match the commands";
  private static final String RECONNECTING = ", reconnecting";

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
  private Redis client; // of the connection, or of an attempt to connect
  private Future<Void> attempt = Future.succeededFuture();
  private RedisConnection connection;
  private long generation;
  private long looked = System.nanoTime();
  private boolean heldUp;
  private boolean isUnchecked; // a reply has come since the order was checked
  private boolean closed;
  private String refusal = ""; // why Redis accepts no connection, as the end of a sentence

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
            id -> {
              closeWhenOverdue();
              checkOrder();
            });
  }

  /**
   * Connects; the future fails when the first attempt does. After that, the connection is kept up
   * indefinitely.
   *
   * @param where supplies the address of the server before every attempt to connect
   */
  public static Future<ServerConnection> open(
      Vertx vertx, RedisLinkOptions setup, Supplier<Future<RedisOptions>> where) {
    ServerConnection opened = new ServerConnection(vertx, setup, where);
    return opened.connect().map(opened).onFailure(failure -> opened.close());
  }

  /** Returns a connection that connects, and reconnects indefinitely, from the first attempt on. */
  static ServerConnection start(
      Vertx vertx, RedisLinkOptions setup, Supplier<Future<RedisOptions>> where) {
    ServerConnection started = new ServerConnection(vertx, setup, where);
    started.connect().onFailure(failure -> started.reconnect(0));
    return started;
  }

  /** Sets an action for a lost connection, in addition to the reconnection. */
  ServerConnection onLoss(Runnable action) {
    onLoss = action;
    return this;
  }

  @Override
  public boolean isUp() {
    return connection != null;
  }

  /** Number of the connection: each success of {@link #connect} begins a new one. */
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
      return Future.failedFuture(RedisErrors.unavailable("Redis is not connected" + refusal));
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

  /** Settles a command. After the loss of a connection all its commands have failed already. */
  private void settle(Pending command, long begun, AsyncResult<Response> reply) {
    if (begun != generation || !pending.remove(command)) {
      return;
    }
    observer.answered(command.sentNanos);
    isUnchecked = true;
    if (reply.failed()) {
      command.reply.fail(RedisErrors.translate(reply.cause(), () -> keys(command.request)));
      leaveAfter(reply.cause(), begun);
    } else if (ReplyType.fits(command.request, reply.result())) {
      command.reply.complete(reply.result());
    } else {
      command.reply.fail(RedisErrors.unavailable(MISMATCH));
      lost(begun, MISMATCH + RECONNECTING);
    }
  }

  private void leaveAfter(Throwable error, long begun) {
    if (RedisErrors.is("READONLY", error)) {
      lost(begun, "Redis is no longer the master" + RECONNECTING);
    } else if (RedisErrors.is("NOAUTH", error)) {
      lost(begun, "Redis asks for a password" + RECONNECTING);
    }
  }

  /**
   * Closes the connection. Done when a pending attempt to connect has ended too: it would outlive
   * its event loop.
   */
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
   * Connects with a separate client for each connection. Closing a connection of the library only
   * returns it to its pool, and the next connection would get the same dead socket. Closing the
   * client closes the socket.
   */
  private Future<Void> connect() {
    if (closed) {
      return Future.failedFuture(RedisErrors.unavailable("the connection was closed"));
    }
    attempt =
        where
            .get()
            .compose(this::connect)
            .onFailure(failure -> refusal = RedisErrors.cause(failure).map(": "::concat).orElse(""))
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
    verified.endHandler(end -> lost(mine, "Redis connection lost" + RECONNECTING));
    verified.exceptionHandler(failure -> lost(mine, "Redis connection lost" + RECONNECTING));
    verified.handler(unasked -> lost(mine, MISMATCH + RECONNECTING));
    return Future.succeededFuture();
  }

  /** Leaves the connected server, if any, and asks again for the address. */
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
              refusal = "";
              observer.restored();
              LOG.atInfo().addKeyValue("attempts", failures + 1).log("Redis connection restored");
            })
        .onFailure(failure -> reconnect(failures + 1));
  }

  /**
   * Closes an overdue connection. If this event loop itself was blocked, unread replies may be
   * waiting. They are read before the next check.
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

  /** An idle connection has nothing to confuse and is not asked. */
  private void checkOrder() {
    if (connection == null || !isUnchecked) {
      return;
    }
    long mine = generation;
    ConnectCheck.inOrder(this::sendNow)
        .onFailure(failure -> lost(mine, MISMATCH + RECONNECTING))
        .onSuccess(inOrder -> isUnchecked = false);
  }

  /**
   * Sends one request over a separate connection, which is closed after that. The reply is null if
   * Redis says nil. Fails without a reply within half a deadline.
   */
  static Future<Response> askOnce(
      Vertx vertx, RedisLinkOptions setup, RedisOptions server, Request request) {
    Redis client = Redis.createClient(vertx, server);
    return client
        .connect()
        .compose(
            connection ->
                connection
                    .send(request)
                    .compose(reply -> ConnectCheck.inOrder(connection::send).map(reply)))
        .timeout(setup.settings().commandTimeout().toMillis() / 2, TimeUnit.MILLISECONDS)
        .eventually(client::close)
        .recover(failure -> Future.failedFuture(RedisErrors.translate(failure)));
  }
}
