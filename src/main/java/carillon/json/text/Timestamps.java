package carillon.json.text;

import carillon.job.name.IsoInstant;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.Optional;

/**
 * ISO 8601 instants as the retired service read and wrote them. Reads {@code 2012-11-04}, {@code
 * 2012-08-04T00:00Z}, {@code 2016-03-30T20:40:55.469507+01:00}. A time without an offset is UTC,
 * and more than seven fraction digits are rounded to seven. Writes UTC with as many fraction digits
 * as needed, up to seven.
 */
public final class Timestamps {
  /** Rule of {@link #parse}, to complete a sentence. */
  public static final String RULE =
      "must be an ISO 8601 time such as 2030-01-31T08:00:00Z, in the years 1970 to 9999";

  private static final int NANOS_PER_TICK = 100;
  private static final int TICK_DIGITS = 7;
  private static final int MAX_LENGTH = 64;
  private static final long MAX_EPOCH_SECOND =
      Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

  private final String text;
  private int at;

  /** Offset in the text; null if there is none. */
  private ZoneOffset offset;

  private Timestamps(String text) {
    this.text = text;
  }

  /**
   * Returns the instant of the text, to 100 ns.
   *
   * @throws DateTimeException when the text is invalid
   */
  public static Instant parse(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new DateTimeException(RULE);
    }
    return new Timestamps(text).instant();
  }

  /**
   * Returns the local time of a text without an offset; empty for a text with an offset.
   *
   * @param text that {@link #parse} accepts
   */
  static Optional<LocalDateTime> local(String text) {
    Timestamps parser = new Timestamps(text);
    Instant utc = parser.instant();
    return parser.offset == null
        ? Optional.of(LocalDateTime.ofInstant(utc, ZoneOffset.UTC))
        : Optional.empty();
  }

  /** Whether the texts of this class can express the instant. */
  static boolean isInRange(Instant instant) {
    return instant.getEpochSecond() >= 0 && instant.getEpochSecond() <= MAX_EPOCH_SECOND;
  }

  /** A local time, {@code yyyy-MM-ddTHH:mm:ss.FFFFFFF} without trailing zeros. */
  public static String format(LocalDateTime local) {
    String utc = format(local.toInstant(ZoneOffset.UTC));
    return utc.substring(0, utc.length() - 1);
  }

  /** {@code yyyy-MM-ddTHH:mm:ss.FFFFFFFZ} without trailing zeros. */
  public static String format(Instant instant) {
    int digits = TICK_DIGITS;
    for (int ticks = instant.get(ChronoField.NANO_OF_SECOND) / NANOS_PER_TICK;
        digits > 0 && ticks % 10 == 0;
        digits--) {
      ticks /= 10;
    }
    return IsoInstant.text(instant, digits);
  }

  /**
   * {@code yyyy-MM-ddTHH:mm:ss.fffZ}: always of the same width, so that texts sort like instants.
   */
  public static String formatMillis(Instant instant) {
    return IsoInstant.text(instant, 3);
  }

  private Instant instant() {
    int year = digits(4);
    int month = digits('-', 2);
    int day = digits('-', 2);
    if (at == text.length()) {
      return checked(LocalDateTime.of(year, month, day, 0, 0), 0, ZoneOffset.UTC);
    }
    int hour = digits('T', 2);
    int minute = digits(':', 2);
    int second = isAt(':') ? digits(':', 2) : 0;
    long nanos = isAt('.') ? fraction() : 0;
    LocalDateTime time = LocalDateTime.of(year, month, day, hour, minute, second);
    offset = offset();
    return checked(time, nanos, offset == null ? ZoneOffset.UTC : offset);
  }

  /**
   * Adds nanoseconds. Rounding may have made a whole second of them, which plusNanos carries over.
   */
  private Instant checked(LocalDateTime time, long nanos, ZoneOffset offset) {
    Instant instant = time.toInstant(offset).plusNanos(nanos);
    if (at != text.length() || !isInRange(instant)) {
      throw new DateTimeException(RULE);
    }
    return instant;
  }

  private ZoneOffset offset() {
    if (at == text.length()) {
      return null;
    }
    char sign = text.charAt(at);
    if (sign == 'Z') {
      at++;
      return ZoneOffset.UTC;
    }
    if (sign != '+' && sign != '-') {
      throw new DateTimeException(RULE);
    }
    int hours = digits(sign, 2);
    int minutes = digits(':', 2);
    return sign == '-'
        ? ZoneOffset.ofHoursMinutes(-hours, -minutes)
        : ZoneOffset.ofHoursMinutes(hours, minutes);
  }

  private long fraction() {
    int first = ++at;
    long ticks = 0;
    while (at < text.length() && isDigit(text.charAt(at))) {
      if (at - first < TICK_DIGITS) {
        ticks = ticks * 10 + text.charAt(at) - '0';
      } else if (at - first == TICK_DIGITS && text.charAt(at) >= '5') {
        ticks++;
      }
      at++;
    }
    if (at == first) {
      throw new DateTimeException(RULE);
    }
    for (int given = at - first; given < TICK_DIGITS; given++) {
      ticks *= 10;
    }
    return ticks * NANOS_PER_TICK;
  }

  private int digits(char before, int width) {
    if (!isAt(before)) {
      throw new DateTimeException(RULE);
    }
    at++;
    return digits(width);
  }

  private int digits(int width) {
    int value = 0;
    for (int end = at + width; at < end; at++) {
      if (at >= text.length() || !isDigit(text.charAt(at))) {
        throw new DateTimeException(RULE);
      }
      value = value * 10 + text.charAt(at) - '0';
    }
    return value;
  }

  private boolean isAt(char expected) {
    return at < text.length() && text.charAt(at) == expected;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
