package carillon.redis;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.function.Supplier;

/**
 * One connection to the master that the Sentinels name. They are asked before every attempt to
 * connect, and again every {@code commandTimeout}: a master that was replaced while it could still
 * be reached is left, although nothing was lost.
 */
final class SentinelRoute implements RedisRoute {
  private final MasterLocator sentinels;
  private final RedisConnectOptions access;
  private final Vertx vertx;
  private final long poll;
  private ServerConnection connection; // set once opened
  private HostPort connecting; // the last address that was tried

  private SentinelRoute(Vertx vertx, RedisLinkOptions setup, RedisConnectOptions access) {
    this.vertx = vertx;
    this.access = access;
    this.sentinels = new MasterLocator(vertx, setup, access);
    this.poll = vertx.setPeriodic(setup.settings().commandTimeout().toMillis(), id -> follow());
  }

  static Future<RedisRoute> open(Vertx vertx, RedisLinkOptions setup) {
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
    return sentinels
        .master()
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
    sentinels
        .master()
        .onSuccess(
            master -> {
              if (connection.isUp() && !master.equals(connecting)) {
                connection.leave("the Sentinels name another master, reconnecting");
              }
            });
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
