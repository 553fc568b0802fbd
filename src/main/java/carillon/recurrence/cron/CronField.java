package carillon.recurrence.cron;

import java.util.OptionalInt;

/** Field of a cron expression, with its range and the names of its numbers. */
enum CronField {
  SECOND("second", 0, 59, ""),
  MINUTE("minute", 0, 59, ""),
  HOUR("hour", 0, 23, ""),
  DAY_OF_MONTH("day of month", 1, 31, ""),
  MONTH("month", 1, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
  /** Days of the week, where 0 is Sunday in every dialect. */
  DAY_OF_WEEK("day of week", 0, 6, "SUN MON TUE WED THU FRI SAT"),
  YEAR("year", 1970, 9999, "");

  private static final int NAME_LENGTH = 3;

  private final String label;
  private final int min;
  private final int max;

  /** Names in the order of their numbers, with spaces between them. */
  private final String names;

  CronField(String label, int min, int max, String names) {
    this.label = label;
    this.min = min;
    this.max = max;
    this.names = names;
  }

  /** Name of the field for people. */
  String label() {
    return label;
  }

  int min() {
    return min;
  }

  int max() {
    return max;
  }

  int size() {
    return max - min + 1;
  }

  /** Returns the number of a name in upper case; empty if this is not a name. */
  OptionalInt number(String name) {
    int place = name.length() == NAME_LENGTH ? names.indexOf(name) : -1;
    return place < 0 ? OptionalInt.empty() : OptionalInt.of(min + place / (NAME_LENGTH + 1));
  }

  /** The name of a number. */
  String name(int number) {
    int place = (number - min) * (NAME_LENGTH + 1);
    return names.substring(place, place + NAME_LENGTH);
  }
}
