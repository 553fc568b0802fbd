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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Scenarios with heavy load from clients. */
final class LoadScenarios {
  private static final int HERD = 100_000;
  private static final int HERD_PURGED = 50_000;

  /** Approximate time that a small machine needs to accept these jobs. */
  private static final Duration ACCEPTING = Duration.ofSeconds(30);

  private static final int BESIDE = 200;

  /**
   * Limit on lateness. A node knows a step of the clock after half a second; purges add nothing.
   */
  private static final Duration BESIDE_PURGES = Duration.ofSeconds(2);

  private static final int CHANGED = 24;
  private static final int HOUR = 3600;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private LoadScenarios() {}

  static List<Scenario> all() {
    return List.of(
        Scenario.of(
            "api-changes",
            "PUT, PATCH, DELETE, disable, enable and run of jobs at the instants at which they fire",
            world -> change(world, CHANGED, 12)),
        purges(),
        Scenario.of("herd", "100,000 jobs at one instant", LoadScenarios::herd)
            .load(20, 12, Plan.Behaviour.SUCCEEDS)
            .with("CARILLON_DISPATCH_MAX_IN_FLIGHT", "1024"));
  }

  private static Scenario purges() {
    SteppedClock clock = new SteppedClock();
    return Scenario.of(
            "purges",
            "50,000 finished jobs are to be removed at once, beside calls (Redis' clock is stepped)",
            world -> purge(world, clock))
        .load(30, 12, Plan.Behaviour.SUCCEEDS)
        .keepingFinished("1h")
        .noLaterThan(BESIDE_PURGES)
        .clock(clock);
  }

  private static void purge(World world, SteppedClock clock) {
    // The preparation of finished jobs is not judged.
    Journal.Open preparing = world.journal().begin("preparing", Journal.MACHINE, false);
    Instant soon = Instant.now().plus(ACCEPTING).truncatedTo(ChronoUnit.MILLIS);
    putAll(world, "old-", HERD_PURGED, soon::plusMillis);
    awaitCalled(world, "old-");
    preparing.over();
    Duration hours = Duration.ofHours(2);
    Instant from = Instant.now().plusSeconds(3).plus(hours).truncatedTo(ChronoUnit.MILLIS);
    putAll(world, "beside-", BESIDE, i -> from.plusMillis(i * 20L));
    Journal.Open fault = world.redisFault("purges", false);
    ClockScenarios.step(world, clock, hours);
    awaitCalled(world, "beside-");
    awaitPurged(world, "old-0");
    fault.over();
  }

  private static void awaitPurged(World world, String job) {
    Await.until(
        "the removal of " + job,
        PATIENCE,
        () -> {
          world.pass(Duration.ofMillis(500));
          String path = Driver.path(job);
          return world.driver().get(world.node(0).base(), path).join().statusCode() == 404;
        });
  }

  private static void herd(World world) {
    // Accepting them takes part of this time. Jobs accepted later are due immediately.
    Instant due = Instant.now().plusSeconds(90).truncatedTo(ChronoUnit.MILLIS);
    putAll(world, "herd-", HERD, i -> due);
    Journal.Open fault = world.redisFault("the herd", false);
    awaitCalled(world, "herd-");
    fault.over();
  }

  /** Waits until every accepted job with this prefix was called. */
  static void awaitCalled(World world, String prefix) {
    awaitCalled(world, prefix, PATIENCE);
  }

  static void awaitCalled(World world, String prefix, Duration patience) {
    long accepted =
        world.journal().changes().stream()
            .filter(change -> change.job().startsWith(prefix))
            .filter(change -> change.answer() == Answer.ACCEPTED)
            .count();
    Await.until(
        "the calls of " + prefix,
        patience,
        () -> world.journal().callCount() >= accepted && called(world, prefix) >= accepted);
  }

  /** Counts the called jobs, at most twice a second because there may be many. */
  private static long called(World world, String prefix) {
    world.pass(Duration.ofMillis(500));
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

  /** Lets {@code jobs} clients change their own job {@code times} times. */
  static void change(World world, int jobs, int times) {
    atOnce(jobs, i -> changeJob(world, i, times));
  }

  /** Runs the clients concurrently, each on its own thread: they block until their instants. */
  static void atOnce(int clients, IntConsumer client) {
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    try {
      CompletableFuture.allOf(
              IntStream.range(0, clients)
                  .mapToObj(i -> CompletableFuture.runAsync(() -> client.accept(i), threads))
                  .toArray(CompletableFuture[]::new))
          .join();
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * Changes one job as one client, each time after the previous answer. Every other job is never
   * deleted, so that its whole history can be read. The histories of the others are read before
   * their deletion.
   */
  private static void changeJob(World world, int number, int times) {
    String job = "changed-" + number;
    boolean isKept = number % 2 == 0;
    Random random = new Random(number);
    Driver driver = world.driver();
    Plan plan = everySecond(random);
    driver.put(job, plan).join();
    for (int i = 0; i < times; i++) {
      passUntilNearlyDue(world, plan, random);
      switch (random.nextInt(isKept ? 5 : 6)) {
        case 0 -> {
          plan = everySecond(random);
          driver.put(job, plan).join();
        }
        case 1 -> driver.put(job, plan).join();
        case 2 -> driver.patch(job, plan).join();
        case 3 -> {
          driver.disable(job).join();
          world.pass(Duration.ofMillis(random.nextInt(2000)));
          driver.enable(job, plan).join();
        }
        case 4 -> driver.run(job, plan).join();
        default -> {
          delete(world, job);
          plan = everySecond(random);
          driver.put(job, plan).join();
        }
      }
    }
    if (isKept) {
      driver.disable(job).join();
    } else {
      delete(world, job);
    }
  }

  /**
   * Waits, in three of four cases, until a few milliseconds around an instant at which the job is
   * due. Scripts also make their changes at such instants.
   */
  private static void passUntilNearlyDue(World world, Plan plan, Random random) {
    Instant from = Instant.now().plusMillis(random.nextInt(1500));
    long since = Duration.between(plan.first(), from).toMillis();
    long ticks = Math.max(0, Math.floorDiv(since, plan.every().toMillis()) + 1);
    Instant due = plan.first().plus(plan.every().multipliedBy(ticks));
    Instant then = random.nextInt(4) == 0 ? from : due.plusMillis(random.nextInt(8) - 5);
    Duration time = Duration.between(Instant.now(), then);
    world.pass(time.isNegative() ? Duration.ZERO : time);
  }

  private static void delete(World world, String job) {
    new Histories(world.driver(), world.journal()).read(world.node(0).base(), job);
    world.driver().delete(job).join();
  }

  private static Plan everySecond(Random random) {
    Instant start = Instant.now().plusMillis(random.nextInt(1500)).truncatedTo(ChronoUnit.MILLIS);
    return Plan.every(Duration.ofSeconds(1), start, HOUR);
  }
}
