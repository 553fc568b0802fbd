package carillon.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.load.Percentiles;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("redis")
class ComparedResultTest {
  private static final RunningPeer.Cpu CPU =
      new RunningPeer.Cpu(Duration.ofMillis(200), Duration.ofMillis(100), Duration.ofMillis(50));

  private final JobBatch batch = new JobBatch("herd", 2, index -> 1000);

  @Test
  void aRowHasTheProcessorTimeOfAJob() {
    ComparedResult result =
        new ComparedResult(
            Phase.ACCEPT,
            "quick",
            2000,
            1234,
            Percentiles.of(new long[] {1500}),
            Optional.empty(),
            CPU);

    assertEquals(
        List.of("accept", "quick", "1,234", "1.50", "1.50", "-", "-", "-", "100", "50", "25"),
        cells(result));
    assertTrue(result.isFlawless());
  }

  @Test
  void whatIsMissingTwiceOrEarlyIsCounted() {
    batch.called(0, 900, null);
    batch.called(0, 2000, null);
    ComparedResult result = herd();

    assertEquals(List.of("1", "1", "1"), cells(result).subList(5, 8));
    assertFalse(result.isFlawless());
  }

  @Test
  void jobsThatWereCalledOnceAreFlawless() {
    batch.called(0, 1000, null);
    batch.called(1, 1001, null);

    assertTrue(herd().isFlawless());
  }

  private ComparedResult herd() {
    return new ComparedResult(
        Phase.HERD, "quick", 2, 10, batch.lateness(job -> true), Optional.of(batch), CPU);
  }

  private static List<String> cells(ComparedResult result) {
    String row = ComparedResult.table(List.of(result)).get(2);
    return List.of(row.substring(1, row.length() - 1).strip().split("\\s*\\|\\s*", -1));
  }
}
