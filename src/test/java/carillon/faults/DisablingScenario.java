package carillon.faults;

import carillon.faults.Journal.Answer;
import carillon.support.Await;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Scenario in which collections are disabled and enabled: first one after the other under load,
 * then both at the same time.
 */
final class DisablingScenario {
  private static final int TOGGLED = 4;
  private static final int TOGGLES = 5;
  private static final int RECURRING = 3;
  private static final int PAIRED = 60;
  private static final int PAIRS = 5;

  /** Time in which a node reads a disabled marker, even if nobody notifies it: a heartbeat. */
  private static final Duration HEARD = Duration.ofMillis(1200);

  /** Maximum time until a job that is due now is called, if it is called at all. */
  private static final Duration CALLED = Duration.ofSeconds(2);

  private DisablingScenario() {}

  static List<Scenario> all() {
    return List.of(
        Scenario.of(
                "collections",
                "collections are disabled and enabled under load, one after the other and both at once",
                DisablingScenario::run)
            .with("CARILLON_NODE_HEARTBEAT", "1s"));
  }

  private static void run(World world) {
    LoadScenarios.atOnce(TOGGLED, i -> toggle(world, i));
    List<String> wrong = new ArrayList<>();
    for (int round = 0; round < PAIRS; round++) {
      wrong.addAll(disagreeing(world, round));
    }
    if (!wrong.isEmpty()) {
      world.miss(
          "calls and state disagree %d times of %d enabled and disabled at once: %s"
              .formatted(
                  wrong.size(), PAIRED * PAIRS, wrong.subList(0, Math.min(5, wrong.size()))));
    }
  }

  /**
   * Acts as one client. Its collection has recurring jobs, and one-time jobs during the whole time.
   */
  private static void toggle(World world, int number) {
    String collection = "toggled-" + number;
    create(world, collection);
    Random random = new Random(number);
    List<String> recurring = new ArrayList<>();
    for (int i = 0; i < RECURRING; i++) {
      String job = Driver.job(collection, "every-" + i);
      Instant start = Instant.now().plusMillis(500 + i * 300L).truncatedTo(ChronoUnit.MILLIS);
      world.driver().put(job, Plan.every(Duration.ofSeconds(1), start, 3600)).join();
      recurring.add(job);
    }
    for (int i = 0; i < TOGGLES; i++) {
      putFor(world, collection, i + "-open-", Duration.ofMillis(1500 + random.nextInt(1000)));
      world.driver().toggle(collection, true).join();
      putFor(world, collection, i + "-closed-", Duration.ofMillis(1500 + random.nextInt(1500)));
      world.driver().toggle(collection, false).join();
    }
    putFor(world, collection, "last-", Duration.ofSeconds(2));
    recurring.forEach(job -> world.driver().disable(job).join());
  }

  /** Puts ten jobs a second, each due within half a second. */
  private static void putFor(World world, String collection, String name, Duration time) {
    Instant end = Instant.now().plus(time);
    for (int i = 0; Instant.now().isBefore(end); i++) {
      Instant due = Instant.now().plusMillis(i * 97L % 500).truncatedTo(ChronoUnit.MILLIS);
      world.driver().put(Driver.job(collection, "once-" + name + i), Plan.once(due)).join();
      world.pass(Duration.ofMillis(100));
    }
  }

  private static void create(World world, String collection) {
    int status = world.driver().putCollection(collection).join();
    if (status != 200 && status != 201) {
      throw new AssertionError("PUT of collection " + collection + ": " + status);
    }
  }

  /**
   * Enables and disables each collection at the same time. Either request may come last, but the
   * answered state of the collection must agree with whether its jobs are called.
   */
  private static List<String> disagreeing(World world, int round) {
    List<String> collections =
        IntStream.range(0, PAIRED).mapToObj(i -> "paired-" + round + "-" + i).toList();
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (String collection : collections) {
      create(world, collection);
      answers.add(world.driver().toggle(collection, true));
      answers.add(world.driver().toggle(collection, false));
    }
    answers.forEach(CompletableFuture::join);
    world.pass(HEARD);
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    collections.forEach(
        collection -> world.driver().put(Driver.job(collection, "probe"), Plan.once(now)).join());
    Set<String> enabled =
        collections.stream()
            .filter(collection -> isEnabled(world, collection))
            .collect(Collectors.toSet());
    awaitProbes(world, enabled);
    world.pass(Duration.ofMillis(300));
    Set<String> called = called(world);
    List<String> wrong =
        collections.stream()
            .filter(collection -> enabled.contains(collection) != called.contains(collection))
            .map(
                collection ->
                    collection
                        + (enabled.contains(collection)
                            ? " is enabled, its job waits"
                            : " is disabled, its job was called"))
            .toList();
    // Releases the waiting jobs.
    collections.forEach(
        collection -> {
          world.driver().toggle(collection, true).join();
          world.driver().toggle(collection, false).join();
        });
    return wrong;
  }

  private static void awaitProbes(World world, Set<String> enabled) {
    try {
      Await.until(
          "the calls",
          CALLED,
          () -> {
            world.pass(Duration.ofMillis(50));
            return called(world).containsAll(enabled);
          });
    } catch (AssertionError waits) {
      // The calls show which of them wait.
    }
  }

  private static Set<String> called(World world) {
    return world.journal().calls().stream()
        .map(Journal.Call::job)
        .filter(job -> job.endsWith("probe"))
        .map(Driver::collection)
        .collect(Collectors.toSet());
  }

  private static boolean isEnabled(World world, String collection) {
    URI node = world.node(0).base();
    HttpResponse<String> answer = world.driver().get(node, Driver.COLLECTIONS + collection).join();
    if (answer.statusCode() != 200) {
      throw new AssertionError(collection + ": " + answer.statusCode() + " " + answer.body());
    }
    return !answer.body().toLowerCase(Locale.ROOT).contains("\"disabled\"");
  }
}
