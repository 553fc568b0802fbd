package carillon.recurrence.timetable;

import carillon.recurrence.cron.DayWords;
import carillon.recurrence.rrule.RecurrenceRule;
import carillon.recurrence.rrule.RecurrenceRule.NumberedDay;
import carillon.recurrence.rrule.RecurrenceSet;
import carillon.recurrence.rrule.RuleTime;
import carillon.recurrence.rrule.RuleTime.Form;
import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Describer of recurrence rules in words: "every month on the last Friday at 09:00 UTC". */
final class RuleWords {
  /** Maximum number of times of day to list one by one. More are described by minutes and hours. */
  private static final int MAX_TIMES = 8;

  private final RecurrenceRule rule;
  private final LocalDateTime anchor;
  private final ZoneId zone;

  private RuleWords(RecurrenceRule rule, LocalDateTime anchor, ZoneId zone) {
    this.rule = rule;
    this.anchor = anchor;
    this.zone = zone;
  }

  /**
   * The pattern of a set, without the bounds of the job.
   *
   * @param anchor from which its rules are counted
   */
  static String of(RecurrenceSet set, LocalDateTime anchor, ZoneId zone) {
    List<String> parts = new ArrayList<>();
    set.rules().forEach(rule -> parts.add(new RuleWords(rule, anchor, zone).words()));
    if (!set.dates().isEmpty()) {
      parts.add("on " + number(set.dates().size(), "listed date"));
    }
    String except =
        set.exceptions().isEmpty()
            ? ""
            : ", except " + number(set.exceptions().size(), "listed date");
    return String.join(", and ", parts) + except;
  }

  private static String number(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private String words() {
    String pattern =
        every()
            + switch (rule.frequency()) {
              case SECONDLY, MINUTELY -> onlyDays() + onlyTimes();
              case HOURLY -> atMinutes() + onlyDays() + onlyHours();
              default -> days() + inMonths() + atTimes();
            };
    return pattern + positions() + bounds();
  }

  private String unit() {
    return switch (rule.frequency()) {
      case SECONDLY -> "second";
      case MINUTELY -> "minute";
      case HOURLY -> "hour";
      case DAILY -> "day";
      case WEEKLY -> "week";
      case MONTHLY -> "month";
      case YEARLY -> "year";
    };
  }

  private String every() {
    return rule.interval() == 1
        ? "every " + unit()
        : "every " + rule.interval() + " " + unit() + "s";
  }

  private String days() {
    if (rule.selectsDays()) {
      return selectedDays();
    }
    return switch (rule.frequency()) {
      case WEEKLY -> " on " + ScheduleText.name(anchor.getDayOfWeek());
      case MONTHLY -> " on the " + DayWords.ordinal(anchor.getDayOfMonth());
      case YEARLY ->
          rule.months().isEmpty()
              ? " on " + anchor.getDayOfMonth() + " " + ScheduleText.name(anchor.getMonth())
              : " on the " + DayWords.ordinal(anchor.getDayOfMonth());
      default -> "";
    };
  }

  /** Describes the selected days. Several parts together select only the days common to all. */
  private String selectedDays() {
    List<String> parts = new ArrayList<>();
    if (!rule.weekDays().isEmpty()) {
      parts.add(" on " + weekDays());
    } else if (!rule.weekNumbers().isEmpty()) {
      parts.add(" on " + ScheduleText.name(anchor.getDayOfWeek()));
    }
    if (!rule.monthDays().isEmpty()) {
      parts.add(" on " + ScheduleText.listed(numbered(rule.monthDays(), "day")));
    }
    if (!rule.yearDays().isEmpty()) {
      parts.add(" on " + ScheduleText.listed(numbered(rule.yearDays(), "day")) + " of the year");
    }
    if (!rule.weekNumbers().isEmpty()) {
      parts.add(
          " in " + ScheduleText.listed(numbered(rule.weekNumbers(), "week")) + " of the year");
    }
    return String.join(" that is", parts).replace(" that is in", " in");
  }

  /** Describes weekdays. Monday to Friday is recognized, because most calendars list those days. */
  private String weekDays() {
    Set<NumberedDay> workdays =
        EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY).stream()
            .map(day -> new NumberedDay(NumberedDay.EVERY, day))
            .collect(Collectors.toSet());
    return workdays.equals(Set.copyOf(rule.weekDays()))
        ? "Monday to Friday"
        : ScheduleText.listed(rule.weekDays().stream().map(this::day).toList());
  }

  private String day(NumberedDay day) {
    String name = ScheduleText.name(day.day());
    if (!day.isNumbered()) {
      return name;
    }
    return day.number() > 0
        ? "the " + DayWords.ordinal(day.number()) + " " + name
        : "the " + fromEnd(-day.number()) + name;
  }

  /** "the 1st", "the last day", "the 2nd to last day". */
  private static List<String> numbered(List<Integer> numbers, String unit) {
    Stream<String> fromStart =
        numbers.stream()
            .filter(number -> number > 0)
            .map(
                number ->
                    unit.equals("day") ? "the " + DayWords.ordinal(number) : unit + " " + number);
    Stream<String> fromEnd =
        numbers.stream()
            .filter(number -> number < 0)
            .map(number -> "the " + fromEnd(-number) + unit);
    return Stream.concat(fromStart, fromEnd).toList();
  }

  private static String fromEnd(int place) {
    return place == 1 ? "last " : DayWords.ordinal(place) + " to last ";
  }

  private String inMonths() {
    return rule.months().isEmpty()
        ? ""
        : " in "
            + ScheduleText.listed(
                rule.months().stream().map(month -> ScheduleText.name(Month.of(month))).toList());
  }

  private String onlyDays() {
    String days = (rule.selectsDays() ? selectedDays() : "") + inMonths();
    return days.isEmpty() ? "" : ", only" + days;
  }

  private String atMinutes() {
    List<Integer> minutes = or(rule.minutes(), anchor.getMinute());
    List<Integer> seconds = or(rule.seconds(), anchor.getSecond());
    String exact =
        seconds.equals(List.of(0)) ? "" : " and " + ScheduleText.numbered("second", seconds);
    return " at " + ScheduleText.numbered("minute", minutes) + exact;
  }

  private String onlyTimes() {
    String minutes =
        rule.minutes().isEmpty()
            ? ""
            : ", only at " + ScheduleText.numbered("minute", rule.minutes());
    String seconds =
        rule.seconds().isEmpty() ? "" : " at " + ScheduleText.numbered("second", rule.seconds());
    return seconds + minutes + onlyHours();
  }

  private String onlyHours() {
    return rule.hours().isEmpty()
        ? ""
        : ", only in " + ScheduleText.numbered("hour", rule.hours()) + inZone();
  }

  private String atTimes() {
    List<Integer> hours = or(rule.hours(), anchor.getHour());
    List<Integer> minutes = or(rule.minutes(), anchor.getMinute());
    List<Integer> seconds = or(rule.seconds(), anchor.getSecond());
    if (hours.size() * minutes.size() > MAX_TIMES || seconds.size() > 1) {
      return atMinutes() + " of " + ScheduleText.numbered("hour", hours) + inZone();
    }
    List<String> times = new ArrayList<>();
    for (int hour : hours) {
      for (int minute : minutes) {
        times.add(LocalTime.of(hour, minute, seconds.get(0)).toString());
      }
    }
    return " at " + ScheduleText.listed(times) + inZone();
  }

  private static List<Integer> or(List<Integer> part, int otherwise) {
    return part.isEmpty() ? List.of(otherwise) : part;
  }

  private String positions() {
    if (rule.positions().isEmpty()) {
      return "";
    }
    Stream<String> fromStart =
        rule.positions().stream()
            .filter(position -> position > 0)
            .map(position -> "the " + DayWords.ordinal(position));
    Stream<String> fromEnd =
        rule.positions().stream()
            .filter(position -> position < 0)
            .map(position -> "the " + fromEnd(-position).strip());
    return ", of these "
        + ScheduleText.listed(Stream.concat(fromStart, fromEnd).toList())
        + " of each "
        + unit();
  }

  private String bounds() {
    if (rule.count().isPresent()) {
      return ", " + number(rule.count().getAsInt(), "time") + " in all";
    }
    return rule.until().map(until -> ", until " + moment(until)).orElse("");
  }

  private String moment(RuleTime time) {
    return time.form() == Form.DATE
        ? time.time().toLocalDate().toString()
        : ScheduleText.moment(time.time(), time.form() == Form.UTC ? ZoneOffset.UTC : zone);
  }

  private String inZone() {
    return " " + ScheduleText.label(zone);
  }
}
