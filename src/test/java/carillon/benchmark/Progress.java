package carillon.benchmark;

import io.vertx.core.Future;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Says once per second what is going on. For the main thread, which waits here. */
final class Progress {
  private static final Duration STEP = Duration.ofMillis(50);

  /** The outcome is there; only the event loop that is to hand it over may be busy. */
  private static final Duration HAND_OVER = Duration.ofSeconds(60);

  private static final long LINE_EVERY = EpochMicros.PER_SECOND;

  private final PrintStream out;
  private String phase = "";
  private long lastLine;

  Progress(PrintStream out) {
    this.out = out;
  }

  /** A new phase begins. */
  void phase(String name) {
    phase = name;
    say("...");
  }

  /** Waits for the future, without limit. */
  <T> T await(Future<T> future, Supplier<String> state) {
    until(future::isComplete, state);
    return Blocking.on(future, HAND_OVER);
  }

  /** Waits until it is so. */
  void until(BooleanSupplier done, Supplier<String> state) {
    while (!done.getAsBoolean()) {
      Blocking.sleep(STEP);
      if (EpochMicros.now() - lastLine >= LINE_EVERY) {
        say(state.get());
      }
    }
  }

  private void say(String state) {
    lastLine = EpochMicros.now();
    out.println(phase + ": " + state);
  }
}
