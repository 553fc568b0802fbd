package carillon.recurrence.timetable;

import carillon.recurrence.CronRecurrence;
import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Recurrence;
import carillon.recurrence.RruleRecurrence;
import carillon.recurrence.Schedule;
import carillon.recurrence.Schedule.MonthlyOccurrence;
import carillon.recurrence.WallClock;
import carillon.recurrence.cron.DayWords;
import carillon.recurrence.grid.GridBuilder;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Description of a schedule in plain words: "every 2 weeks on Monday and Friday at 05:00 and 17:00
 * UTC". It gives the times of the matches, in the sense of {@link GridBuilder}: fields that the
 * recurrence does not give come from the anchor.
 */
public final class ScheduleText {
  private static final DateTimeFormatter DATE_AND_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);
  private static final DateTimeFormatter WITH_SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);
  private static final List<String> PLACES = List.of("first", "second", "third", "fourth", "fifth");

  /** Maximum number of times of day to list one by one. More are described by minutes and hours. */
  private static final int MAX_TIMES = 8;

  /** Minimum length of a run of successive numbers to describe by its ends. */
  private static final int MIN_RUN_LENGTH = 3;

  /** Pattern of texts that are the same in all zones. */
  private static final Pattern INTERVAL =
      Pattern.compile("every (\\d+ )?[a-z]+(, counted from each start)?");

  private final PeriodicRecurrence recurrence;
  private final Schedule schedule;
  private final LocalDateTime anchor;
  private final boolean hasStart;
  private final ZoneId zone;

  private ScheduleText(
      PeriodicRecurrence recurrence,
      Instant startTime,
      Instant submitted,
      Optional<WallClock> clock) {
    this.recurrence = recurrence;
    this.schedule = recurrence.schedule();
    this.hasStart = !startTime.equals(Timetable.NO_START);
    this.zone = zone(clock);
    this.anchor = anchor(startTime, submitted, clock);
  }

  private static ZoneId zone(Optional<WallClock> clock) {
    return clock.map(WallClock::zone).orElse(ZoneOffset.UTC);
  }

  private String inZone() {
    return " " + label(zone);
  }

  static String label(ZoneId zone) {
    return zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId();
  }

  /**
   * Describes a recurring job in words.
   *
   * @param startTime or {@link Timetable#NO_START}
   * @param submitted when the definition was submitted
   * @param clock by which it runs; empty for UTC
   */
  public static String of(
      Recurrence recurrence, Instant startTime, Instant submitted, Optional<WallClock> clock) {
    ZoneId zone = zone(clock);
    String pattern = pattern(recurrence, startTime, submitted, clock);
    return pattern + byTheClock(pattern, zone) + bounds(recurrence, zone);
  }

  /** Names the zone of days and of minutes alone. Times of day already include it. */
  private static String byTheClock(String pattern, ZoneId zone) {
    boolean isTold =
        zone.equals(ZoneOffset.UTC)
            || INTERVAL.matcher(pattern).matches()
            || pattern.contains(label(zone));
    return isTold ? "" : ", by the clock of " + label(zone);
  }

  private static String pattern(
      Recurrence recurrence, Instant startTime, Instant submitted, Optional<WallClock> clock) {
    if (recurrence instanceof PeriodicRecurrence periodic) {
      return new ScheduleText(periodic, startTime, submitted, clock).pattern();
    }
    return recurrence instanceof CronRecurrence cron
        ? CronWords.of(cron.rule(), zone(clock))
        : RuleWords.of(
            ((RruleRecurrence) recurrence).set(), anchor(startTime, submitted, clock), zone(clock));
  }

  private static LocalDateTime anchor(
      Instant startTime, Instant submitted, Optional<WallClock> clock) {
    Instant instant =
        startTime.equals(Timetable.NO_START)
            ? submitted.truncatedTo(ChronoUnit.MINUTES)
            : startTime;
    return clock
        .flatMap(WallClock::start)
        .orElseGet(() -> LocalDateTime.ofInstant(instant, zone(clock)));
  }

  /**
   * Describes a job that runs once, in words.
   *
   * @param startTime or {@link Timetable#NO_START}
   * @param clock by which it runs; empty for UTC
   */
  public static String once(Instant startTime, Optional<WallClock> clock) {
    return startTime.equals(Timetable.NO_START)
        ? "once, when submitted"
        : "once, on " + moment(startTime, zone(clock));
  }

  private String pattern() {
    if (schedule.isEmpty() && !hasStart) {
      return every() + ", counted from each start";
    }
    return switch (recurrence.frequency()) {
      case SECOND -> every();
      case MINUTE -> every() + onlyMinutes() + onlyHours();
      case HOUR -> every() + " at " + minutesOfHour() + onlyHours();
      case DAY -> every() + inMonths() + atTimes();
      case WEEK -> every() + onWeekDays() + inMonths() + atTimes();
      case MONTH -> every() + onDays() + inMonths() + atTimes();
      case YEAR -> every() + onStartDate() + atTimes();
    };
  }

  private String every() {
    String unit = recurrence.frequency().word();
    int interval = recurrence.interval();
    return interval == 1 ? "every " + unit : "every " + interval + " " + unit + "s";
  }

  private String onlyMinutes() {
    return schedule.minutes().isEmpty()
        ? ""
        : ", only at " + numbered("minute", schedule.minutes());
  }

  private String onlyHours() {
    return schedule.hours().isEmpty()
        ? ""
        : ", only in " + numbered("hour", schedule.hours()) + inZone();
  }

  private String minutesOfHour() {
    List<Integer> minutes =
        schedule.minutes().isEmpty() ? List.of(anchor.getMinute()) : schedule.minutes();
    String seconds = anchor.getSecond() == 0 ? "" : " and " + anchor.getSecond() + " seconds";
    return numbered("minute", minutes) + seconds;
  }

  private String onWeekDays() {
    List<DayOfWeek> days =
        schedule.weekDays().isEmpty() ? List.of(anchor.getDayOfWeek()) : schedule.weekDays();
    return " on " + listed(days.stream().sorted().distinct().map(ScheduleText::name).toList());
  }

  private String onDays() {
    if (schedule.monthDays().isEmpty() && schedule.monthlyOccurrences().isEmpty()) {
      int day = anchor.getDayOfMonth();
      return " on the " + DayWords.ordinal(day) + (day > 28 ? " (or the last day)" : "");
    }
    Stream<String> days =
        schedule.monthDays().stream()
            .sorted(ScheduleText::lastLast)
            .distinct()
            .map(ScheduleText::monthDay);
    Stream<String> weekDays =
        schedule.monthlyOccurrences().stream().distinct().map(ScheduleText::monthlyOccurrence);
    return " on " + listed(Stream.concat(days, weekDays).toList());
  }

  /** Orders days counted from the end after days counted from the beginning. */
  private static int lastLast(int a, int b) {
    return Integer.compare(a > 0 ? a : a + 100, b > 0 ? b : b + 100);
  }

  private static String monthDay(int day) {
    if (day > 0) {
      return "the " + DayWords.ordinal(day);
    }
    return day == -1 ? "the last day" : "the " + fromEnd(-day) + " to last day";
  }

  private static String monthlyOccurrence(MonthlyOccurrence wanted) {
    String day = name(wanted.day());
    int occurrence = wanted.occurrence();
    if (occurrence == MonthlyOccurrence.EVERY) {
      return "every " + day;
    }
    if (occurrence > 0) {
      return "the " + PLACES.get(occurrence - 1) + " " + day;
    }
    return occurrence == -1
        ? "the last " + day
        : "the " + PLACES.get(-occurrence - 1) + " to last " + day;
  }

  private static String fromEnd(int place) {
    return place <= PLACES.size() ? PLACES.get(place - 1) : DayWords.ordinal(place);
  }

  private String onStartDate() {
    int day = anchor.getDayOfMonth();
    boolean isLeapDay = anchor.getMonth() == Month.FEBRUARY && day == 29;
    return " on " + day + " " + name(anchor.getMonth()) + (isLeapDay ? " (or the 28th)" : "");
  }

  private String inMonths() {
    return schedule.months().isEmpty()
        ? ""
        : " in "
            + listed(
                schedule.months().stream()
                    .sorted()
                    .distinct()
                    .map(month -> name(Month.of(month)))
                    .toList());
  }

  private String atTimes() {
    if (schedule.hours().isEmpty() && !schedule.minutes().isEmpty()) {
      return " at " + minutesOfHour() + " of every hour";
    }
    List<Integer> hours = sorted(schedule.hours(), anchor.getHour());
    List<Integer> minutes = sorted(schedule.minutes(), anchor.getMinute());
    return hours.size() * minutes.size() > MAX_TIMES
        ? " at " + minutesOfHour() + " of " + numbered("hour", hours) + inZone()
        : " at " + listed(times(hours, minutes)) + inZone();
  }

  private List<String> times(List<Integer> hours, List<Integer> minutes) {
    List<String> times = new ArrayList<>();
    for (int hour : hours) {
      for (int minute : minutes) {
        times.add(LocalTime.of(hour, minute, anchor.getSecond()).toString());
      }
    }
    return times;
  }

  private static List<Integer> sorted(List<Integer> field, int absent) {
    return field.isEmpty() ? List.of(absent) : field.stream().sorted().distinct().toList();
  }

  private static String bounds(Recurrence recurrence, ZoneId zone) {
    int count = recurrence.count();
    String times = count == 1 ? ", once" : ", " + count + " times";
    boolean ends = !recurrence.endTime().equals(Recurrence.NO_END);
    return (count == Recurrence.NO_COUNT ? "" : times)
        + (ends ? ", until " + moment(recurrence.endTime(), zone) : "");
  }

  private static String moment(Instant instant, ZoneId zone) {
    return moment(LocalDateTime.ofInstant(instant, zone), zone);
  }

  static String moment(LocalDateTime time, ZoneId zone) {
    return (time.getSecond() == 0 ? DATE_AND_TIME : WITH_SECONDS).format(time) + " " + label(zone);
  }

  static String name(DayOfWeek day) {
    return day.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  static String name(Month month) {
    return month.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  /** "minute 5", "minutes 0 and 30", "hours 9 to 17". */
  static String numbered(String what, Collection<Integer> numbers) {
    List<Integer> sorted = numbers.stream().sorted().distinct().toList();
    return what + (sorted.size() == 1 ? " " : "s ") + listed(runs(sorted));
  }

  static List<String> runs(List<Integer> sorted) {
    List<String> parts = new ArrayList<>();
    int from = 0;
    while (from < sorted.size()) {
      int to = from;
      while (to + 1 < sorted.size() && sorted.get(to + 1) == sorted.get(to) + 1) {
        to++;
      }
      if (to - from + 1 >= MIN_RUN_LENGTH) {
        parts.add(sorted.get(from) + " to " + sorted.get(to));
      } else {
        sorted.subList(from, to + 1).forEach(number -> parts.add(number.toString()));
      }
      from = to + 1;
    }
    return parts;
  }

  /** "a", "a and b", "a, b and c". */
  static String listed(List<String> parts) {
    int last = parts.size() - 1;
    return last == 0
        ? parts.get(0)
        : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
  }
}
