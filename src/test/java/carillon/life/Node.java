package carillon.life;

import carillon.config.Settings;
import carillon.redis.route.RedisLinkOptions;
import carillon.support.Await;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import carillon.support.TestClock;
import carillon.support.TestRedis;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** A node that can be paused, cut off, killed and started again. */
final class Node {
  /** How long a finished job is kept. */
  static final Duration KEPT = Duration.ofMinutes(10);

  /** Number of node crashes after which an attempt is given up. */
  static final int MAX_CRASHES = 1;

  private final String id;
  private final TestClock clock;
  private final int places;
  private final Supplier<Wire> wires;
  private Wire wire;
  private Engine engine;
  private int expected;
  private boolean paused;
  private boolean lost = true;
  private Instant wellSince = Instant.MIN;

  /**
   * Creates and starts a node.
   *
   * @param places of each destination
   * @param wires one for each of its lives
   */
  Node(String id, TestClock clock, int places, Supplier<Wire> wires) {
    this.id = id;
    this.clock = clock;
    this.places = places;
    this.wires = wires;
    start();
  }

  static RedisLinkOptions through(Wire wire) {
    return TestRedis.standalone(wire.uri(), Duration.ofSeconds(20), Duration.ofMillis(150));
  }

  private Settings settings() {
    return EngineSettings.with(
        "dispatch.maxInFlight=100",
        "dispatch.maxPerDestination=" + places,
        "dispatch.maxCrashes=" + MAX_CRASHES,
        "jobs.keepFinished=" + KEPT);
  }

  String id() {
    return id;
  }

  Engine engine() {
    return engine;
  }

  Wire wire() {
    return wire;
  }

  boolean isDead() {
    return engine == null;
  }

  /** Whether the node takes steps and Redis receives its commands. */
  boolean isWell() {
    return !isDead() && !paused && !wire.isCut() && !wire.isHolding();
  }

  /** Whether the node has been well since that instant, or longer. */
  boolean isLiving(Instant instant) {
    return !lost && wellSince.isBefore(instant);
  }

  /** Whether the node has all connections that it maintains. */
  boolean isConnected() {
    return isDead() || wire.isCut() || wire.connections() >= expected;
  }

  /** Kills the node: none of its commands reaches Redis any more. */
  void kill() {
    if (!isDead()) {
      lost = true;
      wire.cut(true);
      Engine dead = engine;
      Wire cut = wire;
      engine = null;
      Thread undertaker = new Thread(() -> bury(dead, cut), "end of " + id);
      undertaker.setDaemon(true);
      undertaker.start();
    }
  }

  private static void bury(Engine dead, Wire cut) {
    dead.close();
    cut.close();
  }

  /** Starts the node again, under the same name. */
  void start() {
    if (isDead()) {
      wire = wires.get();
      engine = new Engine(through(wire), id, clock, settings());
      expected = wire.connections();
      paused = false;
    }
  }

  void pause() {
    paused = true;
    lost = true;
    engine.freeze();
  }

  void cut() {
    lost = true;
    wire.cut(true);
  }

  /** The node continues, and Redis receives its commands again. */
  void resume() {
    paused = false;
    wire.cut(false);
  }

  /** Time passes for the node, too. */
  void pass(Duration time) {
    if (!isDead()) {
      engine.pass(time);
      lost |= !isWell();
    }
  }

  void beat() {
    if (isWell() && isConnected()) {
      Future<Void> beat = engine.beginBeat();
      Await.until("a heartbeat", () -> beat.isComplete() || wire.isHolding());
      wellSince = lost ? clock.instant() : wellSince;
      lost &= !beat.isComplete();
    }
  }

  void lookAtFlows() {
    if (isWell() && isConnected()) {
      Future<Void> look = engine.beginFlows();
      Await.until("a look at the flows", () -> look.isComplete() || wire.isHolding());
    }
  }

  void poll() {
    if (!isDead()) {
      engine.poll();
    }
  }

  void close() {
    if (!isDead()) {
      wire.close();
      engine.close();
    }
  }
}
