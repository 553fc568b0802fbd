package carillon.faults;

import java.time.Duration;
import java.util.List;

/** Bugs that the checker must find. */
final class PlantedScenarios {
  private PlantedScenarios() {}

  static List<Scenario> all() {
    return List.of(claimWithoutFence(), finishBeforeSend(), skippedReArm(), nodeClock());
  }

  static Scenario claimWithoutFence() {
    return planted(
        Planted.CLAIM_WITHOUT_FENCE,
        "bug: claims leave what they take",
        world -> world.awaitCalls(200));
  }

  static Scenario finishBeforeSend() {
    return planted(
        Planted.FINISH_BEFORE_SEND,
        "bug: a claim counts as done before it is sent; a node dies between the two",
        world -> {
          NodeScenarios.halt(world, 0, "claim", true);
          world.node(0).start();
        });
  }

  static Scenario skippedReArm() {
    return planted(
        Planted.SKIPPED_RE_ARM,
        "bug: an occurrence is not armed",
        world -> world.pass(Duration.ofSeconds(8)));
  }

  static Scenario nodeClock() {
    return planted(
        Planted.NODE_CLOCK, "bug: nodes go by their own clock", world -> world.awaitCalls(300));
  }

  private static Scenario planted(Planted bug, String what, Scenario.Steps steps) {
    return Scenario.of("planted-" + bug.word(), what, steps).with(bug);
  }
}
