package carillon.faults;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Notes in the journal when this machine has nothing to spare: a thread that wants to run each 50
 * ms does not come to it. That makes calls late and recurring jobs skip, and is no excuse for
 * anything else.
 */
final class Stalls implements AutoCloseable {
  private static final long EACH_MS = 50;
  private static final Duration STALL = Duration.ofMillis(400);

  private final Journal journal;
  private final ScheduledExecutorService clockwork = Executors.newSingleThreadScheduledExecutor();
  private final ScheduledFuture<?> looks;
  private Instant last = Instant.now(); // of the clockwork's thread

  Stalls(Journal journal) {
    this.journal = journal;
    looks = clockwork.scheduleWithFixedDelay(this::look, EACH_MS, EACH_MS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    Instant now = Instant.now();
    if (Duration.between(last, now).compareTo(STALL) > 0) {
      journal.add(new Journal.Fault("stalled", Journal.MACHINE, last, now, now, false));
    }
    last = now;
  }

  @Override
  public void close() {
    looks.cancel(false);
    clockwork.shutdown();
  }
}
