package carillon.faults;

import carillon.support.Await;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Proxy between one node and Redis. It can cut them off from each other without ending a
 * connection, halt the node at an exact point, and change the time that Redis returns. Thread-safe.
 */
final class Proxy implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final NetServer server;
  private final NetClient client = vertx.createNetClient();
  private final int redisPort;
  private final Scripts scripts;
  private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Trip> trip = new AtomicReference<>();
  private volatile Duration ahead = Duration.ZERO;
  private volatile boolean requestsCut;
  private volatile boolean repliesCut;

  Proxy(int redisPort, Scripts scripts) {
    this.redisPort = redisPort;
    this.scripts = scripts;
    server =
        Await.result(vertx.createNetServer().connectHandler(this::connect).listen(0, "127.0.0.1"));
  }

  private void connect(NetSocket node) {
    node.pause();
    client
        .connect(redisPort, "127.0.0.1")
        .onFailure(refused -> node.close())
        .onSuccess(
            redis -> {
              ProxiedConnection connection =
                  new ProxiedConnection(node, redis, scripts, trip, () -> ahead, vertx);
              connections.add(connection);
              node.closeHandler(closed -> end(connection));
              redis.closeHandler(closed -> end(connection));
              connection.cut(requestsCut, repliesCut);
            });
  }

  private void end(ProxiedConnection connection) {
    connections.remove(connection);
    connection.close();
  }

  String uri() {
    return "redis://127.0.0.1:" + server.actualPort();
  }

  /**
   * Stops all data from now on, in one direction or in both. Data sent in the meantime arrives when
   * the cut is healed, unless the connection was closed.
   */
  void cut(boolean requests, boolean replies) {
    requestsCut = requests;
    repliesCut = replies;
    connections.forEach(connection -> connection.cut(requests, replies));
  }

  void heal() {
    cut(false, false);
  }

  /** Moves the time that Redis returns ahead by {@code by} from now on. */
  void clock(Duration by) {
    ahead = by;
  }

  /**
   * Halts the node at the next match of {@code at}. Nothing passes from then on, until the node
   * ends.
   */
  void halt(Trip at) {
    trip.set(at);
  }

  /** Removes a point that was not reached. */
  void forget() {
    trip.set(null);
  }

  @Override
  public void close() {
    Await.result(vertx.close());
  }
}
