package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.Backlog;
import carillon.support.CallbackServer;
import carillon.support.CarillonProcess;
import carillon.support.Ledger;
import carillon.support.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Test of three processes that keep the limits of one flow. */
class FlowIT extends ProcessTestBase {
  /** Maximum time from the grant of a token to the call, on a busy machine. */
  private static final int SLACK_MILLIS = 1000;

  @AutoClose private RedisServer redis;

  @BeforeEach
  void startRedis() {
    redis = RedisServer.start();
  }

  private Map<String, String> node(String lease) {
    return on(redis, "CARILLON_NODE_LEASE", lease, "CARILLON_NODE_HEARTBEAT", "500ms");
  }

  private static void putFlow(CarillonProcess node, String definition) {
    String json = definition.replace('`', '"');
    assertEquals(201, node.send("PUT", "/flows/crm", json).statusCode());
  }

  @Test
  void noMoreCallsBeginInAnyTimeThanTheRateAllows() {
    Map<String, String> settings = node("30s");
    try (Ledger ledger = new Ledger(Duration.ofMillis(5));
        CarillonProcess a = start(settings);
        CarillonProcess b = start(settings);
        CarillonProcess c = start(settings)) {
      putFlow(a, "{`match`:`127.0.0.1`,`rate`:{`limit`:100,`per`:`PT1S`,`burst`:20}}");
      Instant due = in(Duration.ofSeconds(3));
      Jobs.putAll(b, ledger, "r", 500, i -> due);

      awaitSettledOnce(ledger, redis::ask);

      assertReady(a, b, c);
      List<Long> starts =
          IntStream.range(0, 500)
              .mapToObj(i -> Jobs.history(a, "r" + i).get(0).get("startTime").textValue())
              .map(start -> Instant.parse(start).toEpochMilli())
              .sorted()
              .toList();
      long took = starts.get(499) - starts.get(0);
      System.out.printf("three nodes, 100/s with burst 20: 500 calls begin in %d ms%n", took);
      for (int first = 0; first < starts.size(); first++) {
        for (int last = first; last < starts.size(); last++) {
          long time = starts.get(last) - starts.get(first) + SLACK_MILLIS;
          int calls = last - first + 1;
          assertTrue(calls <= 20 + time / 10.0, calls + " calls in " + time + " ms");
        }
      }
    }
  }

  @Test
  void whatAKilledNodeHadInFlightIsFreeAfterItsLease() {
    Map<String, String> settings = node("10s");
    Duration pause = Duration.ofMillis(200);
    try (Ledger ledger = new Ledger(pause);
        CarillonProcess a = start(settings);
        CarillonProcess killed = start(settings);
        CarillonProcess c = start(settings)) {
      putFlow(a, "{`match`:`127.0.0.1`,`parallelism`:6}");
      Instant due = in(Duration.ofSeconds(2));
      Jobs.putAll(a, ledger, "p", 200, i -> due);
      Await.until("a quarter of the calls", PATIENCE, () -> ledger.count() > 50);

      killed.kill9();
      Instant death = Instant.now();
      awaitSettled(ledger, redis::ask);

      assertReady(a, c);
      assertEquals(200, Jobs.inState(a, "completed").size());
      List<Long> arrivals =
          ledger.calls().stream().map(call -> call.arrived().toEpochMilli()).sorted().toList();
      long mostAtOnce = 0;
      for (long arrival : arrivals) {
        long atOnce =
            arrivals.stream()
                .filter(other -> other <= arrival && other > arrival - pause.toMillis() + 20)
                .count();
        mostAtOnce = Math.max(mostAtOnce, atOnce);
      }
      System.out.printf(
          "kill -9 of one of three, parallelism 6: %d calls, at most %d at once, all %d ms after it%n",
          arrivals.size(), mostAtOnce, arrivals.get(arrivals.size() - 1) - death.toEpochMilli());
      assertTrue(mostAtOnce <= 6, mostAtOnce + " at once");
      assertTrue(ledger.repeated().size() <= 6, () -> ledger.repeated().toString());
      new Backlog(redis::ask).awaitEmpty(PATIENCE);
    }
  }

  @Test
  void aPauseHoldsFromItsAnswerOnAtTheNodeThatGaveIt() {
    int flows = 20;
    try (CallbackServer target = new CallbackServer();
        CarillonProcess node = start(node("30s"))) {
      for (int i = 0; i < flows; i++) {
        assertEquals(201, node.send("PUT", "/flows/f" + i, "{\"collections\":\"*\"}").statusCode());
        assertEquals(200, node.send("POST", "/flows/f" + i + "/pause", "").statusCode());
        String job = inFlow(Jobs.now(target.url("/" + i)), "f" + i);
        assertEquals(201, node.send("PUT", Jobs.PATH + "f" + i, job).statusCode());
      }
      Await.until(
          "all wait", () -> IntStream.range(0, flows).allMatch(i -> waiting(node, "f" + i) == 1));
      List<CallbackServer.Call> whilePaused = target.calls();
      Map<String, Instant> resumed = new HashMap<>();
      for (int i = 0; i < flows; i++) {
        resumed.put("/" + i, Instant.now());
        assertEquals(200, node.send("POST", "/flows/f" + i + "/resume", "").statusCode());
      }
      target.awaitCalls(flows);

      assertEquals(List.of(), whilePaused);
      for (CallbackServer.Call call : target.calls()) {
        assertFalse(call.at().isBefore(resumed.get(call.path())), call::toString);
      }
    }
  }

  private static int waiting(CarillonProcess node, String flow) {
    String body = node.get("/flows/" + flow).body();
    return Jobs.read(body).at("/state/waiting").intValue();
  }

  private static String inFlow(String job, String flow) {
    return job.replace("\"action\":{", "\"action\":{\"flow\":\"" + flow + "\",");
  }
}
