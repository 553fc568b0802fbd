package carillon.faults;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Scenarios with wrong clocks. */
final class ClockScenarios {
  private static final Duration STEP = Duration.ofMinutes(5);

  /**
   * Step of Redis' clock. After a step back, an instant set before, such as a retry's, is reached
   * this much later.
   */
  private static final Duration OF_REDIS = Duration.ofSeconds(25);

  private static final Duration SMALL = Duration.ofMillis(900);

  /** Maximum lateness of a call, whatever the clock was set to. */
  private static final Duration LATEST = Duration.ofSeconds(2);

  private static final Duration HOUR = Duration.ofHours(1);
  private static final int BACKLOG = 20_000;

  private ClockScenarios() {}

  static List<Scenario> all() {
    return List.of(
        Scenario.of(
                "clock-node",
                "the clocks of two nodes step by 5 minutes ahead and back, and jump to and fro each second",
                ClockScenarios::stepNodes)
            .withFakedNodes()
            .unless(WallClock::missing),
        stepRedis(),
        stepRedisOfOne(),
        downtime());
  }

  private static void stepNodes(World world) {
    Journal.Open fault = world.journal().begin("clocks of nodes", Journal.REDIS, false);
    world.clock(0).set(STEP);
    world.clock(1).set(STEP.negated());
    world.pass(Duration.ofSeconds(8));
    for (int i = 0; i < 10; i++) {
      world.clock(0).set(i % 2 == 0 ? Duration.ZERO : STEP);
      world.clock(1).set(i % 2 == 0 ? STEP : STEP.negated());
      world.pass(Duration.ofSeconds(1));
    }
    world.clock(0).set(Duration.ZERO);
    world.clock(1).set(Duration.ZERO);
    fault.over();
    world.awaitCalls(60);
  }

  private static Scenario stepRedis() {
    SteppedClock clock = new SteppedClock();
    return Scenario.of(
            "clock-redis",
            "Redis' clock steps by 25 s ahead and back, then by 0.9 s to and fro",
            world -> stepToAndFro(world, clock))
        .noLaterThan(LATEST)
        .clock(clock);
  }

  private static Scenario stepRedisOfOne() {
    SteppedClock clock = new SteppedClock();
    return Scenario.of(
            "clock-redis-one",
            "the same with a single node, which no other helps out",
            world -> stepToAndFro(world, clock))
        .nodes(1)
        .load(40, 12, Plan.Behaviour.SUCCEEDS)
        .noLaterThan(LATEST)
        .clock(clock);
  }

  private static void stepToAndFro(World world, SteppedClock clock) {
    Journal.Open fault = world.redisFault("clock of Redis", false);
    step(world, clock, OF_REDIS);
    world.pass(Duration.ofSeconds(6));
    step(world, clock, Duration.ZERO);
    world.pass(Duration.ofSeconds(8));
    for (int i = 0; i < 4; i++) {
      step(world, clock, i % 2 == 0 ? SMALL : Duration.ZERO);
      world.pass(Duration.ofSeconds(3));
    }
    fault.over();
    world.awaitCalls(60);
  }

  private static Scenario downtime() {
    SteppedClock clock = new SteppedClock();
    return Scenario.of(
            "downtime-1h",
            "20,000 jobs and 12 recurring ones fall due within an hour in which no node runs (Redis' clock is stepped)",
            world -> {
              Instant from = Instant.now().plusSeconds(60).truncatedTo(ChronoUnit.MILLIS);
              long spread = HOUR.minusMinutes(2).toMillis();
              LoadScenarios.putAll(
                  world, "backlog-", BACKLOG, i -> from.plusMillis(i * spread / BACKLOG));
              world.nodes().forEach(member -> member.kill9("kill -9"));
              Journal.Open fault = world.redisFault("nothing runs for an hour", true);
              step(world, clock, HOUR);
              world.nodes().forEach(Member::start);
              fault.over();
              LoadScenarios.awaitCalled(world, "backlog-");
            })
        .load(20, 12, Plan.Behaviour.SUCCEEDS)
        .clock(clock);
  }

  static void step(World world, SteppedClock judged, Duration ahead) {
    judged.step(ahead);
    world.redisClock(ahead);
  }
}
