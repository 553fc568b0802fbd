package carillon.recurrence;

import carillon.recurrence.Schedule.MonthlyOccurrence;
import carillon.recurrence.timetable.Timetable;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Shorthand of the tables, such as {@code week 2; weekDays=monday,friday; hours=5; count=3;
 * end=2026-01-01T00:00} or {@code once}. Instants have no Z. A missing startTime is {@code -}.
 */
public final class Notation {
  private Notation() {}

  public static Timetable timetable(String recurrence, Instant start, Instant submitted) {
    return recurrence.equals("once")
        ? Timetable.once(start, submitted)
        : Timetable.of(recurrence(recurrence), start, submitted);
  }

  public static Instant instant(String text) {
    return text.equals("-")
        ? Timetable.NO_START
        : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
  }

  public static PeriodicRecurrence recurrence(String text) {
    String[] parts = text.split(";");
    String[] head = parts[0].strip().split(" ", 2);
    Map<String, String> fields = new HashMap<>();
    for (String part : Arrays.asList(parts).subList(1, parts.length)) {
      String[] pair = part.strip().split("=", 2);
      fields.put(pair[0], pair[1]);
    }
    String count = fields.remove("count");
    String end = fields.remove("end");
    return new PeriodicRecurrence(
        Frequency.valueOf(head[0].toUpperCase(Locale.ROOT)),
        head.length == 1 ? 1 : Integer.parseInt(head[1]),
        count == null ? Recurrence.NO_COUNT : Integer.parseInt(count),
        end == null ? Recurrence.NO_END : instant(end),
        schedule(fields));
  }

  private static Schedule schedule(Map<String, String> fields) {
    Schedule schedule =
        new Schedule(
            list(fields.remove("minutes"), Integer::valueOf),
            list(fields.remove("hours"), Integer::valueOf),
            list(fields.remove("weekDays"), Notation::day),
            list(fields.remove("monthDays"), Integer::valueOf),
            list(fields.remove("monthlyOccurrences"), Notation::occurrence),
            list(fields.remove("months"), Integer::valueOf));
    if (!fields.isEmpty()) {
      throw new IllegalArgumentException("unknown fields in a table: " + fields);
    }
    return schedule;
  }

  private static <T> List<T> list(String values, Function<String, T> reader) {
    return values == null ? List.of() : Arrays.stream(values.split(",")).map(reader).toList();
  }

  private static DayOfWeek day(String name) {
    return DayOfWeek.valueOf(name.toUpperCase(Locale.ROOT));
  }

  private static MonthlyOccurrence occurrence(String text) {
    String[] pair = text.split(":", 2);
    int number = pair.length == 1 ? MonthlyOccurrence.EVERY : Integer.parseInt(pair[1]);
    return new MonthlyOccurrence(day(pair[0]), number);
  }
}
