package carillon.faults;

import carillon.support.Await;
import java.time.Duration;
import java.util.List;

/** Scenarios with faults of nodes. */
final class NodeScenarios {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private NodeScenarios() {}

  static List<Scenario> all() {
    return List.of(
        Scenario.of(
            "kill-node",
            "kill -9 of a node; it stays dead for longer than its lease",
            NodeScenarios::killOne),
        Scenario.of("kill-each", "kill -9 of each node in turn", NodeScenarios::killEach),
        Scenario.of("kill-all", "kill -9 of all nodes at once", NodeScenarios::killAll),
        Scenario.of(
            "halt-at-points", "nodes are halted at exact points", NodeScenarios::haltAtPoints),
        Scenario.of(
            "pause-short",
            "SIGSTOP for less than the lease, each node",
            w -> pauseEach(w, Scenario.LEASE.minusSeconds(2))),
        Scenario.of(
            "pause-long",
            "SIGSTOP for longer than the lease, each node",
            w -> pauseEach(w, Scenario.LEASE.plusSeconds(3))),
        Scenario.of(
            "rolling-restart",
            "SIGTERM and restart of each node under load",
            NodeScenarios::rollingRestart));
  }

  private static void killOne(World world) {
    world.node(1).kill9();
    world.pass(Scenario.LEASE.plusSeconds(4));
    world.node(1).start();
    world.awaitCalls(100);
  }

  private static void killEach(World world) {
    for (Member member : world.nodes()) {
      member.kill9();
      world.awaitCalls(50);
      member.start();
      world.awaitCalls(50);
    }
  }

  private static void killAll(World world) {
    world.nodes().forEach(Member::kill9);
    LoadScenarios.atOnce(world.nodes().size(), i -> world.node(i).start());
    world.awaitCalls(200);
  }

  /** Halts nodes at points in the life of a run, between two of its steps. */
  static void haltAtPoints(World world) {
    int turn = 0;
    for (Point point : Point.values()) {
      int node = turn++ % world.nodes().size();
      point.halt(world, node);
      world.node(node).start();
      world.awaitCalls(30);
    }
  }

  private enum Point {
    MID_ACCEPT("put_job", true),
    BEFORE_CLAIM_REPLY("claim_due", true),
    AFTER_CLAIM("schedule_next", false),
    AFTER_SCHEDULE_NEXT("schedule_next", true),
    AFTER_SEND("", false),
    AFTER_RESPONSE("finish", false),
    AFTER_COMPLETE("finish", true);

    private final String script;
    private final boolean performed;

    Point(String script, boolean performed) {
      this.script = script;
      this.performed = performed;
    }

    void halt(World world, int node) {
      if (this == AFTER_SEND) {
        haltByTarget(world, node);
      } else {
        NodeScenarios.halt(world, node, script, performed);
      }
    }
  }

  /** Halts a node at a command to Redis, and waits until it is dead. */
  static void halt(World world, int node, String script, boolean performed) {
    Member member = world.node(node);
    String where = "halt " + (performed ? "after " : "before ") + script;
    world.proxy(node).halt(new Trip(script, performed, () -> member.kill9(where)));
    awaitDeath(member);
  }

  private static void haltByTarget(World world, int node) {
    Member member = world.node(node);
    world.target().trip(member.name(), job -> member.kill9("halt after send"));
    awaitDeath(member);
  }

  private static void awaitDeath(Member member) {
    Await.until(member.name() + " to be halted", PATIENCE, () -> !member.isRunning());
  }

  private static void pauseEach(World world, Duration time) {
    for (Member member : world.nodes()) {
      member.pause(time.compareTo(Scenario.LEASE) > 0);
      world.pass(time);
      member.resume();
      world.awaitCalls(100);
    }
  }

  private static void rollingRestart(World world) {
    for (Member member : world.nodes()) {
      member.terminate();
      member.start();
      world.awaitCalls(60);
    }
  }
}
