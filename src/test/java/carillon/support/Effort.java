package carillon.support;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * What an answer took: the processors' time of this JVM, which a busy machine does not change, and
 * the time until it came, which it does.
 */
public final class Effort {
  private static final Duration WORK = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final long begun = System.nanoTime();
  private final Duration work = work();

  /** Begins to measure. */
  public Effort() {}

  private static Duration work() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Fails when it was much until now. */
  public void assertSmall(Supplier<String> of) {
    Duration taken = Duration.ofNanos(System.nanoTime() - begun);
    Duration worked = work().minus(work);
    boolean isSmall = taken.compareTo(PATIENCE) < 0 && worked.compareTo(WORK) < 0;
    assertTrue(isSmall, () -> "took " + taken + " and " + worked + " of work: " + of.get());
  }
}
