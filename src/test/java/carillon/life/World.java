package carillon.life;

import carillon.faults.Scripts;
import carillon.support.Await;
import carillon.support.Engine;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.NetClient;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Two nodes and two doors on one Redis, each on a separate wire, a target, and one clock. One world
 * serves many walks, one after the other.
 */
final class World implements AutoCloseable {
  static final int JOBS = 3;
  static final List<String> NODES = List.of("a", "b");

  /** Prefix of the keys of jobs. */
  static final String PREFIX = Engine.COLLECTION.key() + "/";

  private static final Instant BEGIN = Instant.parse("2026-11-20T12:00:00.137Z");

  /** Time without activity of any party after which the state is final. */
  private static final long STILL_NANOS = TimeUnit.MICROSECONDS.toNanos(400);

  private static final int STILL = 4;
  private static final Duration PATIENCE = Duration.ofMillis(1500);

  /** Patience while a request is in flight, on a busy machine. */
  private static final Duration LONG_PATIENCE = Duration.ofSeconds(15);

  /** Longest step of time, so that leases do not expire. */
  private static final Duration PART = Duration.ofSeconds(5);

  final RedisServer redis = RedisServer.startWithPort();
  final TestClock clock = new TestClock(BEGIN);
  final Milestones milestones = new Milestones();
  final Model model;
  final int places;
  final Target target;
  final List<Node> nodes;
  final List<Door> doors;
  private final Vertx wireLoop = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final Vertx targetLoop = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final NetClient toRedis = wireLoop.createNetClient();
  private final Turns turns = new Turns();
  private final Scripts scripts = new Scripts();
  final Witness witness;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /**
   * Creates a world.
   *
   * @param places of each destination, on each node
   * @param ignored rules that are not checked, to see which others a bug breaks
   */
  World(int places, Set<Rule> ignored) {
    this.places = places;
    model = new Model(ignored, this::isLiving);
    witness = new Witness(model, milestones, clock, this::isLiving);
    target = new Target(targetLoop, clock, model, milestones);
    List<Node> started = new ArrayList<>();
    nodes = started;
    NODES.forEach(id -> started.add(new Node(id, clock, places, () -> wire(id))));
    doors =
        List.of(new Door(wire("door 0"), clock, client), new Door(wire("door 1"), clock, client));
    nodes.forEach(Node::beat);
  }

  private Wire wire(String party) {
    return new Wire(wireLoop, toRedis, turns, party, redis.port(), clock, scripts, witness);
  }

  /** Whether a node has been well since an instant, or longer. */
  boolean isLiving(String id, Instant since) {
    return nodes.stream().anyMatch(node -> node.id().equals(id) && node.isLiving(since));
  }

  Node node(int n) {
    return nodes.get(Math.floorMod(n, nodes.size()));
  }

  /** Removes all data of an earlier walk, and advances the clock to another hour. */
  void renew(Theme theme) {
    doors.forEach(door -> door.wire().disarm());
    redis.eval(
        "for _, p in ipairs({'carillon:{[0-9]*', 'carillon:coll*', 'carillon:gates',"
            + " 'carillon:gatechanges', 'carillon:quota*', 'carillon:cleanup', 'carillon:flow:*'}) do"
            + " for _, key in ipairs(redis.call('KEYS', p)) do redis.call('DEL', key) end end"
            + " return 'done'");
    clock.step(Duration.ofHours(1));
    long off = Duration.between(BEGIN, clock.instant()).toMillis() % 1000;
    clock.advance(Duration.ofMillis(-off));
    model.begin(clock.instant());
    witness.begin();
    milestones.begin();
    nodes.forEach(Node::start);
    nodes.forEach(Node::beat);
    nodes.forEach(Node::beat);
    put("/jobcollections/default", "{}");
    if (theme.hasFlows()) {
      putFlows(FlowBook.DEFINITIONS);
    }
  }

  /** Puts flows, and lets the nodes that are well read them. */
  void putFlows(Map<String, String> definitions) {
    definitions.forEach((flow, definition) -> put("/flows/" + flow, definition));
    lookAtFlows();
  }

  private void put(String path, String definition) {
    int[] status = new int[1];
    Await.until("a door", () -> !doors.get(1).isPending());
    doors.get(1).sendTo("PUT", path, definition, code -> status[0] = code);
    Await.until(path, () -> !doors.get(1).isPending());
    if (status[0] != 200 && status[0] != 201) {
      throw new IllegalStateException("PUT " + path + ": " + status[0]);
    }
  }

  /** Waits until all activity has stopped and only another step can cause more. */
  void settle() {
    long start = System.nanoTime();
    long before = -1;
    int still = 0;
    while (still < STILL
        && System.nanoTime() - start < (isRequested() ? LONG_PATIENCE : PATIENCE).toNanos()) {
      long now = activity();
      still = now == before && !isMoving() ? still + 1 : 0;
      before = now;
      LockSupport.parkNanos(STILL_NANOS);
      Loops.turn(parties());
      Loops.turn(parties());
    }
  }

  private Stream<Vertx> parties() {
    return Stream.of(
            Stream.of(wireLoop, targetLoop),
            nodes.stream().filter(node -> !node.isDead()).map(node -> node.engine().vertx()),
            doors.stream().map(Door::vertx))
        .flatMap(parties -> parties);
  }

  private Stream<Wire> wires() {
    return Stream.concat(
        nodes.stream().filter(node -> !node.isDead()).map(Node::wire),
        doors.stream().map(Door::wire));
  }

  private long activity() {
    return wires().mapToLong(Wire::activity).sum()
        + doors.stream().mapToLong(Door::activity).sum()
        + target.activity();
  }

  private boolean isMoving() {
    return wires().anyMatch(Wire::isBusy)
        || nodes.stream().anyMatch(node -> !node.isConnected())
        || isRequested();
  }

  private boolean isRequested() {
    return doors.stream().anyMatch(door -> door.isPending() && !door.wire().isHolding());
  }

  /** Advances time, with the heartbeats of the nodes that are well. */
  void forward(Duration time) {
    Duration left = time;
    while (!left.isZero()) {
      Duration part = left.compareTo(PART) > 0 ? PART : left;
      left = left.minus(part);
      pass(part, part);
    }
  }

  /** Advances Redis' clock further than the clock of the nodes. */
  void pass(Duration byRedis, Duration byNodes) {
    clock.advance(byRedis);
    nodes.forEach(node -> node.pass(byNodes));
    nodes.forEach(Node::beat);
  }

  /** Lets the nodes that are well read the flows and ask for waiting attempts. */
  void lookAtFlows() {
    nodes.forEach(Node::lookAtFlows);
  }

  void poll() {
    nodes.forEach(Node::poll);
  }

  void restartRedis() {
    redis.kill9();
    redis.restart();
  }

  @Override
  public void close() {
    nodes.forEach(Node::close);
    doors.forEach(Door::close);
    Await.result(targetLoop.close());
    Await.result(wireLoop.close());
    redis.close();
  }
}
