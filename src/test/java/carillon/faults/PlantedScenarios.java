package carillon.faults;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Bugs that the checker must find. */
final class PlantedScenarios {
  private PlantedScenarios() {}

  static List<Scenario> all() {
    return List.of(
        claimWithoutFence(),
        finishBeforeSend(),
        skippedReArm(),
        nodeClock(),
        staleNext(),
        blindRelease(),
        purgesFirst());
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
          NodeScenarios.halt(world, 0, "claim_due", true);
          world.node(0).start();
        });
  }

  static Scenario skippedReArm() {
    return planted(
        Planted.SKIPPED_RE_ARM,
        "bug: an occurrence is not scheduled",
        world -> world.pass(Duration.ofSeconds(8)));
  }

  static Scenario nodeClock() {
    return planted(
        Planted.NODE_CLOCK, "bug: nodes go by their own clock", world -> world.awaitCalls(300));
  }

  static Scenario staleNext() {
    return planted(
        Planted.STALE_NEXT,
        "bug: a change that was late lets an instant be due again that was called",
        PlantedScenarios::changeLate);
  }

  private static void changeLate(World world) {
    String job = "stale";
    Instant start = Instant.now().plusSeconds(1).truncatedTo(ChronoUnit.MILLIS);
    Plan plan = Plan.every(Duration.ofSeconds(1), start, 3600);
    world.driver().put(job, plan).join();
    for (int i = 0; i < 3; i++) {
      Journal.Call call = world.awaitCall(job, i);
      world.driver().patch(job, plan).join();
      String slot = PoisonScenario.slot(job);
      String key = PoisonScenario.key(job);
      world.redis().ask("HSET " + slot + "job:" + key + " next " + call.nominal());
      world.redis().ask("ZADD " + slot + "due " + call.nominal().toEpochMilli() + " job:" + key);
    }
    world.driver().disable(job).join();
  }

  static Scenario blindRelease() {
    return planted(
        Planted.BLIND_RELEASE,
        "bug: a release that is repeated takes back a claim whose call is in flight",
        world -> {
          world.slow(60, "released-");
          world.awaitCall(JournaledTarget.SLOW + "released-0", 0);
          world
              .redis()
              .ask(
                  "EVAL \"for _, claims in ipairs(redis.call('KEYS', 'carillon:{*}:claims:*')) do "
                      + "for _, run in ipairs(redis.call('HKEYS', claims)) do "
                      + "if string.find(run, 'released', 1, true) then "
                      + "redis.call('HDEL', claims, run) "
                      + "redis.call('ZADD', string.gsub(claims, 'claims:.*', 'due'), 1, run) "
                      + "end end end return 1\" 0");
          world.pass(Duration.ofSeconds(4));
        });
  }

  static Scenario purgesFirst() {
    return planted(
            Planted.PURGES_FIRST,
            "bug: nothing is called while there is something else to do",
            world -> {
              world.redis().ask("SET " + Planted.BUSY + " purges");
              world.pass(Duration.ofSeconds(4));
              world.redis().ask("DEL " + Planted.BUSY);
              world.awaitCalls(100);
            })
        .noLaterThan(Duration.ofSeconds(2));
  }

  private static Scenario planted(Planted bug, String what, Scenario.Steps steps) {
    return Scenario.of("planted-" + bug.word(), what, steps).with(bug);
  }
}
