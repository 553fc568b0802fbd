package carillon.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Run of a scenario: starts, breaks and heals the cluster, then reads and judges the observations.
 */
final class Trial {
  /** Time that a node needs beyond its lease to react to a fault. */
  private static final Duration REACTION = Duration.ofSeconds(2);

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Time to wait for missing calls with a planted bug. Short, because lost calls never come. */
  private static final Duration BUG_PATIENCE = Duration.ofSeconds(8);

  private final Scenario scenario;
  private final Path dir;
  private final List<String> trouble = new ArrayList<>();

  Trial(Scenario scenario, Path dir) {
    this.scenario = scenario;
    this.dir = dir;
  }

  Outcome run() {
    Optional<String> missing = scenario.setup().missing.get();
    if (missing.isPresent()) {
      return new Outcome(scenario, Optional.empty(), List.of(), missing, Duration.ZERO);
    }
    long begun = System.nanoTime();
    Optional<Verdict> verdict = Optional.empty();
    create();
    try (World world = new World(scenario.setup(), dir)) {
      Set<String> histories = perform(world);
      Journal.Snapshot seen = world.journal().read();
      Journal.write(seen, dir);
      trouble.addAll(world.driver().strange());
      trouble.addAll(world.missed());
      verdict =
          Optional.of(
              Checker.check(
                  seen,
                  new Checker.Rules(
                      Scenario.LEASE.plus(REACTION),
                      world.places(),
                      histories,
                      scenario.setup().clock,
                      scenario.setup().latest)));
    } catch (RuntimeException | AssertionError e) {
      trouble.add(e.toString());
    }
    return new Outcome(
        scenario,
        verdict,
        List.copyOf(trouble),
        Optional.empty(),
        Duration.ofNanos(System.nanoTime() - begun));
  }

  /**
   * Performs the scenario. Reports a failed step as trouble and still judges the observations made
   * so far.
   */
  private Set<String> perform(World world) {
    attempt(world, () -> performSteps(world));
    if (!world.node(0).isRunning()) {
      return Set.of();
    }
    try {
      return new Histories(world.driver(), world.journal())
          .read(world.node(0).base(), scenario.setup().purging);
    } catch (RuntimeException | AssertionError e) {
      trouble.add("histories: " + e);
      return Set.of();
    }
  }

  private void performSteps(World world) throws Exception {
    world.begin();
    boolean isBug = scenario.setup().program.isPresent();
    // Settles even a scenario that does not finish, so that its observations can be judged.
    attempt(
        world,
        () -> {
          scenario.steps().run(world);
          if (!isBug) {
            world.awaitHealth();
            world.awaitCallsInTime();
          }
        });
    world.settle(isBug ? BUG_PATIENCE : PATIENCE);
    if (!isBug) {
      world.measureRoom(Capacity.AFTER);
      world.awaitIdle();
      world.awaitList();
    }
  }

  /** Step that may fail. */
  @FunctionalInterface
  private interface Part {
    void run() throws Exception;
  }

  private void attempt(World world, Part part) {
    try {
      part.run();
    } catch (Exception | AssertionError e) {
      trouble.add(e.toString());
      keepRedis(world);
    }
  }

  /** Keeps the content of Redis beside the journals, as it was when the scenario got stuck. */
  private void keepRedis(World world) {
    try {
      Optional<String> content = world.redisContent();
      if (content.isPresent()) {
        Files.writeString(dir.resolve("redis.txt"), content.get());
      }
    } catch (IOException | RuntimeException e) {
      trouble.add("what Redis holds cannot be read: " + e);
    }
  }

  private void create() {
    try {
      Files.createDirectories(dir);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
