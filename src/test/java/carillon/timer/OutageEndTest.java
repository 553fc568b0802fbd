package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.store.attempt.Lease;
import carillon.support.LogCapture;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** Test of the logged end of a Redis outage. */
class OutageEndTest {
  private final Throwable away = new JobException(ErrorCode.STORE_UNAVAILABLE, "away");

  private final Set<Integer> polled = new HashSet<>(Set.of(0, 1));
  private final Lease lease = new Lease(() -> 0, Duration.ofSeconds(10), Duration.ofSeconds(1));
  private final OutageLog outages = new OutageLog(lease, 2, polled::contains);

  private static long count(LogCapture log, String message) {
    return log.lines().stream()
        .filter(line -> !line.startsWith("{") && line.contains(message))
        .count();
  }

  private static long ends(LogCapture log) {
    return count(log, "Redis is available again");
  }

  @Test
  void itLastsUntilEachPartitionAndTheHeartbeatAreAnswered() {
    try (LogCapture log = new LogCapture()) {
      outages.heartbeatFailed(away);
      outages.claimFailed(0, away);
      outages.claimFailed(1, away);

      outages.beaten();
      outages.claimed(0);
      assertEquals(0, ends(log));
      outages.claimed(1);

      assertEquals(1, ends(log));
    }
  }

  @Test
  void aPartitionThatIsLeftToOthersIsNotWaitedFor() {
    try (LogCapture log = new LogCapture()) {
      outages.heartbeatFailed(away);
      outages.claimFailed(1, away);
      polled.remove(1);

      outages.beaten();

      assertEquals(1, ends(log));
      assertEquals(Level.DEBUG, outages.claimFailed(0, away));
      assertEquals(2, count(log, "Redis is unavailable"));
    }
  }
}
