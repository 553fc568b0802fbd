package carillon.recurrence.timetable;

import carillon.recurrence.cron.CronExpression;
import carillon.recurrence.cron.CronRule;
import carillon.recurrence.grid.Grid;
import java.time.Duration;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Describer of cron expressions in words: "on Monday to Friday at 09:00 Europe/Berlin". */
final class CronWords {
  /** Maximum number of times of day to list one by one. More are described by minutes and hours. */
  private static final int MAX_TIMES = 8;

  /** Maximum number of years to list. More are only counted. */
  private static final int MAX_YEARS = 8;

  private static final int LAST_YEAR = Grid.LAST_DAY.getYear();
  private static final int HOURS = 24;
  private static final int MINUTES = 60;

  private final CronExpression expression;
  private final ZoneId zone;

  private CronWords(CronExpression expression, ZoneId zone) {
    this.expression = expression;
    this.zone = zone;
  }

  /** The pattern of a recurrence, without its bounds. */
  static String of(CronRule rule, ZoneId zone) {
    if (rule instanceof CronRule.Every every) {
      return interval(every.interval());
    }
    return rule instanceof CronRule.Once once
        ? "once, on " + ScheduleText.moment(once.time(), zone)
        : new CronWords(((CronRule.Matching) rule).expression(), zone).pattern();
  }

  /** Describes an interval in the largest unit that divides it. */
  private static String interval(Duration interval) {
    long seconds = interval.toSeconds();
    if (seconds % 86_400 == 0) {
      return every(seconds / 86_400, "day");
    }
    if (seconds % 3600 == 0) {
      return every(seconds / 3600, "hour");
    }
    return seconds % 60 == 0 ? every(seconds / 60, "minute") : every(seconds, "second");
  }

  private static String every(long number, String unit) {
    return number == 1 ? "every " + unit : "every " + number + " " + unit + "s";
  }

  private String pattern() {
    Optional<String> step = step();
    if (step.isPresent()) {
      return step.get() + ofHours() + days() + inMonths() + inYears();
    }
    if (expression.hours().size() == HOURS) {
      return "every hour" + atMinutes() + days() + inMonths() + inYears();
    }
    boolean isEveryDay = days().isEmpty();
    String days = isEveryDay ? "every day" : days().strip();
    return days + inMonths() + inYears() + atTimes();
  }

  /** Describes times that continue through the hours in equal steps. */
  private Optional<String> step() {
    if (expression.seconds().size() > 1) {
      return expression.minutes().size() == MINUTES
          ? stepOf(expression.seconds(), "second")
          : Optional.empty();
    }
    return expression.seconds().get(0) == 0
        ? stepOf(expression.minutes(), "minute")
        : Optional.empty();
  }

  private static Optional<String> stepOf(List<Integer> numbers, String unit) {
    int step = MINUTES / numbers.size();
    boolean isEven =
        numbers.size() > 1
            && MINUTES % numbers.size() == 0
            && numbers.equals(
                IntStream.range(0, numbers.size()).map(i -> i * step).boxed().toList());
    return isEven ? Optional.of(every(step, unit)) : Optional.empty();
  }

  private String ofHours() {
    return expression.hours().size() == HOURS
        ? ""
        : " of " + ScheduleText.numbered("hour", expression.hours()) + inZone();
  }

  private String atTimes() {
    int times = expression.hours().size() * expression.minutes().size();
    if (times <= MAX_TIMES && expression.seconds().size() == 1) {
      return " at " + ScheduleText.listed(times()) + inZone();
    }
    return minutes() + " of " + ScheduleText.numbered("hour", expression.hours()) + inZone();
  }

  /** Describes the minutes; empty at the full hour. */
  private String atMinutes() {
    boolean isFullHour =
        expression.seconds().equals(List.of(0)) && expression.minutes().equals(List.of(0));
    return isFullHour ? "" : minutes();
  }

  private String minutes() {
    boolean hasSeconds = !expression.seconds().equals(List.of(0));
    String seconds =
        hasSeconds ? ScheduleText.numbered("second", expression.seconds()) + " of " : "";
    return " at " + seconds + ScheduleText.numbered("minute", expression.minutes());
  }

  private List<String> times() {
    List<String> times = new ArrayList<>();
    for (int hour : expression.hours()) {
      for (int minute : expression.minutes()) {
        times.add(LocalTime.of(hour, minute, expression.seconds().get(0)).toString());
      }
    }
    return times;
  }

  private String days() {
    if (expression.isEveryDay()) {
      return "";
    }
    return expression
        .daysInWords()
        .map(days -> " on " + ScheduleText.listed(days))
        .orElse(" on the days that match");
  }

  private String inMonths() {
    return expression.months().size() == 12
        ? ""
        : " in "
            + ScheduleText.listed(
                expression.months().stream()
                    .map(month -> ScheduleText.name(Month.of(month)))
                    .toList());
  }

  private String inYears() {
    List<Integer> years = expression.years();
    if (years.isEmpty()) {
      return "";
    }
    if (years.size() <= MAX_YEARS) {
      return " in " + ScheduleText.listed(ScheduleText.runs(years));
    }
    int first = years.get(0);
    int last = years.get(years.size() - 1);
    int step = years.get(1) - first;
    boolean isEven =
        years.equals(Stream.iterate(first, year -> year <= last, y -> y + step).toList());
    String end = last + step > LAST_YEAR ? " on" : " to " + last;
    return isEven
        ? (step == 1 ? " " : " " + every(step, "year") + " ") + "from " + first + end
        : " in " + some(years, last);
  }

  private static String some(List<Integer> years, int last) {
    List<String> parts = new ArrayList<>(ScheduleText.runs(years.subList(0, MAX_YEARS)));
    parts.add((years.size() - MAX_YEARS) + " more years up to " + last);
    return ScheduleText.listed(parts);
  }

  private String inZone() {
    return " " + ScheduleText.label(zone);
  }
}
