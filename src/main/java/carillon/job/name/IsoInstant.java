package carillon.job.name;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoField;

/**
 * ISO 8601 texts of instants as {@link Instant#toString} writes and {@link Instant#parse} reads
 * them, many times faster for the years 0 to 9999: each call passes a dozen of them.
 */
public final class IsoInstant {
  private static final int SECONDS_WIDTH = 20;
  private static final long SECONDS_PER_DAY = 86_400;
  private static final long YEAR_0 = -62_167_219_200L;
  private static final long YEAR_10000 = 253_402_300_800L;

  /** Days from March 1st of year 0, where the leap day ends the year, to 1970-01-01. */
  private static final int DAYS_TO_EPOCH = 719_468;

  private static final int DAYS_PER_ERA = 146_097;
  private static final int YEARS_PER_ERA = 400;
  private static final String SHAPE = "0000-00-00T00:00:00Z";

  private IsoInstant() {}

  /** The text that {@link Instant#toString} gives. */
  public static String text(Instant instant) {
    int nano = instant.get(ChronoField.NANO_OF_SECOND);
    return text(instant, nano == 0 ? 0 : nano % 1_000_000 == 0 ? 3 : nano % 1_000 == 0 ? 6 : 9);
  }

  /**
   * Returns the text with the given number of digits of the fraction, 0 to 9; further digits are
   * cut off. For a year outside 0 to 9999, returns the text of {@link Instant#toString}.
   */
  public static String text(Instant instant, int digits) {
    long second = instant.getEpochSecond();
    if (second < YEAR_0 || second >= YEAR_10000) {
      return instant.toString();
    }
    byte[] text = new byte[digits == 0 ? SECONDS_WIDTH : SECONDS_WIDTH + 1 + digits];
    date(text, Math.floorDiv(second, SECONDS_PER_DAY));
    time(text, (int) Math.floorMod(second, SECONDS_PER_DAY));
    if (digits > 0) {
      text[SECONDS_WIDTH - 1] = '.';
      int shown = instant.get(ChronoField.NANO_OF_SECOND);
      for (int left = digits; left < 9; left++) {
        shown /= 10;
      }
      digits(text, SECONDS_WIDTH, digits, shown);
    }
    text[text.length - 1] = 'Z';
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  /** The date of a day since 1970, by eras of 400 years that begin on March 1st. */
  private static void date(byte[] text, long epochDay) {
    int day = Math.toIntExact(epochDay) + DAYS_TO_EPOCH;
    int era = Math.floorDiv(day, DAYS_PER_ERA);
    int dayOfEra = Math.floorMod(day, DAYS_PER_ERA);
    int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
    int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int monthFromMarch = (5 * dayOfYear + 2) / 153;
    int month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
    digits(text, 0, 4, era * YEARS_PER_ERA + yearOfEra + (month <= 2 ? 1 : 0));
    text[4] = '-';
    digits(text, 5, 2, month);
    text[7] = '-';
    digits(text, 8, 2, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1);
  }

  private static void time(byte[] text, int secondOfDay) {
    text[10] = 'T';
    digits(text, 11, 2, secondOfDay / 3600);
    text[13] = ':';
    digits(text, 14, 2, secondOfDay / 60 % 60);
    text[16] = ':';
    digits(text, 17, 2, secondOfDay % 60);
  }

  private static void digits(byte[] text, int from, int width, int value) {
    int left = value;
    for (int at = from + width - 1; at >= from; at--) {
      text[at] = (byte) ('0' + left % 10);
      left /= 10;
    }
  }

  /**
   * The instant that {@link Instant#parse} gives.
   *
   * @throws java.time.format.DateTimeParseException when it fails
   */
  public static Instant parse(String text) {
    if (!isPlain(text)) {
      return Instant.parse(text);
    }
    int year = number(text, 0, 4);
    int month = number(text, 5, 2);
    int day = number(text, 8, 2);
    int hour = number(text, 11, 2);
    int minute = number(text, 14, 2);
    int second = number(text, 17, 2);
    if (month < 1
        || month > 12
        || day < 1
        || day > (month == 2 ? 28 : 30)
        || hour > 23
        || minute > 59
        || second > 59) {
      return Instant.parse(text); // a late day of a month, or no instant
    }
    long time = hour * 3600L + minute * 60L + second;
    return Instant.ofEpochSecond(epochDay(year, month, day) * SECONDS_PER_DAY + time, nano(text));
  }

  private static long epochDay(int year, int month, int day) {
    int yearFromMarch = month <= 2 ? year - 1 : year;
    int era = Math.floorDiv(yearFromMarch, YEARS_PER_ERA);
    int yearOfEra = yearFromMarch - era * YEARS_PER_ERA;
    int dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return (long) era * DAYS_PER_ERA + dayOfEra - DAYS_TO_EPOCH;
  }

  private static int nano(String text) {
    int digits = text.length() - SECONDS_WIDTH - 1;
    if (digits < 0) {
      return 0;
    }
    int nano = number(text, SECONDS_WIDTH, digits);
    for (int given = digits; given < 9; given++) {
      nano *= 10;
    }
    return nano;
  }

  /**
   * Whether the text has the form that {@link #text} writes, with at most nine digits of a
   * fraction.
   */
  private static boolean isPlain(String text) {
    int length = text.length();
    boolean isWhole = length == SECONDS_WIDTH;
    if (!isWhole && (length < SECONDS_WIDTH + 2 || length > SECONDS_WIDTH + 10)) {
      return false;
    }
    for (int at = 0; at < length; at++) {
      char expected = at < SECONDS_WIDTH ? SHAPE.charAt(at) : '0';
      if (at == length - 1) {
        expected = 'Z';
      } else if (at == SECONDS_WIDTH - 1) {
        expected = '.';
      }
      char given = text.charAt(at);
      if (expected == '0' ? given < '0' || given > '9' : given != expected) {
        return false;
      }
    }
    return true;
  }

  private static int number(String text, int from, int width) {
    int value = 0;
    for (int at = from; at < from + width; at++) {
      value = value * 10 + text.charAt(at) - '0';
    }
    return value;
  }
}
