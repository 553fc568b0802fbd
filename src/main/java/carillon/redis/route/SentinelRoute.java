package carillon.redis.route;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Route to the master that the Sentinels name, with one connection. The Sentinels are asked before
 * every attempt to connect, and again every {@code commandTimeout}. So a replaced master is left
 * even if it can still be reached and no connection was lost.
 */
public final class SentinelRoute implements RedisRoute {
  private final RedisLinkOptions setup;
  private final RedisConnectOptions access;
  private final Vertx vertx;
  private final long poll;
  private ServerConnection connection; // set once opened
  private HostPort connecting; // address of the latest attempt

  private SentinelRoute(Vertx vertx, RedisLinkOptions setup, RedisConnectOptions access) {
    this.vertx = vertx;
    this.access = access;
    this.setup = setup;
    this.poll = vertx.setPeriodic(setup.settings().commandTimeout().toMillis(), id -> follow());
  }

  public static Future<RedisRoute> open(Vertx vertx, RedisLinkOptions setup) {
    SentinelRoute route = new SentinelRoute(vertx, setup, new RedisConnectOptions(setup));
    return ServerConnection.open(vertx, setup, route::locate)
        .<RedisRoute>map(
            opened -> {
              route.connection = opened;
              return route;
            })
        .onFailure(failure -> vertx.cancelTimer(route.poll));
  }

  private Future<RedisOptions> locate() {
    return master()
        .map(
            master -> {
              connecting = master;
              return access.found(master);
            });
  }

  private void follow() {
    if (connection == null || !connection.isUp()) {
      return;
    }
    master()
        .onSuccess(
            master -> {
              if (connection.isUp() && !master.equals(connecting)) {
                connection.leave("the Sentinels name another master, reconnecting");
              }
            });
  }

  /**
   * Asks all Sentinels for the address of the master. The address with the most votes counts, so a
   * Sentinel that was cut off, or has just come back, does not mislead. Fails with
   * STORE_UNAVAILABLE if none of them knows.
   */
  private Future<HostPort> master() {
    List<Future<Optional<HostPort>>> asked = setup.uris().stream().map(this::ask).toList();
    return Future.join(asked).transform(done -> elect(asked));
  }

  private Future<HostPort> elect(List<Future<Optional<HostPort>>> answers) {
    Map<HostPort, Integer> votes = new LinkedHashMap<>();
    answers.stream()
        .filter(Future::succeeded)
        .flatMap(answer -> answer.result().stream())
        .forEach(address -> votes.merge(address, 1, Integer::sum));
    return votes.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(winner -> Future.succeededFuture(winner.getKey()))
        .orElseGet(() -> Future.failedFuture(nobodyKnows(answers)));
  }

  private Throwable nobodyKnows(List<Future<Optional<HostPort>>> answers) {
    String reason =
        answers.stream()
            .filter(Future::failed)
            .map(answer -> RedisErrors.text(answer.cause()))
            .findFirst()
            .orElse("they watch no master of that name");
    return RedisErrors.unavailable(
        "no Sentinel names the master '" + setup.settings().masterName() + "': " + reason);
  }

  private Future<Optional<HostPort>> ask(URI sentinel) {
    Request question =
        Request.cmd(Command.SENTINEL)
            .arg("get-master-addr-by-name")
            .arg(setup.settings().masterName());
    return ServerConnection.askOnce(vertx, setup, access.sentinel(sentinel), question)
        .map(SentinelRoute::address);
  }

  private static Optional<HostPort> address(Response reply) {
    return reply == null
        ? Optional.empty()
        : Optional.of(new HostPort(reply.get(0).toString(), reply.get(1).toInteger()));
  }

  @Override
  public Future<Response> send(Request request) {
    return connection.send(request);
  }

  @Override
  public Future<Response> send(String key, Request request) {
    return connection.send(request);
  }

  @Override
  public Future<List<Response>> sendToAll(Supplier<Request> request) {
    return connection.sendToAll(request);
  }

  @Override
  public boolean isUp() {
    return connection.isUp();
  }

  @Override
  public Future<Void> close() {
    vertx.cancelTimer(poll);
    return connection.close();
  }
}
