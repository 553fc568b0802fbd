package carillon.load;

import carillon.support.Await;
import io.vertx.core.Future;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Reporter of progress, once per second. For the main thread, which waits here. */
public final class Progress {
  private static final Duration STEP = Duration.ofMillis(50);
  private static final long LINE_EVERY = EpochMicros.PER_SECOND;

  private final PrintStream out;
  private String phase = "";
  private long lastLine;

  /** Creates a reporter that prints to this stream. */
  public Progress(PrintStream out) {
    this.out = out;
  }

  /** Begins a new phase. */
  public void phase(String name) {
    phase = name;
    say("...");
  }

  /**
   * Waits for the future without limit. The event loop that completes it may be busy for a while.
   */
  public <T> T await(Future<T> future, Supplier<String> state) {
    until(future::isComplete, state);
    return Await.result(future);
  }

  /** Waits until the condition is true. */
  public void until(BooleanSupplier done, Supplier<String> state) {
    while (!done.getAsBoolean()) {
      LockSupport.parkNanos(STEP.toNanos());
      if (EpochMicros.now() - lastLine >= LINE_EVERY) {
        say(state.get());
      }
    }
  }

  /** Waits for an instant of {@link EpochMicros}. */
  public void until(long instant) {
    until(
        () -> EpochMicros.now() >= instant, () -> "waiting for " + EpochMicros.toInstant(instant));
  }

  /** Waits for this duration. */
  public void pass(Duration time) {
    until(EpochMicros.of(Instant.now().plus(time)));
  }

  private void say(String state) {
    lastLine = EpochMicros.now();
    out.println(phase + ": " + state);
  }
}
