package carillon.support;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Cost of an answer: the processor time of this JVM and the elapsed time. Only the elapsed time
 * depends on the load of the machine.
 */
public final class Effort {
  private static final Duration WORK = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final long begun = System.nanoTime();
  private final Duration work = work();

  /** Starts the measurement. */
  public Effort() {}

  private static Duration work() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Fails if the cost so far is high. */
  public void assertSmall(Supplier<String> of) {
    Duration taken = Duration.ofNanos(System.nanoTime() - begun);
    Duration worked = work().minus(work);
    boolean isSmall = taken.compareTo(PATIENCE) < 0 && worked.compareTo(WORK) < 0;
    assertTrue(isSmall, () -> "took " + taken + " and " + worked + " of work: " + of.get());
  }
}
