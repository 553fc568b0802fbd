package carillon.redis.route;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.RequestImpl;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Route to a Cluster, with one connection to each master. Commands go to the master that holds the
 * slot of their key. MOVED and ASK are followed. While a master is away only its slots fail, and
 * the Cluster is asked for its new layout a few times a second.
 *
 * <p>While a slot is being moved key by key, a partition is split between two masters, and a script
 * would see only a part. Every script therefore names one more key of the same slot, a key that
 * never exists ({@link SlotMap#slotGuard}). Redis then answers TRYAGAIN until the whole slot has
 * arrived, instead of running the script on a part.
 */
public final class ClusterRoute implements RedisRoute {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterRoute.class);
  private static final int MAX_HOPS = 5;
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Vertx vertx;
  private final RedisLinkOptions setup;
  private final RedisConnectOptions access;
  private final SlotMap slots = new SlotMap();
  private final Map<HostPort, ServerConnection> connections = new HashMap<>();
  private boolean refreshing;
  private boolean closed;

  private ClusterRoute(Vertx vertx, RedisLinkOptions setup) {
    this.vertx = vertx;
    this.setup = setup;
    this.access = new RedisConnectOptions(setup);
  }

  /** Fails when no node of the Cluster answers, or the layout has no master. */
  public static Future<RedisRoute> open(Vertx vertx, RedisLinkOptions setup) {
    ClusterRoute route = new ClusterRoute(vertx, setup);
    return route
        .layout()
        .compose(known -> route.connectAll())
        .<RedisRoute>map(route)
        .onFailure(failure -> route.close());
  }

  public static boolean isOneSlot(List<String> keys) {
    return keys.stream().mapToInt(SlotMap::slot).distinct().count() <= 1;
  }

  @Override
  public List<String> declared(List<String> keys) {
    List<String> all = new ArrayList<>(keys);
    all.add(SlotMap.slotGuard(keys.get(0)));
    return all;
  }

  @Override
  public boolean isUp() {
    return connections.values().stream().anyMatch(ServerConnection::isUp);
  }

  @Override
  public Future<Response> send(Request request) {
    List<byte[]> keys = ((RequestImpl) request).keys();
    if (keys.isEmpty()) {
      return anyUp()
          .map(connection -> connection.send(request))
          .orElseGet(() -> Future.failedFuture(RedisErrors.unavailable("no master is connected")));
    }
    return send(new String(keys.get(0), StandardCharsets.UTF_8), request);
  }

  private Optional<ServerConnection> anyUp() {
    return connections.values().stream().filter(ServerConnection::isUp).findFirst();
  }

  @Override
  public Future<Response> send(String key, Request request) {
    int slot = SlotMap.slot(key);
    HostPort master = slots.master(slot);
    ServerConnection connection = master == null ? null : connections.get(master);
    if (connection == null) {
      refresh();
      return Future.failedFuture(
          RedisErrors.unavailable("no master of the Cluster is known for slot " + slot));
    }
    return followed(slot, request, master, connection.send(request), 0);
  }

  /** The reply, or that of the server that a redirection names. */
  private Future<Response> followed(
      int slot, Request request, HostPort asked, Future<Response> reply, int hops) {
    return reply.recover(
        failure -> {
          String word = RedisErrors.word(failure);
          boolean moved = word.equals("MOVED");
          if (!moved && !word.equals("ASK")) {
            if (RedisErrors.isUnavailable(failure)) {
              refresh();
            }
            return Future.failedFuture(failure);
          }
          if (hops == MAX_HOPS) {
            return Future.failedFuture(
                RedisErrors.unavailable(
                    "the Redis Cluster redirects in a circle: " + failure.getMessage()));
          }
          HostPort target = HostPort.parse(RedisErrors.target(failure), asked.host());
          if (moved) {
            slots.move(slot, target);
            refresh();
          }
          Future<Response> next =
              connected(target).compose(connection -> sendOn(connection, moved, request));
          return followed(slot, request, target, next, hops + 1);
        });
  }

  private static Future<Response> sendOn(
      ServerConnection connection, boolean moved, Request request) {
    if (!moved) {
      connection.send(Request.cmd(Command.ASKING));
    }
    return connection.send(request);
  }

  @Override
  public Future<List<Response>> sendToAll(Supplier<Request> request) {
    List<Future<Response>> replies =
        slots.masters().stream()
            .map(this::connected)
            .map(master -> master.compose(connection -> connection.send(request.get())))
            .toList();
    return Future.all(replies).map(all -> all.list());
  }

  @Override
  public List<RedisRoute> masters() {
    return slots.masters().stream()
        .map(connections::get)
        .filter(Objects::nonNull)
        .<RedisRoute>map(connection -> connection)
        .toList();
  }

  /** A connection to a server that may be new to us; fails when it cannot be had. */
  private Future<ServerConnection> connected(HostPort address) {
    ServerConnection known = connections.get(address);
    if (known != null) {
      return Future.succeededFuture(known);
    }
    return ServerConnection.open(vertx, setup, () -> Future.succeededFuture(access.found(address)))
        .compose(opened -> kept(address, opened));
  }

  private Future<ServerConnection> kept(HostPort address, ServerConnection opened) {
    ServerConnection first = connections.putIfAbsent(address, opened.onLoss(this::refresh));
    if (first != null || closed) {
      opened.close();
    }
    return Future.succeededFuture(first == null ? opened : first);
  }

  /**
   * Connects to all masters. At the start every master must be available, which shows that the
   * operator's settings are right.
   */
  private Future<Void> connectAll() {
    return Future.all(slots.masters().stream().map(this::connected).toList()).mapEmpty();
  }

  /** Asks for the layout until every master is connected; one asking at a time. */
  private void refresh() {
    if (refreshing || closed) {
      return;
    }
    refreshing = true;
    vertx
        .timer(PAUSE.toMillis())
        .compose(passed -> layout())
        .onComplete(
            (done, failure) -> {
              refreshing = false;
              if (failure != null) {
                LOG.atWarn()
                    .addKeyValue("error", RedisErrors.text(failure))
                    .log("cannot read the slots of the Redis Cluster, asking again");
              }
              if (failure != null || !adopt(slots.masters())) {
                refresh();
              }
            });
  }

  /** Connects to new masters and leaves old ones; true when all are up. */
  private boolean adopt(Set<HostPort> masters) {
    masters.forEach(
        master ->
            connections.computeIfAbsent(
                master,
                added ->
                    ServerConnection.start(
                            vertx, setup, () -> Future.succeededFuture(access.found(added)))
                        .onLoss(this::refresh)));
    connections
        .entrySet()
        .removeIf(
            entry -> {
              boolean left = !masters.contains(entry.getKey());
              if (left) {
                entry.getValue().close();
              }
              return left;
            });
    return connections.values().stream().allMatch(ServerConnection::isUp);
  }

  /**
   * Asks a connected master for the layout, or else the servers that the operator named. The order
   * is random, because a master that was cut off keeps returning the old layout.
   */
  private Future<Void> layout() {
    Future<Void> asked = Future.failedFuture(RedisErrors.unavailable("no node answers"));
    List<Map.Entry<HostPort, ServerConnection>> connected = new ArrayList<>(connections.entrySet());
    Collections.shuffle(connected, ThreadLocalRandom.current());
    for (Map.Entry<HostPort, ServerConnection> entry : connected) {
      asked =
          asked.recover(
              none ->
                  entry
                      .getValue()
                      .send(question())
                      .map(reply -> take(reply, entry.getKey().host())));
    }
    for (URI seed : setup.uris()) {
      asked =
          asked.recover(
              none ->
                  ServerConnection.askOnce(vertx, setup, access.configured(seed), question())
                      .map(reply -> take(reply, seed.getHost())));
    }
    return asked;
  }

  private static Request question() {
    return Request.cmd(Command.CLUSTER).arg("SLOTS");
  }

  private Void take(Response ranges, String self) {
    if (ranges.size() == 0) {
      throw RedisErrors.unavailable("the Redis Cluster has no slots assigned");
    }
    slots.take(ranges, self).forEach(access::tell);
    return null;
  }

  @Override
  public Future<Void> close() {
    closed = true;
    return Future.join(connections.values().stream().map(ServerConnection::close).toList())
        .mapEmpty();
  }
}
