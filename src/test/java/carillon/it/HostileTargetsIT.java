package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.HostileServer;
import carillon.support.Ledger;
import java.nio.file.Path;
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
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Targets of every bad kind, each with more jobs than it has places, beside one that answers: it is
 * called as punctually as without them, and each bad call costs one attempt.
 */
class HostileTargetsIT {
  /** Of each bad kind, in a phase; those that do not answer get more than they have places for. */
  private static final int BAD = 400;

  private static final int SECONDS = 8;

  private static final int PER_SECOND = 100;

  /** Other programs may share the machine. Calls behind a full node would be seconds late. */
  private static final Duration NOISE = Duration.ofMillis(150);

  @TempDir Path dir;

  @Test
  void badTargetsDelayNobodyElse() {
    List<HostileServer.Kind> kinds = List.of(HostileServer.Kind.values());
    Map<HostileServer.Kind, HostileServer> bad = new EnumMap<>(HostileServer.Kind.class);
    for (HostileServer.Kind kind : kinds) {
      bad.put(kind, new HostileServer(kind));
    }
    try (Ledger ledger = new Ledger(Duration.ofMillis(1));
        Ledger others = new Ledger(Duration.ofMillis(1));
        CarillonProcess node =
            CarillonProcess.start(dir, Map.of("CARILLON_DISPATCH_TIMEOUT", "3s"))) {
      // Once for nothing: a fresh virtual machine compiles what it meets for the first time.
      phase(node, ledger, "warm", urls(bad, "warm"));
      awaitEnd(node, kinds, 1);
      List<Duration> quiet =
          phase(node, ledger, "quiet", kinds.stream().map(kind -> others.url("q" + kind)).toList());
      List<Duration> beside = phase(node, ledger, "beside", urls(bad, "beside"));

      System.out.printf("lateness alone: %s%n", Jobs.figures(quiet));
      System.out.printf("beside hostile targets: %s%n", Jobs.figures(beside));
      assertEquals(List.of(), ledger.faults());
      assertEquals(Map.of(), ledger.repeated());
      assertTrue(
          Jobs.percentile(beside, 99)
                  .compareTo(
                      Collections.max(List.of(Jobs.percentile(quiet, 99).multipliedBy(2), NOISE)))
              < 0,
          () -> Jobs.figures(beside) + ", alone " + Jobs.figures(quiet));
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
   * How late the calls of good jobs were, one every few milliseconds, beside as many jobs for each
   * of the other targets in any phase.
   */
  private static List<Duration> phase(
      CarillonProcess node, Ledger ledger, String name, List<String> others) {
    Instant from = Instant.now().plusSeconds(12).truncatedTo(ChronoUnit.MILLIS);
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
    assertTrue(Instant.now().isBefore(from), "all was submitted in time");
    ledger.awaitSettled(Duration.ofSeconds(SECONDS + 20));
    return ledger.calls().stream()
        .filter(call -> call.job().startsWith(name))
        .map(Ledger.Call::lateness)
        .sorted()
        .toList();
  }

  private static List<String> urls(Map<?, HostileServer> servers, String phase) {
    return servers.values().stream().map(server -> server.url() + phase).toList();
  }

  /**
   * What is put off comes to its turn, and whoever does not answer has failed. Of those that answer
   * a few may be too slow for the deadline.
   */
  private static void awaitEnd(CarillonProcess node, List<HostileServer.Kind> kinds, int phases) {
    Await.until(
        "the end of all bad jobs",
        Duration.ofSeconds(180),
        () -> {
          LockSupport.parkNanos(Duration.ofSeconds(1).toNanos()); // listing them is work
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
