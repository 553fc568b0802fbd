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
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Test of the cost of a flow in commands that Redis performs, also in scripts. The build runs a
 * small test. The system properties {@code flow.waiting}, {@code flow.calls} and {@code
 * flow.eachMs} (calls due per millisecond) set its size.
 */
@Tag("alone")
class FlowCostIT extends ProcessTestBase {
  private static final int WAITING = Integer.getInteger("flow.waiting", 1_000);
  private static final int CALLS = Integer.getInteger("flow.calls", 300);
  private static final int EACH_MS = Integer.getInteger("flow.eachMs", 1);
  private static final int AT_ONCE = CALLS;
  private static final Duration WINDOW = Duration.ofSeconds(5);
  private static final Pattern STATISTIC = Pattern.compile("cmdstat_[^:]+:calls=(\\d+)");
  private static final int PUTS_AT_ONCE = 32;

  /** Maximum time for one PUT. All jobs must be put before the first is due. */
  private static final Duration PER_PUT = Duration.ofMillis(2);

  private static final Duration LEAD = Duration.ofSeconds(5);
  private static final boolean FLOW = true;
  private static final boolean NO_FLOW = false;
  private static final Pattern CPU = Pattern.compile("used_cpu_(?:user|sys):([0-9.]+)");

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

  /** Returns the processor time that Redis has used, in seconds. */
  private double cpu() {
    return CPU.matcher(String.join("\n", redis.list("INFO cpu")))
        .results()
        .mapToDouble(found -> Double.parseDouble(found.group(1)))
        .sum();
  }

  @Test
  void runsThatWaitForAFlowCostOtherDestinationsNothing() {
    try (Ledger ledger = new Ledger(Duration.ZERO);
        CarillonProcess node = node()) {
      putFlow(node, "{`collections`:[`*`],`parallelism`:1000}");
      calls(node, ledger, "warm", NO_FLOW, EACH_MS, 0);
      double quiet = quietSecond();
      Cost alone = calls(node, ledger, "alone", NO_FLOW, EACH_MS, quiet);
      assertEquals(200, node.send("POST", "/flows/crm/pause", "").statusCode());
      Instant due = Instant.now();
      putInFlow(node, "w", WAITING, i -> "http://127.0.0.1:9/", i -> due);
      Await.until("all wait", PATIENCE, () -> waiting(node) == WAITING);

      double quietBeside = quietSecond();
      Cost beside = calls(node, ledger, "beside", NO_FLOW, EACH_MS, quietBeside);

      System.out.printf(
          "%d runs wait for a paused flow: %.0f commands a second instead of %.0f,"
              + " %.1f for a call to another destination instead of %.1f%n",
          WAITING, quietBeside, quiet, beside.commands(), alone.commands());
      assertEquals(WAITING, waiting(node), "all wait still");
      assertTrue(quietBeside < 1.5 * quiet + 150, quietBeside + " instead of " + quiet);
      assertTrue(beside.commands() < alone.commands() + 10, beside + " instead of " + alone);
    }
  }

  @Test
  void aFastFlowCostsACallFewCommands() {
    try (Ledger ledger = new Ledger(Duration.ZERO);
        CarillonProcess node = node()) {
      putFlow(node, "{`collections`:[`*`],`rate`:{`limit`:10000,`per`:`PT1S`,`burst`:1000}}");
      calls(node, ledger, "warm", FLOW, EACH_MS, 0);
      double quiet = quietSecond();
      Cost without = calls(node, ledger, "without", NO_FLOW, EACH_MS, quiet);
      Cost with = calls(node, ledger, "with", FLOW, EACH_MS, quiet);
      Cost herdWithout = calls(node, ledger, "herd-without", NO_FLOW, AT_ONCE, quiet);
      Cost herdWith = calls(node, ledger, "herd-with", FLOW, AT_ONCE, quiet);

      System.out.printf(
          "a flow of 10,000/s, calls each ms %d: %s, without it %s; all at once: %s, without it %s%n",
          EACH_MS, with, without, herdWith, herdWithout);
      assertTrue(with.commands() < without.commands() + 15, with + " instead of " + without);
    }
  }

  private int waiting(CarillonProcess node) {
    return Jobs.read(node.get("/flows/crm").body()).get("state").get("waiting").intValue();
  }

  /** Returns the number of commands per second while nothing is due. */
  private double quietSecond() {
    long before = commands();
    Instant end = Instant.now().plus(WINDOW);
    Await.until("the window is over", PATIENCE, () -> Instant.now().isAfter(end));
    return (commands() - before) / (double) WINDOW.toSeconds();
  }

  /** Cost in Redis for one call. */
  private record Cost(double commands, double micros) {
    @Override
    public String toString() {
      return "%.1f commands and %.1f us of Redis a call".formatted(commands, micros);
    }
  }

  /**
   * Makes calls and returns their cost.
   *
   * @param eachMs number of calls due per millisecond
   * @param quiet other commands per second
   */
  private Cost calls(
      CarillonProcess node,
      Ledger ledger,
      String prefix,
      boolean isInFlow,
      int eachMs,
      double quiet) {
    Instant first = in(LEAD.plus(PER_PUT.multipliedBy(CALLS)));
    IntFunction<Instant> at = i -> first.plusMillis(i / eachMs);
    if (isInFlow) {
      for (int i = 0; i < CALLS; i++) {
        ledger.owe(prefix + i, at.apply(i));
      }
      putInFlow(node, prefix, CALLS, i -> ledger.url(prefix + i), at);
    } else {
      Jobs.putAll(node, ledger, prefix, CALLS, at);
    }
    return cost(ledger, prefix, first, quiet);
  }

  /**
   * Returns the cost in Redis until all jobs are called.
   *
   * @param due due time of the first call
   * @param quiet other commands per second
   */
  private Cost cost(Ledger ledger, String prefix, Instant due, double quiet) {
    Await.until("nothing is due yet", PATIENCE, () -> Instant.now().isAfter(due.minusMillis(50)));
    long commands = commands();
    double cpu = cpu();
    Instant begin = Instant.now();
    int called = ledger.count();
    awaitSettledOnce(ledger, redis::ask);
    double seconds = Duration.between(begin, Instant.now()).toMillis() / 1000.0;
    int calls = ledger.count() - called;
    List<Duration> lateness = lateness(ledger, prefix);
    System.out.printf("%s: %d calls, lateness %s%n", prefix, calls, Jobs.figures(lateness));
    return new Cost((commands() - commands - quiet * seconds) / calls, (cpu() - cpu) / calls * 1e6);
  }

  private static List<Duration> lateness(Ledger ledger, String prefix) {
    return ledger.calls().stream()
        .filter(call -> call.job().startsWith(prefix))
        .map(Ledger.Call::lateness)
        .sorted()
        .toList();
  }

  private static void putInFlow(
      CarillonProcess node,
      String prefix,
      int count,
      IntFunction<String> url,
      IntFunction<Instant> at) {
    Semaphore room = new Semaphore(PUTS_AT_ONCE);
    List<CompletableFuture<?>> puts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      room.acquireUninterruptibly();
      puts.add(
          putInFlow(node, prefix + i, url.apply(i), at.apply(i))
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
