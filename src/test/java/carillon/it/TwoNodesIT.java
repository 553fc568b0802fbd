package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.Backlog;
import carillon.support.CarillonProcess;
import carillon.support.Ledger;
import carillon.support.RedisServer;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Test of two processes that share one Redis. */
class TwoNodesIT extends ProcessTestBase {
  private static final Duration LEASE = Duration.ofSeconds(10);

  /**
   * Lease for tests without a failed node: a node that a busy machine delays must not count as
   * dead.
   */
  private static final String LONG_LEASE = "10m";

  private static final int PARTITIONS = 64;

  @AutoClose private RedisServer redis;

  @BeforeEach
  void startRedis() {
    redis = RedisServer.start();
  }

  private Map<String, String> node(String... more) {
    Map<String, String> settings =
        on(
            redis,
            "CARILLON_NODE_LEASE",
            LEASE.toSeconds() + "s",
            "CARILLON_NODE_HEARTBEAT",
            "500ms");
    settings.putAll(settings(more));
    return settings;
  }

  @Test
  void eachJobIsCalledOnceWhoeverAcceptedIt() {
    Map<String, String> longLease = node("CARILLON_NODE_LEASE", LONG_LEASE);
    try (Ledger ledger = new Ledger(Duration.ofMillis(10));
        CarillonProcess a = start(longLease);
        CarillonProcess b = start(longLease)) {
      Instant first = in(Duration.ofSeconds(2));
      Jobs.putAll(a, ledger, "a", 300, i -> first.plusMillis(i * 10L));
      Jobs.putAll(b, ledger, "b", 300, i -> first.plusMillis(i * 10L));

      awaitSettledOnce(ledger, redis::ask);

      assertEquals(600, Jobs.inState(a, "completed").size());
      System.out.printf("two nodes: 600 jobs, lateness %s%n", Jobs.figures(ledger.lateness()));
    }
  }

  @Test
  void whatWasInFlightOnAKilledNodeIsCalledAgainWhenItsLeaseIsOver() {
    // The first calls hang at the node that makes them. It is the only node so far.
    try (Ledger ledger =
            new Ledger(call -> call.earlier() == 0 ? Ledger.NEVER : Duration.ofMillis(1));
        CarillonProcess killed = start(node("CARILLON_NODE_ID", "killed"))) {
      for (int i = 0; i < 20; i++) {
        killed.send("PUT", Jobs.PATH + "held" + i, Jobs.now(ledger.url("held" + i)));
        ledger.owe("held" + i, Instant.MIN);
      }
      Await.until("calls in flight", () -> ledger.unanswered() == 20);

      try (CarillonProcess survivor = start(node())) {
        killed.kill9();
        Instant lastBeat =
            Instant.parse(node(survivor, "killed").orElseThrow().get("lastBeat").textValue());
        Await.until("the calls again", PATIENCE, () -> ledger.count() == 40);
        List<Duration> again =
            ledger.calls().stream()
                .filter(call -> call.earlier() == 1)
                .map(call -> Duration.between(lastBeat, call.arrived()))
                .sorted()
                .toList();
        new Backlog(redis::ask).awaitEmpty(PATIENCE);

        System.out.printf(
            "kill -9 of one of two: 20 calls in flight made again %d to %d ms after its last heartbeat (lease %d ms)%n",
            again.get(0).toMillis(), again.get(19).toMillis(), LEASE.toMillis());
        assertEquals(List.of(), ledger.faults());
        assertEquals(20, Jobs.inState(survivor, "completed").size());
        assertTrue(again.get(0).compareTo(LEASE) > 0, again::toString);
      }
    }
  }

  @Test
  void whatAKilledNodeHadNotBegunDoesNotWaitForItsLease() {
    Map<String, String> longLease = node("CARILLON_NODE_LEASE", LONG_LEASE);
    try (Ledger ledger = new Ledger(Duration.ofMillis(1));
        CarillonProcess killed = start(longLease);
        CarillonProcess survivor = start(longLease)) {
      Instant first = in(Duration.ofSeconds(10));
      Jobs.putAll(killed, ledger, "w", 400, i -> first.plusMillis(i * 10L));
      Await.until("the first of them", () -> ledger.count() > 50);

      killed.kill9();
      Instant death = Instant.now();
      Instant next = in(Duration.ofSeconds(1));
      Jobs.putAll(survivor, ledger, "x", 200, i -> next.plusMillis(i * 10L));
      List<String> left =
          ledger.owed().entrySet().stream()
              .filter(job -> job.getValue().isAfter(death))
              .map(Map.Entry::getKey)
              .toList();
      Await.until(
          "calls of all that was due later, which is long before the end of the lease",
          PATIENCE,
          () -> left.stream().noneMatch(job -> ledger.calls(job).isEmpty()));

      List<Duration> lateness =
          left.stream().map(job -> ledger.calls(job).get(0).lateness()).sorted().toList();
      System.out.printf(
          "kill -9 of one of two: %d jobs due after it, lateness %s (lease 10 min)%n",
          left.size(), Jobs.figures(lateness));
      assertEquals(List.of(), ledger.early());
      assertEquals(Map.of(), ledger.repeated());
      assertReady(survivor);
    }
  }

  @Test
  void aNodeThatIsToldToStopLosesAndRepeatsNothing() {
    Map<String, String> longLease = node("CARILLON_NODE_LEASE", LONG_LEASE);
    try (Ledger ledger = new Ledger(Duration.ofMillis(300));
        CarillonProcess stopped = start(longLease);
        CarillonProcess other = start(longLease)) {
      Instant first = in(Duration.ofSeconds(2));
      Jobs.putAll(stopped, ledger, "s", 200, i -> first.plusMillis(i * 20L));
      Jobs.putAll(other, ledger, "o", 200, i -> first.plusMillis(i * 20L));
      Await.until("a quarter of the calls", () -> ledger.count() > 100);

      CarillonProcess.Exit exit = stopped.terminate();
      awaitSettled(ledger, redis::ask);

      assertEquals(0, exit.code(), exit.out() + exit.err());
      assertEquals(Map.of(), ledger.repeated());
      assertEquals(400, Jobs.inState(other, "completed").size());
      System.out.printf("SIGTERM to one of two: lateness %s%n", Jobs.figures(ledger.lateness()));
    }
  }

  /** Retries a failed start as a service manager does, because the machine may be overloaded. */
  private CarillonProcess started(String node, int tries) {
    try {
      return start(node("CARILLON_NODE_ID", node, "CARILLON_DISPATCH_REGION", node));
    } catch (AssertionError e) {
      if (tries == 1) {
        throw e;
      }
      return started(node, tries - 1);
    }
  }

  @Test
  void nodesThatComeStopAndDieUnderLoadTakeAndLeaveTheirShare() {
    try (Ledger ledger = new Ledger(Duration.ofMillis(5));
        CarillonProcess stays = started("stays", 3);
        Submitter load = new Submitter(stays, ledger, "l", 100)) {
      Instant told;
      Instant stopped;
      try (CarillonProcess stops = started("stops", 3)) {
        Duration share = awaitShare(stays, "stops", ledger);
        told = Instant.now();
        CarillonProcess.Exit exit = stops.terminate();
        stopped = Instant.now();
        assertEquals(0, exit.code(), exit.out() + exit.err());
        // A node that leaves claims behind is listed until they are taken over.
        Await.until("one node less", () -> node(stays, "stops").isEmpty());
        assertTrue(exit.out().contains("members changed"), exit.out());
        System.out.printf(
            "a node that came had its share after %d ms; it ended %d ms after SIGTERM%n",
            share.toMillis(), Duration.between(told, stopped).toMillis());
      }
      Instant death;
      Instant judged;
      try (CarillonProcess dies = started("dies", 3)) {
        awaitShare(stays, "dies", ledger);
        death = Instant.now();
        dies.kill9();
        Await.until(
            "the others know",
            PATIENCE,
            () -> node(stays, "dies").get().get("state").textValue().equals("dead"));
        judged = Instant.now();
      }
      load.finish();
      awaitSettled(ledger, redis::ask);

      List<Duration> stopping = lateness(ledger, told, stopped);
      List<Duration> dying = lateness(ledger, death, judged);
      System.out.printf(
          "due while one stopped: lateness %s; due between kill -9 of one and the end of its lease: lateness %s%n",
          Jobs.figures(stopping), Jobs.figures(dying));
      assertEquals(List.of(), load.faults());
    }
  }

  /** Waits until the newcomer makes calls, and the other node has released its partitions to it. */
  private static Duration awaitShare(CarillonProcess asked, String newcomer, Ledger ledger) {
    Instant begin = Instant.now();
    Await.until(
        "its share",
        PATIENCE,
        () ->
            firstRank(asked, newcomer) > 0
                && firstRank(asked, newcomer) + firstRank(asked, "stays") == PARTITIONS
                && ledger.calls().stream().anyMatch(call -> call.region().equals(newcomer)));
    return Duration.between(begin, Instant.now());
  }

  private static int firstRank(CarillonProcess asked, String node) {
    return node(asked, node).map(one -> one.get("partitionsByRank").get(0).intValue()).orElse(0);
  }

  /** Returns the record of a node in the answer of the asked node. */
  private static Optional<JsonNode> node(CarillonProcess asked, String id) {
    for (JsonNode node : Jobs.answer(asked, "/nodes").get("value")) {
      if (node.get("id").textValue().equals(id)) {
        return Optional.of(node);
      }
    }
    return Optional.empty();
  }

  private static List<Duration> lateness(Ledger ledger, Instant from, Instant to) {
    return ledger.owed().entrySet().stream()
        .filter(job -> job.getValue().isAfter(from) && job.getValue().isBefore(to))
        .map(job -> ledger.calls(job.getKey()).get(0).lateness())
        .sorted()
        .toList();
  }

  @Test
  void aSecondNodeOfTheSameNameIsRefused() {
    Map<String, String> named = node("CARILLON_NODE_ID", "bell");
    try (CarillonProcess first = start(named)) {
      CarillonProcess.Exit second = run(named);

      assertEquals(1, second.code(), second.out());
      assertEquals(1, second.err().lines().count(), second.err());
      assertTrue(
          second.err().contains("node.id 'bell' is in use by another running node"), second.err());
      assertReady(first);
    }
  }

  @Test
  void aKilledNodeMayComeBackUnderItsNameAtOnce() {
    Map<String, String> named = node("CARILLON_NODE_ID", "bell");
    try (Ledger ledger = new Ledger(call -> call.earlier() == 0 ? Ledger.NEVER : Duration.ZERO)) {
      try (CarillonProcess first = start(named)) {
        first.send("PUT", Jobs.PATH + "held", Jobs.now(ledger.url("held")));
        Await.until("the call", () -> ledger.unanswered() == 1);
        first.kill9();
      }

      try (CarillonProcess again = start(named)) {
        Await.until("the call again", () -> ledger.count() == 2);
        new Backlog(redis::ask).awaitEmpty(PATIENCE);
        assertEquals(List.of(), ledger.faults());
        assertEquals("completed", Jobs.get(again, "held").get("state").textValue());
      }
    }
  }
}
