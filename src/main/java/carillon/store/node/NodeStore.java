package carillon.store.node;

import carillon.job.name.WireWord;
import carillon.redis.EpochMillis;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.redis.SharedClock;
import carillon.redis.route.RedisErrors;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Store of nodes and of their heartbeats, which also synchronize the clock. Confined to the event
 * loop of its link.
 */
public final class NodeStore {
  /** Retention of a node's record, longer than a silent node stays listed. */
  private static final Duration KEPT = Duration.ofHours(2);

  private static final Script<String> OWN = Script.returning("own_node", NodeStore::owner);
  private static final Pattern OWNER = Pattern.compile("\\S+ \\d+");
  private static final Logger LOG = LoggerFactory.getLogger(NodeStore.class);

  private final RedisLink link;
  private final Keys keys;
  private final String node;
  private final SharedClock clock;
  private Map<String, String> lastMarkers = Map.of();

  public NodeStore(RedisLink link, Keys keys, String node, SharedClock clock) {
    this.link = link;
    this.keys = keys;
    this.node = node;
    this.clock = clock;
  }

  /**
   * Heartbeats of all nodes: node id to epoch ms of the last one.
   *
   * @param workers nodes that share the partitions
   * @param idleNodes nodes that take no partitions, or no longer do
   */
  public record Heartbeats(Map<String, Long> workers, Map<String, Long> idleNodes) {
    public Heartbeats {
      workers = Map.copyOf(workers);
      idleNodes = Map.copyOf(idleNodes);
    }

    /** Returns the last heartbeat of a node in either list. */
    public Optional<Long> of(String node) {
      return Stream.of(workers, idleNodes)
          .map(beats -> beats.get(node))
          .filter(Objects::nonNull)
          .max(Comparator.naturalOrder());
    }
  }

  /**
   * View that a heartbeat returns.
   *
   * @param disabledMarkers collection key to its {@code DisabledMarker}
   * @param asOf epoch ms of the request by the shared clock, because a node that was paused since
   *     then has old heartbeats; if the clock was set in the meantime, epoch ms of the answer
   */
  public record View(Heartbeats heartbeats, Map<String, String> disabledMarkers, long asOf) {}

  /**
   * Sets the clock to Redis' time. In a Cluster, the clock of the master with the list of nodes
   * counts, for all nodes.
   */
  public Future<Void> syncClock() {
    return time(clock::observe);
  }

  /** Compares the clock with Redis' time, and corrects it only if it is wrong. */
  public Future<Void> verifyClock() {
    return time(clock::check);
  }

  private Future<Void> time(BiConsumer<Long, Long> told) {
    long asked = clock.ask();
    return link.time(keys.nodes()).onSuccess(micros -> told.accept(asked, micros)).mapEmpty();
  }

  /**
   * Sends a heartbeat in one round trip: synchronizes the clock, marks this node as alive, and
   * reads the other nodes.
   *
   * @param working whether this node will have its share of the partitions
   */
  public Future<View> beat(boolean working) {
    return tryBeat(working)
        .recover(
            failure ->
                RedisErrors.isWrongType(failure)
                    ? setAside().compose(done -> Future.failedFuture(failure))
                    : Future.failedFuture(failure));
  }

  private Future<View> tryBeat(boolean working) {
    long asked = clock.millis();
    int steps = clock.steps();
    Future<Void> time = syncClock();
    Future<Void> alive = list(working);
    Future<Heartbeats> heartbeats = heartbeats();
    Future<Map<String, String>> markers = disabledMarkers();
    return Future.all(time, alive, heartbeats, markers)
        .map(all -> steps == clock.steps() ? asked : clock.millis())
        .map(asOf -> new View(heartbeats.result(), markers.result(), asOf));
  }

  /**
   * Reads the disabled markers. If their key holds another type, after a manual edit or a bug, the
   * last markers stay valid. Otherwise nodes would stop, or disabled collections would count as
   * enabled.
   */
  private Future<Map<String, String>> disabledMarkers() {
    return link.send(Request.cmd(Command.HGETALL).arg(keys.gates()))
        .map(hash -> lastMarkers = texts(hash))
        .recover(
            failure -> {
              if (!RedisErrors.isWrongType(failure)) {
                return Future.failedFuture(failure);
              }
              LOG.atError()
                  .addKeyValue("key", keys.gates())
                  .log("key holds another type: remove it, and disable again what was disabled");
              return Future.succeededFuture(lastMarkers);
            });
  }

  /** Moves lists of nodes of another type aside. The next heartbeats write new ones. */
  private Future<Void> setAside() {
    return Future.join(setAside(keys.nodes()), setAside(keys.idleNodes())).mapEmpty();
  }

  private Future<Void> setAside(String list) {
    return link.send(Request.cmd(Command.TYPE).arg(list))
        .compose(
            type -> {
              if (List.of("zset", "none").contains(type.toString())) {
                return Future.succeededFuture();
              }
              LOG.atError().addKeyValue("key", list).log("key holds another type, moved aside");
              return link.send(Request.cmd(Command.RENAME).arg(list).arg(keys.damaged(list)));
            })
        .mapEmpty();
  }

  /**
   * Adds the node to one list before it leaves the other, because a node on neither could die
   * unseen. The heartbeat is at the latest possible instant of Redis' clock. So the node never
   * counts as dead while it holds its lease.
   */
  private Future<Void> list(boolean working) {
    String list = working ? keys.nodes() : keys.idleNodes();
    String other = working ? keys.idleNodes() : keys.nodes();
    long latest = EpochMillis.of(clock.instant().plus(clock.uncertainty()));
    return link.send(Request.cmd(Command.ZADD).arg(list).arg(latest).arg(node))
        .compose(listed -> link.send(Request.cmd(Command.ZREM).arg(other).arg(node)))
        .mapEmpty();
  }

  /** Returns the heartbeats of all listed nodes. */
  public Future<Heartbeats> heartbeats() {
    Future<Map<String, Long>> workers = beats(keys.nodes());
    Future<Map<String, Long>> idleNodes = beats(keys.idleNodes());
    return Future.all(workers, idleNodes)
        .map(both -> new Heartbeats(workers.result(), idleNodes.result()));
  }

  private Future<Map<String, Long>> beats(String list) {
    return link.send(Request.cmd(Command.ZRANGE).arg(list).arg(0).arg(-1).arg("WITHSCORES"))
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

  /**
   * Takes this node's id for a process, or keeps it.
   *
   * @param life id of the process
   * @param beat number of its heartbeat
   * @param ttl time after which the id is free if it is not kept
   * @param seen known value of a process that has ended; empty for none
   * @return empty if the process has the id, else the stored value of its owner
   */
  public Future<String> own(String life, long beat, Duration ttl, String seen) {
    return OWN.on(link)
        .key("owner", keys.owner(node))
        .arg("life", life)
        .arg("beat", beat)
        .arg("ttl", ttl.toMillis())
        .arg("seen", seen)
        .run();
  }

  /**
   * Returns the owner. Rejects a reply to another command, which must not look like another owner.
   */
  private static String owner(Response reply) {
    String owner = reply.toString();
    if (!owner.isEmpty() && !OWNER.matcher(owner).matches()) {
      throw new IllegalStateException("not an owner of a node id: " + owner);
    }
    return owner;
  }

  /** Returns the lease of a node; empty if its record is missing or unreadable. */
  public Future<Optional<Duration>> lease(String other) {
    return link.send(Request.cmd(Command.HGETALL).arg(keys.node(other)))
        .map(hash -> NodeRecord.read(hash).map(NodeRecord::lease))
        .recover(
            failure ->
                RedisErrors.isWrongType(failure)
                    ? Future.succeededFuture(Optional.empty())
                    : Future.failedFuture(failure));
  }

  /** Writes the record of this node. It expires after the node has stopped. */
  public Future<Void> describe(NodeRecord self) {
    String key = keys.node(node);
    Future<Response> told = link.send(self.write(key, clock.instant()));
    Future<Response> kept = link.send(Request.cmd(Command.PEXPIRE).arg(key).arg(KEPT.toMillis()));
    return Future.all(told, kept).mapEmpty();
  }

  /**
   * A node, as others see it.
   *
   * @param beat epoch ms of its last heartbeat
   * @param record empty if it is missing or unreadable
   */
  public record Member(String id, long beat, Optional<NodeRecord> record) {

    /** Returns the state of the node according to its last heartbeat. */
    public State state(Instant now) {
      if (record.isEmpty()) {
        return State.UNKNOWN;
      }
      boolean silent = beat + record.get().lease().toMillis() < now.toEpochMilli();
      return silent ? State.DEAD : record.get().leaving() ? State.LEAVING : State.ALIVE;
    }
  }

  /** State of a node. */
  public enum State implements WireWord {
    ALIVE,
    /** Stopping: it finishes its attempts. */
    LEAVING,
    /** Silent for longer than its lease. Other nodes take over its claims. */
    DEAD,
    /** Unknown, because its record has no lease. */
    UNKNOWN;
  }

  /**
   * A page of members.
   *
   * @param after position of the next page, if there is one
   */
  public record Page(List<Member> members, Optional<String> after) {}

  /**
   * Returns the members in the order of their names.
   *
   * @param after the list begins after this name
   * @param skip number of members to leave out at its beginning
   * @param top maximum number of members
   */
  public Future<Page> members(String after, int skip, int top) {
    return heartbeats().compose(beats -> page(beats, after, skip, top));
  }

  private Future<Page> page(Heartbeats beats, String after, int skip, int top) {
    SortedSet<String> all = new TreeSet<>(beats.workers().keySet());
    all.addAll(beats.idleNodes().keySet());
    List<String> left = all.tailSet(after + "\0").stream().skip(skip).limit(top + 1L).toList();
    List<String> shown = left.subList(0, Math.min(top, left.size()));
    List<Future<Member>> members =
        shown.stream().map(id -> member(id, beats.of(id).orElseThrow())).toList();
    return Future.all(members)
        .map(
            read ->
                new Page(
                    read.list(),
                    left.size() > top ? Optional.of(shown.get(top - 1)) : Optional.empty()));
  }

  private Future<Member> member(String id, long beat) {
    return link.send(Request.cmd(Command.HGETALL).arg(keys.node(id)))
        .map(hash -> new Member(id, beat, NodeRecord.read(hash)));
  }

  /** Removes a node without remaining claims from the lists. */
  public Future<Void> forget(String gone) {
    return Future.all(
            link.send(Request.cmd(Command.ZREM).arg(keys.nodes()).arg(gone)),
            link.send(Request.cmd(Command.ZREM).arg(keys.idleNodes()).arg(gone)),
            link.send(Request.cmd(Command.DEL).arg(keys.node(gone))),
            link.send(Request.cmd(Command.DEL).arg(keys.owner(gone))))
        .mapEmpty();
  }
}
