package carillon.faults;

import java.time.Duration;
import java.util.List;

/** What runs in every build: several faults of one cluster, one after the other, and two bugs. */
final class ShortForm {
  private ShortForm() {}

  static List<Scenario> all() {
    return List.of(
        together(), PlantedScenarios.finishBeforeSend(), PlantedScenarios.claimWithoutFence());
  }

  /** One cluster, one fault after the other. */
  static Scenario together() {
    return Scenario.of(
            "short",
            "nodes halted at points, Redis killed, a long pause of one node and a cut of another from Redis",
            ShortForm::run)
        .load(40, 12, Plan.Behaviour.SUCCEEDS);
  }

  private static void run(World world) {
    NodeScenarios.haltAtPoints(world);
    RedisScenarios.kill(world, Duration.ofSeconds(1));
    // Both at once, as one of the three is enough: it must fit into every build.
    world.node(0).pause();
    RedisScenarios.cut(world, 1, Scenario.LEASE.plusSeconds(1), true, true);
    world.node(0).resume();
  }
}
