package carillon.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Says from time to time how far something has come. Confined to one thread. */
final class ImportProgress {
  private static final long PAUSE = TimeUnit.SECONDS.toNanos(2);

  private final PrintWriter out;
  private final LongSupplier nanos;
  private final long begun;
  private long said;

  /**
   * Begins.
   *
   * @param nanos only rises, as {@link System#nanoTime}
   */
  ImportProgress(PrintWriter out, LongSupplier nanos) {
    this.out = out;
    this.nanos = nanos;
    this.begun = nanos.getAsLong();
    this.said = begun;
  }

  /**
   * May say it.
   *
   * @param what has been counted, such as {@code jobs}
   * @param percent of all; negative where nobody knows
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
