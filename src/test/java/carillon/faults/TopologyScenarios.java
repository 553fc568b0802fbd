package carillon.faults;

import carillon.support.Await;
import carillon.support.RedisCluster;
import carillon.support.RedisSentinels;
import carillon.support.RedisServer;
import java.time.Duration;
import java.util.List;

/** Scenarios with faults of replicated or sharded Redis servers. */
final class TopologyScenarios {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PARTITIONS = 64;

  private TopologyScenarios() {}

  static List<Scenario> all() {
    return List.of(
        Scenario.of(
                "sentinel-failover",
                "kill -9 of the master; Sentinels replace it, and it comes again",
                TopologyScenarios::killMaster)
            .onSentinels(),
        Scenario.of(
                "sentinel-paused",
                "the master stops, is replaced, and goes on as if it still were one; level replica",
                TopologyScenarios::pauseMaster)
            .onSentinels("appendfsync always", "min-replicas-to-write 1", "min-replicas-max-lag 2")
            .with("CARILLON_REDIS_DURABILITY", "replica"),
        Scenario.of(
                "cluster-failover",
                "kill -9 of a master of a Cluster, and a failover that is asked for",
                TopologyScenarios::killOneMaster)
            .onCluster(),
        Scenario.of(
                "cluster-reshard",
                "half of a master's partitions are moved key by key",
                TopologyScenarios::reshard)
            .onCluster());
  }

  private static RedisSentinels sentinels(World world) {
    return ((Backend.Sentinel) world.backend()).servers();
  }

  private static RedisCluster cluster(World world) {
    return ((Backend.Cluster) world.backend()).servers();
  }

  private static void killMaster(World world) {
    RedisServer master = sentinels(world).master();
    Journal.Open fault = world.redisFault("kill -9 of the master", true);
    master.kill9();
    world.pass(Duration.ofSeconds(2));
    world.awaitAccepted(5);
    fault.over();
    master.restart();
    Await.until("the old master to follow", PATIENCE, () -> !RedisSentinels.isMaster(master));
    world.awaitCalls(100);
  }

  private static void pauseMaster(World world) {
    RedisServer master = sentinels(world).master();
    Journal.Open fault = world.redisFault("SIGSTOP of the master", true);
    master.pause();
    world.pass(Duration.ofSeconds(2));
    world.awaitAccepted(60);
    master.resume();
    Await.until("the old master to follow", PATIENCE, () -> !RedisSentinels.isMaster(master));
    fault.over();
    world.awaitAccepted(60);
    world.awaitCalls(100);
  }

  private static void killOneMaster(World world) {
    RedisServer master = cluster(world).server(1);
    Journal.Open fault = world.redisFault("kill -9 of a master", true);
    master.kill9();
    Await.until("three masters", PATIENCE, () -> cluster(world).masters().size() == 3);
    fault.over();
    world.awaitAccepted(100);
    master.restart();
    cluster(world).awaitReplicas();
    world.awaitCalls(100);

    fault = world.redisFault("CLUSTER FAILOVER", true);
    master.ask("CLUSTER FAILOVER");
    Await.until("the failover", PATIENCE, () -> cluster(world).masters().contains(master));
    fault.over();
    world.awaitAccepted(100);
    world.awaitCalls(100);
  }

  private static void reshard(World world) {
    RedisServer from = cluster(world).server(0);
    RedisServer to = cluster(world).server(1);
    Journal.Open fault = world.redisFault("partitions are moved", false);
    for (int partition = 0; partition < PARTITIONS; partition += 2) {
      int slot = cluster(world).slot("{" + partition + "}");
      if (cluster(world).masterOf(slot).equals(from)) {
        cluster(world).beginMove(slot, from, to);
        while (cluster(world).moveKeys(slot, 3, from, to)) {}
        cluster(world).endMove(slot, from, to);
      }
    }
    fault.over();
    world.awaitCalls(100);
  }
}
