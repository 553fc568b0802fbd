package carillon.recurrence;

import java.time.LocalDateTime;
import java.util.List;
import java.util.Locale;

/**
 * Vixie's cron as slow as possible: asks of one minute whether an expression of five fields fits.
 */
record VixieModel(String text) {
  private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
  private static final String MONTHS = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";

  boolean matches(LocalDateTime at) {
    String[] fields = text.toUpperCase(Locale.ROOT).split(" ", -1);
    boolean day = fits(fields[2], at.getDayOfMonth(), 1, 31);
    boolean weekDay = fits(fields[4], at.getDayOfWeek().getValue() % 7, 0, 6);
    boolean isStarred = fields[2].startsWith("*") || fields[4].startsWith("*");
    return fits(fields[0], at.getMinute(), 0, 59)
        && fits(fields[1], at.getHour(), 0, 23)
        && fits(fields[3], at.getMonthValue(), 1, 12)
        && (isStarred ? day && weekDay : day || weekDay);
  }

  private static boolean fits(String field, int value, int min, int max) {
    for (String item : field.split(",", -1)) {
      String[] parts = item.split("/", -1);
      String[] ends =
          parts[0].equals("*") ? new String[] {"" + min, "" + max} : parts[0].split("-", -1);
      int step = parts.length == 1 ? 1 : Integer.parseInt(parts[1]);
      int low = number(ends[0]);
      int high = number(ends[ends.length - 1]);
      int size = max - min + 1;
      if (Math.floorMod(value - low, size) <= Math.floorMod(high - low, size)
          && Math.floorMod(value - low, size) % step == 0) {
        return true;
      }
    }
    return false;
  }

  private static int number(String text) {
    if (Character.isDigit(text.charAt(0))) {
      return Integer.parseInt(text);
    }
    return DAYS.contains(text) ? DAYS.indexOf(text) : MONTHS.indexOf(text) / 3 + 1;
  }
}
