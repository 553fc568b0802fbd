package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.Ledger;
import carillon.support.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a flow costs, in commands that Redis performs, in scripts too. Small in the build; the
 * system properties {@code flow.waiting} and {@code flow.calls} make it as large as one wants.
 */
@Tag("alone")
class FlowCostIT extends ProcessTestBase {
  private static final int WAITING = Integer.getInteger("flow.waiting", 1_000);
  private static final int CALLS = Integer.getInteger("flow.calls", 300);
  private static final Duration WINDOW = Duration.ofSeconds(5);
  private static final Pattern STATISTIC = Pattern.compile("cmdstat_[^:]+:calls=(\\d+)");
  private static final int AT_ONCE = 32;

  @AutoClose private RedisServer redis;

  @BeforeEach
  void startRedis() {
    redis = RedisServer.start();
  }

  private CarillonProcess node() {
    return start(on(redis, "CARILLON_NODE_LEASE", "30s"));
  }

  private static void putFlow(CarillonProcess node, String definition) {
    assertEquals(201, node.send("PUT", "/flows/crm", definition.replace('`', '"')).statusCode());
  }

  private long commands() {
    return STATISTIC
        .matcher(String.join("\n", redis.list("INFO commandstats")))
        .results()
        .mapToLong(found -> Long.parseLong(found.group(1)))
        .sum();
  }

  @Test
  void runsThatWaitForAFlowCostOtherDestinationsNothing() {
    try (Ledger ledger = new Ledger(Duration.ZERO);
        CarillonProcess node = node()) {
      putFlow(node, "{`parallelism`:1000}");
      calls(node, ledger, "warm", "", CALLS, 0);
      double quiet = quietSecond();
      double alone = calls(node, ledger, "alone", "", CALLS, quiet);
      assertEquals(200, node.send("POST", "/flows/crm/pause", "").statusCode());
      Instant due = Instant.now();
      putInFlow(node, "w", WAITING, due);
      Await.until("all wait", PATIENCE, () -> waiting(node) == WAITING);

      double quietBeside = quietSecond();
      double beside = calls(node, ledger, "beside", "", CALLS, quietBeside);

      System.out.printf(
          "%d runs wait for a paused flow: %.0f commands a second instead of %.0f,"
              + " %.1f for a call to another destination instead of %.1f%n",
          WAITING, quietBeside, quiet, beside, alone);
      assertEquals(WAITING, waiting(node), "all wait still");
      assertTrue(quietBeside < 1.5 * quiet + 150, quietBeside + " instead of " + quiet);
      assertTrue(beside < alone + 10, beside + " instead of " + alone);
    }
  }

  @Test
  void aFastFlowCostsACallFewCommands() {
    try (Ledger ledger = new Ledger(Duration.ZERO);
        CarillonProcess node = node()) {
      putFlow(node, "{`rate`:{`limit`:10000,`per`:`PT1S`,`burst`:1000}}");
      calls(node, ledger, "warm", "crm", CALLS, 0);
      double quiet = quietSecond();
      double without = calls(node, ledger, "without", "", CALLS, quiet);
      double with = calls(node, ledger, "with", "crm", CALLS, quiet);

      System.out.printf(
          "a flow of 10,000/s: %.1f commands for a call, %.1f without a flow%n", with, without);
      assertTrue(with < without + 15, with + " instead of " + without);
    }
  }

  private int waiting(CarillonProcess node) {
    return Jobs.read(node.get("/flows/crm").body()).get("state").get("waiting").intValue();
  }

  /** Commands a second while nothing is due. */
  private double quietSecond() {
    long before = commands();
    Instant end = Instant.now().plus(WINDOW);
    Await.until("the window is over", PATIENCE, () -> Instant.now().isAfter(end));
    return (commands() - before) / (double) WINDOW.toSeconds();
  }

  /**
   * Makes calls that are due together; answers the commands for each.
   *
   * @param quiet commands a second that are none of theirs
   */
  private double calls(
      CarillonProcess node, Ledger ledger, String prefix, String flow, int count, double quiet) {
    Instant due = in(Duration.ofMillis(2_000 + 10L * count));
    put(node, ledger, prefix, flow, count, due);
    Await.until("nothing is due yet", PATIENCE, () -> Instant.now().isAfter(due.minusMillis(50)));
    long before = commands();
    Instant begin = Instant.now();
    int called = ledger.count();
    awaitSettledOnce(ledger, redis::ask);
    double seconds = Duration.between(begin, Instant.now()).toMillis() / 1000.0;
    double perCall = (commands() - before - quiet * seconds) / (ledger.count() - called);
    List<Duration> lateness = lateness(ledger, prefix);
    System.out.printf("%s: %d calls, lateness %s%n", prefix, count, Jobs.figures(lateness));
    return perCall;
  }

  private static List<Duration> lateness(Ledger ledger, String prefix) {
    return ledger.calls().stream()
        .filter(call -> call.job().startsWith(prefix))
        .map(Ledger.Call::lateness)
        .sorted()
        .toList();
  }

  private static void put(
      CarillonProcess node, Ledger ledger, String prefix, String flow, int count, Instant due) {
    if (flow.isEmpty()) {
      Jobs.putAll(node, ledger, prefix, count, i -> due);
      return;
    }
    List<CompletableFuture<?>> puts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String job = prefix + i;
      ledger.owe(job, due);
      puts.add(putInFlow(node, job, ledger.url(job), due));
    }
    puts.forEach(CompletableFuture::join);
  }

  private static void putInFlow(CarillonProcess node, String prefix, int count, Instant due) {
    Semaphore room = new Semaphore(AT_ONCE);
    List<CompletableFuture<?>> puts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      room.acquireUninterruptibly();
      puts.add(
          putInFlow(node, prefix + i, "http://127.0.0.1:9/", due)
              .whenComplete((answer, failure) -> room.release()));
    }
    puts.forEach(CompletableFuture::join);
  }

  private static CompletableFuture<?> putInFlow(
      CarillonProcess node, String job, String url, Instant due) {
    String json = Jobs.once(url, due).replace("\"action\":{", "\"action\":{\"flow\":\"crm\",");
    return node.sendAsync("PUT", Jobs.PATH + job, json)
        .thenAccept(answer -> assertEquals(201, answer.statusCode(), answer::body));
  }
}
