package carillon.json;

import carillon.job.JobException;
import carillon.recurrence.MonthlyOccurrence;
import carillon.recurrence.Schedule;
import java.time.DayOfWeek;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Reads the calendar fields of a recurrence. A lone value counts as an array of one. */
final class ScheduleReader {
  private static final Set<String> KNOWN =
      Set.of("minutes", "hours", "weekDays", "monthDays", "monthlyOccurrences", "months");
  private static final Set<String> KNOWN_OF_OCCURRENCE = Set.of("day", "occurrence");
  private static final EnumNames<DayOfWeek> DAYS = EnumNames.named(Stream.of(DayOfWeek.values()));

  private final Dialect dialect;

  ScheduleReader(Dialect dialect) {
    this.dialect = dialect;
  }

  Schedule read(JsonFields fields) {
    fields.allowOnly(KNOWN, dialect);
    Schedule schedule =
        new Schedule(
            fields.integers("minutes", minute -> minute >= 0 && minute <= 59, "0..59"),
            fields.integers("hours", hour -> hour >= 0 && hour <= 23, "0..23"),
            weekDays(fields),
            fields.integers("monthDays", ScheduleReader::isMonthDay, "-31..-1 or 1..31"),
            monthlyOccurrences(fields),
            fields.integers("months", month -> month >= 1 && month <= 12, "1..12"));
    if (schedule.isEmpty()) {
      throw JobException.invalid("recurrence.schedule: must not be empty; leave it out instead");
    }
    return schedule;
  }

  private static List<DayOfWeek> weekDays(JsonFields fields) {
    List<DayOfWeek> days = fields.words("weekDays", DAYS);
    if (days.size() > DayOfWeek.values().length) {
      throw JobException.invalid(
          fields.place("weekDays") + ": " + days.size() + " days are more than a week has");
    }
    return days;
  }

  private List<MonthlyOccurrence> monthlyOccurrences(JsonFields fields) {
    return fields.objects("monthlyOccurrences").stream().map(this::monthlyOccurrence).toList();
  }

  private MonthlyOccurrence monthlyOccurrence(JsonFields fields) {
    fields.allowOnly(KNOWN_OF_OCCURRENCE, dialect);
    DayOfWeek day = fields.requiredWord("day", DAYS);
    int occurrence = fields.integer("occurrence", -5, 5).orElse(MonthlyOccurrence.EVERY);
    if (fields.has("occurrence") && occurrence == MonthlyOccurrence.EVERY) {
      throw fields.refusal("occurrence", "must be in -5..-1 or 1..5");
    }
    return new MonthlyOccurrence(day, occurrence);
  }

  private static boolean isMonthDay(int day) {
    return day != 0 && day >= -31 && day <= 31;
  }
}
