package carillon.load;

import carillon.support.Await;
import io.vertx.core.Future;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Says once per second what is going on. For the main thread, which waits here. */
public final class Progress {
  private static final Duration STEP = Duration.ofMillis(50);
  private static final long LINE_EVERY = EpochMicros.PER_SECOND;

  private final PrintStream out;
  private String phase = "";
  private long lastLine;

  /** Says it there. */
  public Progress(PrintStream out) {
    this.out = out;
  }

  /** A new phase begins. */
  public void phase(String name) {
    phase = name;
    say("...");
  }

  /**
   * Waits for the future, without limit; the event loop that is to hand its outcome over may be
   * busy for a while.
   */
  public <T> T await(Future<T> future, Supplier<String> state) {
    until(future::isComplete, state);
    return Await.result(future);
  }

  /** Waits until it is so. */
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

  /** Waits for so long. */
  public void pass(Duration time) {
    until(EpochMicros.of(Instant.now().plus(time)));
  }

  private void say(String state) {
    lastLine = EpochMicros.now();
    out.println(phase + ": " + state);
  }
}
