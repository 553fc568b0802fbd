package carillon.faults;

import carillon.faults.Journal.Answer;
import carillon.support.Await;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** What clients do. */
final class LoadScenarios {
  private static final int HERD = 100_000;
  private static final int CHANGED = 24;
  private static final int HOUR = 3600;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private LoadScenarios() {}

  static List<Scenario> all() {
    return List.of(
        Scenario.of(
            "api-changes",
            "PUT, PATCH, DELETE, disable, enable and run of jobs while they fire",
            LoadScenarios::change),
        Scenario.of("herd", "100,000 jobs at one instant", LoadScenarios::herd)
            .load(20, 12, Plan.Behaviour.SUCCEEDS)
            .with("CARILLON_DISPATCH_MAX_IN_FLIGHT", "1024"));
  }

  private static void herd(World world) {
    // Accepting them takes a part of this time; what is accepted later is due at once.
    Instant due = Instant.now().plusSeconds(90).truncatedTo(ChronoUnit.MILLIS);
    putAll(world, "herd-", HERD, i -> due);
    Journal.Open fault = world.redisFault("the herd", false);
    awaitCalled(world, "herd-");
    fault.over();
  }

  /** Until every accepted job that is named so was called. */
  static void awaitCalled(World world, String prefix) {
    long accepted =
        world.journal().changes().stream()
            .filter(change -> change.job().startsWith(prefix))
            .filter(change -> change.answer() == Answer.ACCEPTED)
            .count();
    Await.until(
        "the calls of " + prefix,
        PATIENCE,
        () -> world.journal().callCount() >= accepted && called(world, prefix) >= accepted);
  }

  /** Counted once a second: there are many. */
  private static long called(World world, String prefix) {
    world.pass(Duration.ofSeconds(1));
    return world.journal().calls().stream()
        .map(Journal.Call::job)
        .filter(job -> job.startsWith(prefix))
        .distinct()
        .count();
  }

  /** Puts one-time jobs and waits for all answers. */
  static void putAll(World world, String prefix, int count, IntFunction<Instant> due) {
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      answers.add(world.driver().put(prefix + i, Plan.once(due.apply(i))));
    }
    answers.forEach(CompletableFuture::join);
  }

  private static void change(World world) {
    CompletableFuture.allOf(
            IntStream.range(0, CHANGED)
                .mapToObj(
                    i ->
                        CompletableFuture.runAsync(
                            () -> change(world, "changed-" + i, new Random(i))))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  /** One client's changes of one job, each after the answer to the one before. */
  private static void change(World world, String job, Random random) {
    Driver driver = world.driver();
    Plan plan = everySecond(random);
    driver.put(job, plan).join();
    for (int i = 0; i < 8; i++) {
      world.pass(Duration.ofMillis(random.nextInt(3000)));
      switch (random.nextInt(5)) {
        case 0 -> {
          plan = everySecond(random);
          driver.put(job, plan).join();
        }
        case 1 -> driver.patch(job, plan).join();
        case 2 -> {
          driver.delete(job).join();
          plan = everySecond(random);
          driver.put(job, plan).join();
        }
        case 3 -> {
          driver.disable(job).join();
          world.pass(Duration.ofMillis(random.nextInt(2000)));
          driver.enable(job, plan).join();
        }
        default -> driver.run(job, plan).join();
      }
    }
    driver.delete(job).join();
  }

  private static Plan everySecond(Random random) {
    Instant start = Instant.now().plusMillis(random.nextInt(1500)).truncatedTo(ChronoUnit.MILLIS);
    return Plan.every(Duration.ofSeconds(1), start, HOUR);
  }
}
