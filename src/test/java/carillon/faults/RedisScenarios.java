package carillon.faults;

import java.time.Duration;
import java.util.List;

/** Scenarios with faults of a single Redis, and between it, the nodes and the target. */
final class RedisScenarios {
  private static final Duration WHILE = Duration.ofSeconds(8);

  /**
   * Setting of the call timeout. With a long one, a call of two seconds counts as fast, so that
   * many calls of its target may wait.
   */
  static final String PATIENT = "CARILLON_DISPATCH_TIMEOUT";

  /** Number of calls, larger than the number of slots of all nodes. */
  private static final int WAITING = 300;

  private RedisScenarios() {}

  static List<Scenario> all() {
    return List.of(
        Scenario.of(
            "redis-kill",
            "kill -9 of Redis, three times; it comes again after 1, 2 and 3 s",
            world -> {
              for (int seconds = 1; seconds <= 3; seconds++) {
                kill(world, Duration.ofSeconds(seconds));
              }
            }),
        Scenario.of(
                "slow-redis-kill",
                "kill -9 of Redis, three times for 2 s, while calls wait for a place at a slow target",
                RedisScenarios::killWhileCallsWait)
            .with(PATIENT, "20s"),
        Scenario.of("redis-stop-30s", "SIGSTOP of Redis for 30 s", RedisScenarios::stop),
        Scenario.of(
            "script-flush", "SCRIPT FLUSH every 100 ms for 8 s", RedisScenarios::flushScripts),
        Scenario.of(
            "maxmemory", "maxmemory is reached for 8 s, then raised", RedisScenarios::fillMemory),
        Scenario.of("disk-full", "the disk of Redis is full for 8 s", RedisScenarios::fillDisk)
            .on(SmallDisk::redis)
            .unless(SmallDisk::missing),
        Scenario.of(
            "cut-redis",
            "a node is cut off from Redis for longer than its lease: both ways, then replies only",
            world -> {
              cut(world, 0, Scenario.LEASE.plusSeconds(2), true, true);
              cut(world, 1, Scenario.LEASE.plusSeconds(2), false, true);
            }),
        Scenario.of(
            "cut-flapping", "the way to Redis is cut every other second", RedisScenarios::flap),
        Scenario.of(
                "cut-target",
                "a node is cut off from the target for 6 s",
                RedisScenarios::cutTarget)
            .load(60, 12, Plan.Behaviour.TROUBLED));
  }

  /** Kills Redis and restarts it after {@code away}. */
  static void kill(World world, Duration away) {
    Journal.Open fault = world.redisFault("kill -9 of Redis", true);
    world.redis().kill9();
    world.pass(away);
    world.redis().restart();
    fault.over();
    world.awaitAccepted(20);
    world.awaitCalls(60);
  }

  private static void killWhileCallsWait(World world) {
    for (int i = 0; i < 3; i++) {
      world.slow(WAITING, "waiting-" + i + "-");
      world.awaitCalls(WAITING / 2);
      kill(world, Duration.ofSeconds(2));
    }
  }

  private static void stop(World world) {
    Journal.Open fault = world.redisFault("SIGSTOP of Redis", true);
    world.redis().pause();
    world.pass(Duration.ofSeconds(30));
    world.redis().resume();
    fault.over();
    world.awaitAccepted(20);
    world.awaitCalls(100);
  }

  private static void flushScripts(World world) {
    Journal.Open fault = world.redisFault("SCRIPT FLUSH", false);
    for (int i = 0; i < 80; i++) {
      world.redis().ask("SCRIPT FLUSH");
      world.pass(Duration.ofMillis(100));
    }
    fault.over();
    world.awaitCalls(60);
  }

  private static void fillMemory(World world) {
    Journal.Open fault = world.redisFault("maxmemory reached", false);
    world.redis().ask("CONFIG SET maxmemory 1mb");
    world.pass(WHILE);
    world.redis().ask("CONFIG SET maxmemory 0");
    world.awaitAccepted(20);
    fault.over();
    world.awaitCalls(60);
  }

  private static void fillDisk(World world) {
    Journal.Open fault = world.redisFault("disk full", false);
    SmallDisk disk = ((Backend.OnSmallDisk) world.backend()).disk();
    disk.fill();
    world.pass(WHILE);
    disk.free();
    world.awaitAccepted(20);
    fault.over();
    world.awaitCalls(60);
  }

  /** Cuts a node off from Redis, in one direction or both. */
  static void cut(World world, int node, Duration time, boolean requests, boolean replies) {
    String name = world.node(node).name();
    Journal.Open fault = world.journal().begin(name + " cut off from Redis", name, true);
    world.proxy(node).cut(requests, replies);
    world.pass(time);
    world.proxy(node).heal();
    fault.over();
    world.awaitCalls(60);
  }

  private static void flap(World world) {
    String name = world.node(2).name();
    for (int i = 0; i < 6; i++) {
      // Shorter than the lease: no node takes over, and no call is repeated.
      Journal.Open fault = world.journal().begin(name + " cut off for a second", name, false);
      world.proxy(2).cut(true, true);
      world.pass(Duration.ofSeconds(1));
      world.proxy(2).heal();
      fault.over();
      world.pass(Duration.ofSeconds(1));
    }
    world.awaitCalls(60);
  }

  private static void cutTarget(World world) {
    String name = world.node(1).name();
    Journal.Open fault = world.journal().begin(name + " cut off from the target", name, false);
    world.target().cutOff(name);
    world.pass(Duration.ofSeconds(6));
    world.target().reconnect(name);
    fault.over();
    world.awaitCalls(100);
  }
}
