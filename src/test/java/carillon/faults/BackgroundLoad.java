package carillon.faults;

import carillon.support.Await;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Load that runs during the whole scenario. It puts one-time jobs at a steady rate, each due within
 * the next two seconds; one in twenty has a target that always fails. Every five seconds it puts
 * many jobs due together, whose target takes seconds, so that they wait for a slot. It also has
 * recurring jobs.
 */
final class BackgroundLoad implements AutoCloseable {
  private static final int SPREAD_MS = 2000;
  private static final int FAILING_ONE_OF = 20;

  private static final int SECONDS_BETWEEN_SLOW = 5;
  private static final int SLOW_AT_ONCE = 60;

  /**
   * Number of occurrences of a recurring job. More than the scenario reaches, even when it steps
   * the clock of Redis: missed occurrences are not counted.
   */
  private static final int MANY = 5 * 3600;

  private final Driver driver;
  private final int perSecond;
  private final Plan.Behaviour behaviour;
  private final ScheduledExecutorService clockwork = Executors.newSingleThreadScheduledExecutor();
  private final ScheduledFuture<?> submissions;
  private final Queue<CompletableFuture<?>> answers = new ConcurrentLinkedQueue<>();
  private final List<String> recurring = new ArrayList<>();
  private int number; // confined to the clockwork's thread

  /**
   * Starts the load.
   *
   * @param perSecond number of one-time jobs per second
   * @param recurringJobs half of them run each second, half of them every other second
   * @param behaviour of the target, except for jobs that always fail
   */
  BackgroundLoad(Driver driver, int perSecond, int recurringJobs, Plan.Behaviour behaviour) {
    this.driver = driver;
    this.perSecond = perSecond;
    this.behaviour = behaviour;
    Instant start = Instant.now().plusSeconds(1).truncatedTo(ChronoUnit.MILLIS);
    for (int i = 0; i < recurringJobs; i++) {
      String job = "every-" + i;
      Plan plan =
          Plan.every(Duration.ofSeconds(1 + i % 2), start.plusMillis(i * 37L), MANY)
              .with(behaviour);
      recurring.add(job);
      answers.add(driver.put(job, plan));
    }
    submissions =
        clockwork.scheduleAtFixedRate(
            this::submit, 0, 1_000_000 / perSecond, TimeUnit.MICROSECONDS);
  }

  private void submit() {
    int n = ++number;
    boolean fails = behaviour == Plan.Behaviour.SUCCEEDS && n % FAILING_ONE_OF == 0;
    // 7919 is a prime: it spreads the instants without an order.
    Instant due = Instant.now().plusMillis(n * 7919L % SPREAD_MS).truncatedTo(ChronoUnit.MILLIS);
    answers.add(
        driver.put(
            (fails ? JournaledTarget.FAILING : "once-") + n,
            Plan.once(due).with(fails ? Plan.Behaviour.FAILS : behaviour)));
    if (n % (SECONDS_BETWEEN_SLOW * perSecond) == perSecond) {
      slow(SLOW_AT_ONCE, n + "-");
    }
  }

  /** Puts {@code count} jobs that are due together and whose target takes seconds. */
  void slow(int count, String name) {
    Instant due = Instant.now().plusSeconds(1).truncatedTo(ChronoUnit.MILLIS);
    for (int i = 0; i < count; i++) {
      answers.add(driver.put(JournaledTarget.SLOW + name + i, Plan.once(due).with(behaviour)));
    }
  }

  /** Whether each recurring job is among these calls. */
  boolean recur(List<Journal.Call> calls) {
    Set<String> called = calls.stream().map(Journal.Call::job).collect(Collectors.toSet());
    return called.containsAll(recurring);
  }

  /** Stops putting one-time jobs, ends the recurring ones, and waits for all answers. */
  void finish() {
    if (submissions.isDone()) {
      throw new AssertionError("submitting has failed");
    }
    clockwork.shutdown();
    awaitAnswers();
    for (String job : recurring) {
      Await.until(
          "an end of " + job,
          Duration.ofMinutes(2),
          () -> driver.disable(job).join() == Journal.Answer.ACCEPTED);
    }
  }

  private void awaitAnswers() {
    Await.until(
        "answers to all submissions",
        Duration.ofMinutes(2),
        () -> clockwork.isTerminated() && answers.stream().allMatch(CompletableFuture::isDone));
  }

  @Override
  public void close() {
    clockwork.shutdownNow();
  }
}
