package carillon.support;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Bound on the processor time of work on this thread. The load of the machine does not change it.
 */
public final class ProcessorTime {
  /** Number of rounds. The best one counts, because code is slow until it is compiled. */
  private static final int ROUNDS = 15;

  private ProcessorTime() {}

  /** Fails if the work exceeds the limit in each round. */
  public static void assertWithin(Duration limit, String what, Runnable work) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS && least > limit.toNanos() / 10; i++) {
      long begun = now();
      work.run();
      least = Math.min(least, now() - begun);
    }
    Duration took = Duration.ofNanos(least);
    assertTrue(took.compareTo(limit) < 0, () -> "took " + took + ": " + what);
  }

  private static long now() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
