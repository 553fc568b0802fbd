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
            "each node killed, halts at points, a long pause, Redis killed, a cut from Redis",
            ShortForm::run)
        .load(40, 12, Plan.Behaviour.SUCCEEDS);
  }

  private static void run(World world) {
    NodeScenarios.killEach(world);
    NodeScenarios.haltAtPoints(world);
    world.node(0).pause();
    world.pass(Scenario.LEASE.plusSeconds(2));
    world.node(0).resume();
    RedisScenarios.kill(world, Duration.ofSeconds(1));
    RedisScenarios.cut(world, 1, Scenario.LEASE.plusSeconds(1), true, true);
  }
}
