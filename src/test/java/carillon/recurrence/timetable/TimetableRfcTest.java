package carillon.recurrence.timetable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.recurrence.Frequency;
import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Randoms;
import carillon.recurrence.Schedule;
import carillon.recurrence.Schedule.MonthlyOccurrence;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.Collectors;
import org.dmfs.rfc5545.recur.InvalidRecurrenceRuleException;
import org.dmfs.rfc5545.recur.RecurrenceRule;
import org.dmfs.rfc5545.recur.RecurrenceRuleIterator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Comparison of random recurrences with lib-recur, another implementation of RFC 5545, where the
 * rules agree. The rules differ for clamped days, for minutes without hours (RFC 5545 keeps the
 * start's hour) and for month days with occurrences (RFC 5545 intersects them). Only the model
 * checks these cases.
 */
class TimetableRfcTest {
  private static final int OCCURRENCES = 30;

  /** Latest compared time. lib-recur stops its search after a long time without a match. */
  private static final Instant HORIZON = Instant.parse("2300-01-01T00:00:00Z");

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "SECOND, 300",
    "MINUTE, 1000",
    "HOUR, 1000",
    "DAY, 2000",
    "WEEK, 2000",
    "MONTH, 3000",
    "YEAR, 300"
  })
  void theOccurrencesAreThoseOfRfc5545(Frequency frequency, int cases)
      throws InvalidRecurrenceRuleException {
    int compared = 0;
    for (int seed = 0; compared < cases; seed++) {
      Randoms randoms = new Randoms(seed);
      Instant start = Instant.ofEpochSecond(randoms.start().getEpochSecond());
      PeriodicRecurrence recurrence = randoms.recurrence(frequency);
      Timetable timetable = Timetable.of(recurrence, start, start);
      if (!coincides(recurrence, start) || !timetable.everMatches()) {
        continue;
      }
      compared++;
      List<Instant> ours = upToHorizon(timetable, start);

      String rule = rule(recurrence);
      List<Instant> theirs = theirs(rule, start, ours.size());

      assertEquals(theirs, ours, () -> rule + " from " + start);
    }
  }

  private static boolean coincides(PeriodicRecurrence recurrence, Instant start) {
    Schedule schedule = recurrence.schedule();
    boolean monthly = recurrence.frequency() == Frequency.MONTH;
    boolean expandsHours =
        recurrence.frequency().compareTo(Frequency.HOUR) > 0
            && schedule.hours().isEmpty()
            && !schedule.minutes().isEmpty();
    boolean selects = !schedule.monthDays().isEmpty() || !schedule.monthlyOccurrences().isEmpty();
    boolean clamps =
        (recurrence.frequency() == Frequency.YEAR || (monthly && !selects))
            && start.atOffset(ZoneOffset.UTC).getDayOfMonth() > 28;
    boolean unites = !schedule.monthDays().isEmpty() && !schedule.monthlyOccurrences().isEmpty();
    return !expandsHours && !clamps && !unites;
  }

  private static List<Instant> upToHorizon(Timetable timetable, Instant start) {
    return timetable.preview(start, OCCURRENCES).stream()
        .filter(instant -> instant.isBefore(HORIZON))
        .toList();
  }

  private static List<Instant> theirs(String rule, Instant start, int count)
      throws InvalidRecurrenceRuleException {
    RecurrenceRuleIterator iterator =
        new RecurrenceRule(rule).iterator(start.toEpochMilli(), TimeZone.getTimeZone("UTC"));
    List<Instant> found = new ArrayList<>();
    while (found.size() < count) {
      found.add(Instant.ofEpochMilli(iterator.nextMillis()));
    }
    return found;
  }

  private static String rule(PeriodicRecurrence recurrence) {
    Schedule schedule = recurrence.schedule();
    StringBuilder rule = new StringBuilder("FREQ=").append(frequency(recurrence));
    rule.append(";INTERVAL=").append(recurrence.interval()).append(";WKST=SU");
    append(rule, "BYMONTH", schedule.months());
    append(rule, "BYMONTHDAY", schedule.monthDays());
    append(rule, "BYDAY", days(schedule));
    append(rule, "BYHOUR", schedule.hours());
    append(rule, "BYMINUTE", schedule.minutes());
    return rule.toString();
  }

  private static String frequency(PeriodicRecurrence recurrence) {
    Frequency frequency = recurrence.frequency();
    return frequency == Frequency.DAY ? "DAILY" : frequency + "LY";
  }

  private static List<String> days(Schedule schedule) {
    List<String> days = new ArrayList<>();
    schedule.weekDays().forEach(day -> days.add(day.name().substring(0, 2)));
    for (MonthlyOccurrence occurrence : schedule.monthlyOccurrences()) {
      String number = occurrence.occurrence() == 0 ? "" : "" + occurrence.occurrence();
      days.add(number + occurrence.day().name().substring(0, 2));
    }
    return days;
  }

  private static void append(StringBuilder rule, String part, Collection<?> values) {
    if (!values.isEmpty()) {
      rule.append(';').append(part).append('=');
      rule.append(values.stream().distinct().map(String::valueOf).collect(Collectors.joining(",")));
    }
  }
}
