package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.CarillonProcess;
import carillon.support.Ledger;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Test of a node with an embedded Redis that is killed and restarted. */
class KillNodeIT extends ProcessTestBase {
  private static final int MAX_IN_FLIGHT = 64;
  private static final Map<String, String> SETTINGS =
      Map.of("CARILLON_DISPATCH_MAX_IN_FLIGHT", Integer.toString(MAX_IN_FLIGHT));

  @Test
  void killedWhileItFiresItLosesNothingAndRepeatsOnlyWhatWasInFlight() {
    int jobs = 2000;
    try (Ledger ledger = new Ledger(Duration.ofMillis(20))) {
      Instant killed;
      int calledBefore;
      try (CarillonProcess node = start(SETTINGS)) {
        Instant first = in(Duration.ofSeconds(2));
        Jobs.putAll(node, ledger, "k", jobs, i -> first.plusMillis(i * 8000L / jobs));
        Await.until("half of the calls", PATIENCE, () -> ledger.count() > jobs / 2);

        killed = Instant.now();
        node.kill9();
        calledBefore = ledger.count();
      }

      try (CarillonProcess node = start(SETTINGS)) {
        Instant ready = Instant.now();
        awaitSettled(ledger, node.redis()::ask);

        assertEquals(jobs, ledger.owed().size());
        assertOnlyInFlightRepeated(ledger, killed);
        assertEquals(ledger.owed().keySet(), new TreeSet<>(Jobs.inState(node, "completed")));
        System.out.printf(
            "kill -9 of the node: %d jobs, %d calls before, ready again after %d ms, %d repeated, lateness %s%n",
            jobs,
            calledBefore,
            Duration.between(killed, ready).toMillis(),
            ledger.repeated().size(),
            Jobs.figures(ledger.lateness()));
      }
    }
  }

  @Test
  void killedBetweenTwoAttemptsItGoesOnWithTheNext() {
    try (CallbackServer target = new CallbackServer()) {
      target.answer(500);
      String job =
          Jobs.now(target.url("/r"))
              .replace(
                  "{\"retryType\":\"none\"}",
                  "{\"retryType\":\"exponential\",\"retryInterval\":\"PT8S\",\"retryFactor\":1,\"retryCount\":2}");
      try (CarillonProcess node = start(SETTINGS)) {
        assertEquals(201, node.send("PUT", Jobs.PATH + "r", job).statusCode());
        Await.until("the first attempt", () -> !Jobs.history(node, "r").isEmpty());
        node.kill9();
      }
      assertEquals(1, target.calls().size());

      try (CarillonProcess node = start(SETTINGS)) {
        target.awaitCalls(3);
        Await.until("the job has ended", () -> Jobs.inState(node, "faulted").contains("r"));
        List<JsonNode> history = Jobs.history(node, "r");
        assertEquals(
            List.of(2, 1, 0),
            history.stream().map(entry -> entry.get("retryCount").intValue()).toList());
        assertEquals(1, history.stream().map(entry -> entry.get("executionId")).distinct().count());
        assertEquals(3, target.calls().size());
      }
    }
  }

  private static void assertOnlyInFlightRepeated(Ledger ledger, Instant killed) {
    Map<String, List<Ledger.Call>> repeated = ledger.repeated();
    assertTrue(repeated.size() <= MAX_IN_FLIGHT, repeated::toString);
    repeated
        .values()
        .forEach(
            calls -> {
              assertEquals(2, calls.size(), calls::toString);
              // Calls answered a second before the kill were recorded long before it.
              assertTrue(calls.get(0).arrived().isAfter(killed.minusSeconds(1)), calls::toString);
              assertTrue(calls.get(1).arrived().isAfter(killed), calls::toString);
            });
  }

  @Test
  void killedWhileItAcceptsItKeepsWhatItAcceptedAndNothingByHalves() {
    int jobs = 500;
    String padding = "x".repeat(4000);
    try (Ledger ledger = new Ledger(Duration.ofMillis(1))) {
      Set<String> accepted = ConcurrentHashMap.newKeySet();
      try (CarillonProcess node = start(SETTINGS)) {
        List<CompletableFuture<?>> puts =
            IntStream.range(0, jobs)
                .<CompletableFuture<?>>mapToObj(
                    i ->
                        node.sendAsync("PUT", Jobs.PATH + "p" + i, padded(ledger, "p" + i, padding))
                            .thenAccept(answer -> accept(answer, "p" + i, accepted))
                            .exceptionally(unknown -> null))
                .toList();
        Await.until("some answers", PATIENCE, () -> accepted.size() > jobs / 5);

        node.kill9();
        puts.forEach(CompletableFuture::join);
      }

      try (CarillonProcess node = start(SETTINGS)) {
        Set<String> present = new TreeSet<>();
        for (int i = 0; i < jobs; i++) {
          String job = "p" + i;
          HttpResponse<String> answer = node.get(Jobs.PATH + job);
          if (answer.statusCode() == 200) {
            assertComplete(Jobs.read(answer.body()), ledger.url(job), padding);
            present.add(job);
            ledger.owe(job, Instant.MIN);
          } else {
            assertEquals(404, answer.statusCode(), answer.body());
          }
        }
        Set<String> lost = new TreeSet<>(accepted);
        lost.removeAll(present);
        assertEquals(Set.of(), lost);
        awaitSettled(ledger, node.redis()::ask);

        assertTrue(ledger.repeated().size() <= MAX_IN_FLIGHT, ledger.repeated()::toString);
        assertEquals(present, new TreeSet<>(Jobs.inState(node, "completed")));
        System.out.printf(
            "kill -9 amid %d PUTs: %d accepted, %d present, %d repeated%n",
            jobs, accepted.size(), present.size(), ledger.repeated().size());
      }
    }
  }

  private static String padded(Ledger ledger, String job, String padding) {
    return Jobs.now(ledger.url(job)).replace("ding", padding);
  }

  private static void accept(HttpResponse<String> answer, String job, Set<String> accepted) {
    if (answer.statusCode() == 201) {
      accepted.add(job);
    }
  }

  private static void assertComplete(JsonNode job, String url, String padding) {
    JsonNode request = job.get("action").get("request");
    assertEquals(url, request.get("uri").textValue());
    assertEquals("POST", request.get("method").textValue());
    assertEquals(padding, request.get("body").textValue());
    assertEquals("none", job.get("action").get("retryPolicy").get("retryType").textValue());
  }
}
