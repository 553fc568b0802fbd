package carillon.cli.transfer;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Progress messages of a long command, at most one every 2 s. Confined to one thread. */
final class Progress {
  private static final long PAUSE = TimeUnit.SECONDS.toNanos(2);

  private final PrintWriter out;
  private final LongSupplier nanos;
  private final long begun;
  private long said;

  /**
   * A progress that begins now.
   *
   * @param nanos only rises, as {@link System#nanoTime}
   */
  Progress(PrintWriter out, LongSupplier nanos) {
    this.out = out;
    this.nanos = nanos;
    this.begun = nanos.getAsLong();
    this.said = begun;
  }

  /**
   * Prints how far the command is, if the last message is old enough.
   *
   * @param what has been counted, such as {@code jobs}
   * @param percent of all; negative if unknown
   */
  void at(long count, String what, int percent) {
    long now = nanos.getAsLong();
    if (now - said < PAUSE) {
      return;
    }
    said = now;
    out.println(
        String.format(
            Locale.ROOT,
            "%,d %s%s, %s",
            count,
            what,
            percent < 0 ? "" : " (" + percent + "%)",
            rate(count)));
  }

  /** {@code 1,234/s} since the beginning. */
  String rate(long count) {
    return String.format(Locale.ROOT, "%,d/s", Math.round(count / Math.max(seconds(), 0.001)));
  }

  double seconds() {
    return (nanos.getAsLong() - begun) / (double) TimeUnit.SECONDS.toNanos(1);
  }
}
