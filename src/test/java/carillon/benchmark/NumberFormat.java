package carillon.benchmark;

import java.util.Locale;
import java.util.Optional;

/** Numbers as people read them. */
final class NumberFormat {
  private NumberFormat() {}

  /** About four digits: 12,345 and 12.3 and 1.23. */
  static String plain(double value) {
    double size = Math.abs(value);
    if (value == Math.rint(value) || size >= 1000) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, size >= 10 ? "%.1f" : "%.2f", value);
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, share < 0.1 ? "%.1f %%" : "%.0f %%", share * 100);
  }

  /** A dash for what is not there. */
  static String plain(Optional<Double> value) {
    return value.map(NumberFormat::plain).orElse("-");
  }
}
