package carillon.recurrence;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Generator of random cron expressions with many edge cases: short months, leap days, wrapped
 * ranges.
 */
public final class CronRandoms {
  private static final List<String> MONTHS = List.of("JAN", "feb", "Mar", "JUN", "SEP", "DEC");
  private static final List<String> DAYS = List.of("SUN", "mon", "Tue", "WED", "THU", "FRI", "SAT");

  private final Randoms random;

  public CronRandoms(Randoms random) {
    this.random = random;
  }

  /** Returns an expression: minute, hour, day of month, month, day of week. */
  public String unix() {
    return Stream.of(field(0, 59), field(0, 23), monthDays(), months(), weekDays(0))
        .collect(Collectors.joining(" "));
  }

  /**
   * Returns an expression that begins with seconds. One of the day fields is {@code ?}. About every
   * fourth one has years.
   */
  public String quartz() {
    boolean byMonth = random.oneIn(2);
    String days = byMonth ? quartzMonthDays() : "?";
    String weekDays = byMonth ? "?" : quartzWeekDays();
    String years = random.oneIn(4) ? " " + field(2020, 2060) : "";
    return Stream.of(field(0, 59), field(0, 59), field(0, 23), days, months(), weekDays)
            .collect(Collectors.joining(" "))
        + years;
  }

  private String monthDays() {
    return random.oneIn(3) ? "*" : field(1, 31);
  }

  private String weekDays(int sunday) {
    return switch (random.below(4)) {
      case 0 -> random.oneOf(DAYS);
      case 1 -> random.oneOf(DAYS) + "-" + random.oneOf(DAYS);
      case 2 -> "*";
      default -> field(sunday, sunday + 6);
    };
  }

  private String months() {
    return switch (random.below(4)) {
      case 0 -> random.oneOf(MONTHS);
      case 1 -> field(1, 12);
      default -> "*";
    };
  }

  private String quartzMonthDays() {
    return switch (random.below(6)) {
      case 0 -> "L";
      case 1 -> "L-" + (1 + random.below(27));
      case 2 -> "LW";
      case 3 -> (1 + random.below(28)) + "W";
      default -> monthDays();
    };
  }

  private String quartzWeekDays() {
    return switch (random.below(4)) {
      case 0 -> (1 + random.below(7)) + "L";
      case 1 -> (1 + random.below(7)) + "#" + (1 + random.below(5));
      default -> weekDays(1);
    };
  }

  private String field(int low, int high) {
    Supplier<String> number = () -> Integer.toString(low + random.below(high - low + 1));
    int step = 1 + random.below(Math.min(20, high - low));
    return switch (random.below(6)) {
      case 0 -> "*";
      case 1 -> "*/" + step;
      case 2 -> range(low, high);
      case 3 -> range(low, high) + "/" + step;
      case 4 -> number.get() + "," + number.get() + "," + range(low, high);
      default -> number.get();
    };
  }

  private String range(int low, int high) {
    int first = low + random.below(high - low + 1);
    return first + "-" + (first + random.below(high - first + 1));
  }
}
