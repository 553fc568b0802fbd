package carillon.faults;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Notes in the journal when this machine is overloaded: a thread scheduled every 50 ms does not
 * run. An overload makes calls late and recurring jobs skip, but excuses nothing else.
 */
final class Stalls implements AutoCloseable {
  private static final long EACH_MS = 50;
  private static final Duration STALL = Duration.ofMillis(400);

  private final Journal journal;
  private final ScheduledExecutorService clockwork = Executors.newSingleThreadScheduledExecutor();
  private final ScheduledFuture<?> looks;
  private Instant last = Instant.now(); // confined to the clockwork's thread

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
