package carillon.faults;

import carillon.faults.Journal.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Scenarios with nodes that fail while calls pass flows. The calls at the target show whether the
 * limits of the flow were kept.
 */
final class FlowScenarios {
  private static final int LIMIT = 120;
  private static final int BURST = 30;
  private static final int PARALLELISM = 30;

  /**
   * Maximum time from the beginning of a call to its arrival, with the delays of clocks and Redis.
   */
  private static final Duration SLACK = Duration.ofMillis(550);

  private static final Duration EFFECT = Duration.ofSeconds(1);
  private static final Duration OUTAGE = Duration.ofSeconds(6);

  private FlowScenarios() {}

  static List<Scenario> all() {
    return List.of(
        Scenario.of(
            "flow-limits",
            "kill -9 of each node, then of all, while calls pass a flow with a rate and one with a parallelism",
            FlowScenarios::killWithinLimits),
        Scenario.of(
                "flow-breaker",
                "no call is answered for a while, so that a breaker opens; a node is killed meanwhile",
                FlowScenarios::openBreaker)
            .load(60, 12, Plan.Behaviour.TROUBLED));
  }

  private static void killWithinLimits(World world) {
    putFlow(world, "rate", "once", "`rate`:{`limit`:%d,`burst`:%d}".formatted(LIMIT, BURST));
    putFlow(world, "parallelism", JournaledTarget.SLOW, "`parallelism`:" + PARALLELISM);
    world.pass(EFFECT);
    Instant since = Instant.now();
    // Calls due while nodes were dead begin at the rate of the flow: until then calls are late.
    Journal.Open backlog = world.redisFault("a flow has a backlog", false);
    for (Member member : world.nodes()) {
      member.kill9();
      world.awaitCalls(50);
      member.start();
      world.awaitCalls(50);
    }
    world.nodes().forEach(Member::kill9);
    LoadScenarios.atOnce(world.nodes().size(), i -> world.node(i).start());
    world.awaitCalls(300);
    world.awaitCallsInTime();
    backlog.over();
    checkRate(world, since);
    checkParallelism(world, since.plus(JournaledTarget.SECONDS));
  }

  /** Creates a flow that matches the address that such a job calls. */
  private static void putFlow(World world, String flow, String job, String limits) {
    String json =
        "{`match`:[`%s`],%s}".formatted(world.target().authority(job), limits).replace('`', '"');
    int status = world.driver().putFlow(flow, json).join();
    if (status != 201) {
      throw new AssertionError("PUT of flow " + flow + ": " + status);
    }
  }

  /** Checks that a bucket that the calls fill and the rate drains never overflows. */
  private static void checkRate(World world, Instant since) {
    double room = BURST + LIMIT * SLACK.toMillis() / 1000.0;
    double level = 0;
    Instant before = since;
    for (Call call : calls(world, since, job -> !JournaledTarget.isSlow(job))) {
      double out = Duration.between(before, call.arrived()).toMillis() * LIMIT / 1000.0;
      level = Math.max(0, level - out) + 1;
      before = call.arrived();
      if (level > room) {
        world.miss("rate: at " + before + " there were more calls than the flow allows");
        return;
      }
    }
  }

  private static void checkParallelism(World world, Instant since) {
    List<Call> calls =
        calls(world, since, job -> job.startsWith(JournaledTarget.SLOW)).stream()
            .map(call -> untilDeath(world, call))
            .toList();
    int peak = Capacity.peak(calls);
    if (peak > PARALLELISM) {
      world.miss("parallelism: " + peak + " calls at once");
    }
  }

  private static List<Call> calls(World world, Instant since, Predicate<String> jobs) {
    return world.journal().calls().stream()
        .filter(call -> jobs.test(call.job()) && call.arrived().isAfter(since))
        .filter(call -> call.answered().isPresent())
        .sorted(Comparator.comparing(Call::arrived))
        .toList();
  }

  /** Ends a call at the death of its node, even if the target goes on. */
  private static Call untilDeath(World world, Call call) {
    Instant answered = call.answered().orElseThrow();
    Instant end =
        world.journal().read().faults().stream()
            .filter(fault -> fault.place().equals(call.node()))
            .map(Journal.Fault::from)
            .filter(death -> death.isAfter(call.arrived()) && death.isBefore(answered))
            .findFirst()
            .orElse(answered);
    return new Call(
        call.job(),
        call.execution(),
        call.nominal(),
        call.arrived(),
        call.node(),
        Optional.of(end),
        call.status());
  }

  private static void openBreaker(World world) {
    putFlow(
        world, "breaker", "once", "`breaker`:{`consecutive`:5,`pause`:`PT1S`,`maxPause`:`PT2S`}");
    world.pass(EFFECT);
    Journal.Open fault = world.redisFault("no call is answered", true);
    world.nodes().forEach(member -> world.target().cutOff(member.name()));
    world.pass(OUTAGE);
    world.node(1).kill9();
    world.pass(OUTAGE);
    world.node(1).start();
    world.nodes().forEach(member -> world.target().reconnect(member.name()));
    world.awaitCallsInTime();
    fault.over();
    world.awaitCalls(60);
  }
}
