package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.HostileServer;
import carillon.support.Ledger;
import carillon.support.Metronome;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Test of hostile targets of every kind, each with more jobs than it has slots, next to a good
 * target. The good target is called as punctually as without them, and each bad call costs one
 * attempt.
 */
@Tag("alone")
class HostileTargetsIT extends ProcessTestBase {
  /**
   * Number of jobs of each hostile kind in a phase; more than the slots of a target without
   * answers.
   */
  private static final int BAD = 400;

  private static final int SECONDS = 8;

  private static final int PER_SECOND = 100;

  /**
   * Tolerance for other programs on the machine. Calls behind a full node would be seconds late.
   * The lateness of a bare timer with a bare client at the same time is added, for each of three
   * processes.
   */
  private static final Duration NOISE = Duration.ofMillis(150);

  private static final int PROCESSES = 3;

  /** Time from the first PUT of a phase to its first due time; the machine may be slow. */
  private Duration lead = Duration.ofSeconds(12);

  /**
   * Result of a phase.
   *
   * @param inTime whether all jobs were put before the first due time
   * @param lateness of the calls of good jobs, sorted
   */
  private record Phase(boolean inTime, List<Duration> lateness) {
    Duration p99() {
      assertTrue(inTime, "all was submitted in time");
      return Jobs.percentile(lateness, 99);
    }
  }

  @Test
  void badTargetsDelayNobodyElse() {
    List<HostileServer.Kind> kinds = List.of(HostileServer.Kind.values());
    Map<HostileServer.Kind, HostileServer> bad = new EnumMap<>(HostileServer.Kind.class);
    for (HostileServer.Kind kind : kinds) {
      bad.put(kind, new HostileServer(kind));
    }
    try (Ledger ledger = new Ledger(Duration.ofMillis(1));
        Ledger others = new Ledger(Duration.ofMillis(1));
        Metronome metronome = new Metronome();
        CarillonProcess node = start("CARILLON_DISPATCH_TIMEOUT", "3s")) {
      // Warm-up: a new JVM compiles code on its first use.
      phase(node, ledger, "warm", urls(bad, "warm"), warm -> {});
      awaitEnd(node, kinds, 1);
      Phase quiet =
          phase(
              node,
              ledger,
              "quiet",
              kinds.stream().map(kind -> others.url("q" + kind)).toList(),
              quietly -> {});
      Phase beside = phase(node, ledger, "beside", urls(bad, "beside"), metronome::callAt);

      String figures =
          "lateness alone: %s; beside hostile targets: %s; bare calls: %s"
              .formatted(
                  Jobs.figures(quiet.lateness()),
                  Jobs.figures(beside.lateness()),
                  Jobs.figures(metronome.lateness()));
      System.out.println(figures);
      assertEquals(List.of(), ledger.faults());
      assertEquals(Map.of(), ledger.repeated());
      Duration usual = Collections.max(List.of(quiet.p99().multipliedBy(2), NOISE));
      Duration bare = Jobs.percentile(metronome.lateness(), 99).multipliedBy(PROCESSES);
      assertTrue(beside.p99().compareTo(usual.plus(bare)) < 0, figures);
      awaitEnd(node, kinds, 2);
      for (HostileServer.Kind kind : kinds) {
        for (int i = 0; i < BAD; i += 57) {
          assertEquals(1, Jobs.history(node, kind + "beside-" + i).size());
        }
      }
    } finally {
      bad.values().forEach(HostileServer::close);
    }
  }

  /**
   * Puts good jobs, one due every few milliseconds, and as many jobs for each other target in every
   * phase. Returns the lateness of the good calls.
   *
   * @param beside receives the due time of each good job
   */
  private Phase phase(
      CarillonProcess node,
      Ledger ledger,
      String name,
      List<String> others,
      Consumer<Instant> beside) {
    Instant begun = Instant.now();
    Instant from = begun.plus(lead).truncatedTo(ChronoUnit.MILLIS);
    List<CompletableFuture<?>> puts = new ArrayList<>();
    for (String other : others) {
      String prefix = Jobs.PATH + other.substring(other.lastIndexOf('/') + 1) + "-";
      for (int i = 0; i < BAD; i++) {
        Instant at = from.plusMillis(SECONDS * 1000L * i / BAD);
        puts.add(node.sendAsync("PUT", prefix + i, Jobs.once(other, at)));
        if (puts.size() == 50) {
          puts.forEach(CompletableFuture::join);
          puts.clear();
        }
      }
    }
    puts.forEach(CompletableFuture::join);
    IntFunction<Instant> due = i -> from.plusMillis(i * 1000L / PER_SECOND);
    Jobs.putAll(node, ledger, name, SECONDS * PER_SECOND, due);
    IntStream.range(0, SECONDS * PER_SECOND).mapToObj(due).forEach(beside);
    Instant submitted = Instant.now();
    Duration took = Duration.between(begun, submitted);
    lead = Collections.max(List.of(lead, took.multipliedBy(2)));
    ledger.awaitSettled(lead.plusSeconds(SECONDS + 60));
    return new Phase(
        submitted.isBefore(from),
        ledger.calls().stream()
            .filter(call -> call.job().startsWith(name))
            .map(Ledger.Call::lateness)
            .sorted()
            .toList());
  }

  private static List<String> urls(Map<?, HostileServer> servers, String phase) {
    return servers.values().stream().map(server -> server.url() + phase).toList();
  }

  /**
   * Waits for all bad jobs. Deferred calls are made, and calls of targets without answers fail.
   * Some calls of answering targets may exceed the deadline.
   */
  private static void awaitEnd(CarillonProcess node, List<HostileServer.Kind> kinds, int phases) {
    Await.until(
        "the end of all bad jobs",
        Duration.ofMinutes(5),
        () -> {
          LockSupport.parkNanos(Duration.ofSeconds(1).toNanos()); // listing them is expensive
          return Jobs.inState(node, "enabled").isEmpty();
        });
    List<String> completed = Jobs.inState(node, "completed");
    for (HostileServer.Kind kind : kinds) {
      long succeeded = completed.stream().filter(job -> job.startsWith(kind.name())).count();
      if (kind.answers()) {
        assertTrue(succeeded >= 95L * phases * BAD / 100, () -> kind + ": " + succeeded);
      } else {
        assertEquals(0, succeeded, kind::name);
      }
    }
  }
}
