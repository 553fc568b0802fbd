package carillon.faults;

import java.time.Duration;
import java.util.List;

/**
 * Short form of the suite for every build: several faults of one cluster in sequence, and some
 * bugs.
 */
final class ShortForm {
  private ShortForm() {}

  static List<Scenario> all() {
    return List.of(
        together(),
        PlantedScenarios.finishBeforeSend(),
        PlantedScenarios.claimWithoutFence(),
        PlantedScenarios.staleNext());
  }

  /** Breaks one cluster with one fault after the other. */
  static Scenario together() {
    return Scenario.of(
            "short",
            "nodes halted at points, Redis killed while calls wait, a long pause of one node and a cut of another from Redis, changes of jobs that fire",
            ShortForm::run)
        .with(RedisScenarios.PATIENT, "20s")
        .load(40, 12, Plan.Behaviour.SUCCEEDS);
  }

  private static void run(World world) {
    NodeScenarios.haltAtPoints(world);
    world.slow(150, "waiting-");
    world.awaitCalls(60);
    RedisScenarios.kill(world, Duration.ofSeconds(2));
    // Both at the same time, as one of three nodes is enough: it must fit into every build.
    world.node(0).pause(true);
    RedisScenarios.cut(world, 1, Scenario.LEASE.plusSeconds(1), true, true);
    world.node(0).resume();
    LoadScenarios.change(world, 12, 4);
  }
}
