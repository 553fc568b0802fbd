package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.Ledger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How punctual an idle node is. The bounds are wide because other programs may share the machine.
 */
class LatenessIT {
  private static final Duration BOUND = Duration.ofMillis(250);

  @TempDir Path dir;

  @Test
  void callsAreNeverEarlyAndSeldomLate() {
    try (Ledger ledger = new Ledger(Duration.ofMillis(1));
        CarillonProcess node = CarillonProcess.start(dir, Map.of())) {
      Instant first = Instant.now().plusSeconds(2).truncatedTo(ChronoUnit.MILLIS);
      Jobs.putAll(node, ledger, "l", 200, i -> first.plusMillis(i * 20L));

      ledger.awaitSettled(Duration.ofSeconds(20));

      List<Duration> lateness = ledger.lateness();
      System.out.printf("lateness of 200 jobs: %s%n", Jobs.figures(lateness));
      assertEquals(List.of(), ledger.faults());
      assertEquals(Map.of(), ledger.repeated());
      assertTrue(Jobs.percentile(lateness, 99).compareTo(BOUND) < 0, () -> Jobs.figures(lateness));
    }
  }

  @Test
  void aJobWithoutStartTimeIsCalledAtOnce() {
    try (Ledger ledger = new Ledger(Duration.ofMillis(1));
        CarillonProcess node = CarillonProcess.start(dir, Map.of())) {
      List<Duration> delays = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        String job = "n" + i;
        Instant put = Instant.now();
        node.send("PUT", Jobs.PATH + job, Jobs.now(ledger.url(job)));
        Await.until("the call of " + job, () -> !ledger.calls(job).isEmpty());
        delays.add(Duration.between(put, ledger.calls(job).get(0).arrived()));
      }

      delays.sort(null);
      System.out.printf("from PUT to call, 200 jobs: %s%n", Jobs.figures(delays));
      assertEquals(List.of(), ledger.faults());
      assertTrue(Jobs.percentile(delays, 90).compareTo(BOUND) < 0, () -> Jobs.figures(delays));
    }
  }
}
