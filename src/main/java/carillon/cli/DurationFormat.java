package carillon.cli;

import java.time.Duration;
import java.util.Locale;

/** Durations as people read them: the two largest units. */
final class DurationFormat {
  private static final int SECONDS_OF_MINUTE = 60;

  private DurationFormat() {}

  static String text(Duration duration) {
    if (duration.toMillis() < 0) {
      return "-" + text(duration.negated());
    }
    if (duration.toDays() > 0) {
      return duration.toDays() + "d " + duration.toHoursPart() + "h";
    }
    if (duration.toHours() > 0) {
      return duration.toHours() + "h " + duration.toMinutesPart() + "m";
    }
    if (duration.toSeconds() >= SECONDS_OF_MINUTE) {
      return duration.toMinutes() + "m " + duration.toSecondsPart() + "s";
    }
    return duration.toSeconds() > 0
        ? String.format(Locale.ROOT, "%.1fs", duration.toMillis() / 1000.0)
        : duration.toMillis() + "ms";
  }
}
