package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.Ledger;
import carillon.support.Metronome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Test of the punctuality of an idle node. Other programs may share the machine, and it may be
 * slow. The limits are wide therefore, and include the lateness of a bare timer with a bare client
 * at the same time.
 */
@Tag("alone")
class LatenessIT extends ProcessTestBase {
  private static final Duration BOUND = Duration.ofMillis(250);

  /** Number of processes that a call passes. Each may wait for a processor. */
  private static final int PROCESSES = 3;

  @Test
  void callsAreNeverEarlyAndSeldomLate() {
    try (Ledger ledger = new Ledger(Duration.ofMillis(1));
        Metronome metronome = new Metronome();
        CarillonProcess node = start()) {
      Instant first = in(Duration.ofSeconds(4));
      Jobs.putAll(node, ledger, "l", 200, i -> first.plusMillis(i * 20L));
      assertTrue(Instant.now().isBefore(first), "all was submitted in time");
      IntStream.range(0, 200).forEach(i -> metronome.callAt(first.plusMillis(i * 20L)));

      ledger.awaitSettled(Duration.ofSeconds(60));

      System.out.printf("lateness of 200 jobs: %s%n", Jobs.figures(ledger.lateness()));
      assertEquals(List.of(), ledger.faults());
      assertEquals(Map.of(), ledger.repeated());
      assertPunctual(ledger.lateness(), 99, metronome);
    }
  }

  @Test
  void aJobWithoutStartTimeIsCalledAtOnce() {
    try (Ledger ledger = new Ledger(Duration.ofMillis(1));
        Metronome metronome = new Metronome();
        CarillonProcess node = start()) {
      List<Duration> delays = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        String job = "n" + i;
        Instant put = Instant.now();
        metronome.callAt(put);
        node.send("PUT", Jobs.PATH + job, Jobs.now(ledger.url(job)));
        Await.until("the call of " + job, () -> !ledger.calls(job).isEmpty());
        delays.add(Duration.between(put, ledger.calls(job).get(0).arrived()));
      }

      delays.sort(null);
      System.out.printf("from PUT to call, 200 jobs: %s%n", Jobs.figures(delays));
      assertEquals(List.of(), ledger.faults());
      assertPunctual(delays, 90, metronome);
    }
  }

  private static void assertPunctual(List<Duration> delays, int percent, Metronome metronome) {
    List<Duration> bare = metronome.lateness();
    System.out.printf("bare calls at the same time: %s%n", Jobs.figures(bare));
    Duration noise = Jobs.percentile(bare, percent).multipliedBy(PROCESSES);
    assertTrue(
        Jobs.percentile(delays, percent).compareTo(BOUND.plus(noise)) < 0,
        () -> Jobs.figures(delays) + ", bare calls " + Jobs.figures(bare));
  }
}
