package carillon.store;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** What the nodes know of each other, and of the time. Confined to the event loop of its link. */
public final class NodeStore {
  private final RedisLink link;
  private final Keys keys;
  private final String node;
  private final TimeKeeper clock;

  public NodeStore(RedisLink link, Keys keys, String node, TimeKeeper clock) {
    this.link = link;
    this.keys = keys;
    this.node = node;
    this.clock = clock;
  }

  /**
   * What a heartbeat sees.
   *
   * @param heartbeats node id to epoch ms of its last heartbeat
   * @param gates collection key to {@code closed <since>} or {@code open <since>}
   */
  public record View(Map<String, Long> heartbeats, Map<String, String> gates) {}

  /**
   * Asks Redis for the time and tells the clock. In a Cluster it is the master that holds the list
   * of nodes whose clock counts, for all nodes alike.
   */
  public Future<Void> tellTime() {
    return link.send(keys.nodes(), Request.cmd(Command.TIME))
        .map(
            time -> {
              clock.observe(time.get(0).toLong() * 1_000_000 + time.get(1).toLong());
              return null;
            });
  }

  /** One heartbeat: tells the time, marks this node alive, and sees the others. One round trip. */
  public Future<View> beat() {
    Future<Void> time = tellTime();
    Future<Response> alive =
        link.send(Request.cmd(Command.ZADD).arg(keys.nodes()).arg(clock.millis()).arg(node));
    Future<Map<String, Long>> heartbeats = heartbeats();
    Future<Response> gates = link.send(Request.cmd(Command.HGETALL).arg(keys.gates()));
    return Future.all(time, alive, heartbeats, gates)
        .map(all -> new View(heartbeats.result(), texts(gates.result())));
  }

  /** All nodes that have been seen and not been forgotten. */
  public Future<Map<String, Long>> heartbeats() {
    return link.send(Request.cmd(Command.ZRANGE).arg(keys.nodes()).arg(0).arg(-1).arg("WITHSCORES"))
        .map(
            range -> {
              Map<String, Long> beats = new HashMap<>();
              range.forEach(pair -> beats.put(pair.get(0).toString(), pair.get(1).toLong()));
              return beats;
            });
  }

  private static Map<String, String> texts(Response hash) {
    Map<String, String> texts = new HashMap<>();
    hash.getKeys().forEach(key -> texts.put(key, hash.get(key).toString()));
    return texts;
  }

  /** Takes a node that has no claims left out of the list. */
  public Future<Void> forget(String gone) {
    return link.send(Request.cmd(Command.ZREM).arg(keys.nodes()).arg(gone)).mapEmpty();
  }

  /** Whether the collection with this key is disabled now. */
  public Future<Boolean> isGateClosed(String collection) {
    return link.send(Request.cmd(Command.HGET).arg(keys.gates()).arg(collection))
        .map(entry -> entry != null && Gate.isClosed(entry.toString()));
  }

  /** Removes the entry of a gate that has been open for a while and holds nothing back. */
  public Future<Void> forgetGate(String collection) {
    return link.send(Request.cmd(Command.HDEL).arg(keys.gates()).arg(collection)).mapEmpty();
  }

  /** The instant, as last told. */
  public Instant now() {
    return clock.instant();
  }
}
