package carillon.store.node;

import carillon.job.WireWord;
import carillon.redis.EpochMillis;
import carillon.redis.Keys;
import carillon.redis.RedisErrors;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.redis.SharedClock;
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
 * Store of nodes and their heartbeats, which also carry the time. Confined to the event loop of its
 * link.
 */
public final class NodeStore {
  /** Longer than a silent node stays listed. */
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
   * @param workers those that share the partitions
   * @param idleNodes those that take none, or no longer do
   */
  public record Heartbeats(Map<String, Long> workers, Map<String, Long> idleNodes) {
    public Heartbeats {
      workers = Map.copyOf(workers);
      idleNodes = Map.copyOf(idleNodes);
    }

    /** Of a node in whichever list; the later one of two. */
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
   * @param asOf epoch ms by the shared clock, when it was asked for: a node that has been paused
   *     since then reads old heartbeats; if the clock was set since, when the answer came
   */
  public record View(Heartbeats heartbeats, Map<String, String> disabledMarkers, long asOf) {}

  /**
   * Asks Redis for the time and tells the clock. In a Cluster it is the master that holds the list
   * of nodes whose clock counts, for all nodes alike.
   */
  public Future<Void> syncClock() {
    return time(clock::observe);
  }

  /** Asks Redis for the time and tells the clock, which follows only where it is wrong. */
  public Future<Void> verifyClock() {
    return time(clock::check);
  }

  private Future<Void> time(BiConsumer<Long, Long> told) {
    long asked = clock.ask();
    return link.time(keys.nodes()).onSuccess(micros -> told.accept(asked, micros)).mapEmpty();
  }

  /**
   * One heartbeat: tells the time, marks this node alive, and sees the others. One round trip.
   *
   * @param working whether this node is to have its share of the partitions
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
   * Where the key holds another type, which only a hand or a bug can have written, the markers stay
   * as they were last seen: nodes that stand still would be worse, and so would collections that
   * count as enabled.
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

  /** Lists of nodes that hold another type are moved aside: the next heartbeats write new ones. */
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
   * On the one list first, then off the other: a node on neither could die unseen. The heartbeat is
   * as late as it may be by Redis' clock: nobody takes the node for dead while it holds its lease.
   */
  private Future<Void> list(boolean working) {
    String list = working ? keys.nodes() : keys.idleNodes();
    String other = working ? keys.idleNodes() : keys.nodes();
    long latest = EpochMillis.of(clock.instant().plus(clock.uncertainty()));
    return link.send(Request.cmd(Command.ZADD).arg(list).arg(latest).arg(node))
        .compose(listed -> link.send(Request.cmd(Command.ZREM).arg(other).arg(node)))
        .mapEmpty();
  }

  /** All nodes that have been seen and not been forgotten. */
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
   * @param life of the process
   * @param beat number of its heartbeat
   * @param ttl after which the id is free when it is not kept
   * @param seen what is known to be left from a process that has ended; empty for nothing
   * @return empty when the process has the id; else what stands there of the one that has
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

  /** A reply to another command must not read as another owner. */
  private static String owner(Response reply) {
    String owner = reply.toString();
    if (!owner.isEmpty() && !OWNER.matcher(owner).matches()) {
      throw new IllegalStateException("not an owner of a node id: " + owner);
    }
    return owner;
  }

  /** Returns the lease of a node; empty where its record is missing or cannot be read. */
  public Future<Optional<Duration>> lease(String other) {
    return link.send(Request.cmd(Command.HGETALL).arg(keys.node(other)))
        .map(hash -> NodeRecord.read(hash).map(NodeRecord::lease))
        .recover(
            failure ->
                RedisErrors.isWrongType(failure)
                    ? Future.succeededFuture(Optional.empty())
                    : Future.failedFuture(failure));
  }

  /** Writes the record of this node. Goes by itself when the node is gone. */
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
   * @param record empty when it says nothing of itself, as nodes of earlier versions
   */
  public record Member(String id, long beat, Optional<NodeRecord> record) {

    /** The state of the node, by its last heartbeat. */
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
    /** Stopping: it ends what it has begun. */
    LEAVING,
    /** Silent for longer than its lease: the others take its claims over. */
    DEAD,
    /** Unknown, as its record has no lease. */
    UNKNOWN;
  }

  /**
   * Some of the members.
   *
   * @param after where the list goes on, if it does
   */
  public record Page(List<Member> members, Optional<String> after) {}

  /**
   * The members in the order of their names.
   *
   * @param after the list begins after this name
   * @param skip so many are left out at its beginning
   * @param top so many at most
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

  /** Takes a node that has no claims left out of the lists. */
  public Future<Void> forget(String gone) {
    return Future.all(
            link.send(Request.cmd(Command.ZREM).arg(keys.nodes()).arg(gone)),
            link.send(Request.cmd(Command.ZREM).arg(keys.idleNodes()).arg(gone)),
            link.send(Request.cmd(Command.DEL).arg(keys.node(gone))),
            link.send(Request.cmd(Command.DEL).arg(keys.owner(gone))))
        .mapEmpty();
  }
}
