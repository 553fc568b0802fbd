package carillon.recurrence.cron;

import static carillon.recurrence.cron.CronField.DAY_OF_MONTH;
import static carillon.recurrence.cron.CronField.DAY_OF_WEEK;
import static carillon.recurrence.cron.CronField.HOUR;
import static carillon.recurrence.cron.CronField.MINUTE;
import static carillon.recurrence.cron.CronField.MONTH;
import static carillon.recurrence.cron.CronField.SECOND;
import static carillon.recurrence.cron.CronField.YEAR;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writer of cron expressions: produces the text that matches the same local times in a dialect. */
public final class CronWriter {
  private static final int SECONDS_OF_MINUTE = 60;
  private static final int MINUTES_OF_HOUR = 60;
  private static final int SECONDS_OF_HOUR = 3600;
  private static final int DAYS_OF_WEEK = 7;
  private static final int WEEKS_OF_MONTH = 5;

  /** Minimum length of a run, or of a row of equal steps, to write by its ends. */
  private static final int MIN_RUN_LENGTH = 3;

  private static final Map<MonthPart, List<Integer>> OF_MONTH = ofMonth();
  private static final Map<WeekPart, List<Integer>> OF_WEEK = ofWeek();

  private final CronExpression expression;
  private final CronDialect dialect;

  private CronWriter(CronExpression expression, CronDialect dialect) {
    this.expression = expression;
    this.dialect = dialect;
  }

  /** Whether minutes or hours begin with a star, which matters when clocks change. */
  public enum Star {
    REQUIRED,
    EXCLUDED,
    /** Either is allowed. */
    ANY
  }

  /** Days that a field of days of the month can name; a number, or another text. */
  private record MonthPart(int number, String text) {}

  /** Weekdays that a field of days of the week can name, 0 is Sunday: n-th, last or each. */
  private record WeekPart(int day, int nth) {
    private static final int LAST = -1;
    private static final int EACH = 0;
  }

  /** The two fields of days. */
  private record Days(String ofMonth, String ofWeek) {}

  private static Map<MonthPart, List<Integer>> ofMonth() {
    Map<MonthPart, List<Integer>> parts = new LinkedHashMap<>();
    for (int day = 1; day <= DAY_OF_MONTH.max(); day++) {
      parts.put(new MonthPart(day, ""), CronExpression.masks(DayRule.of(day)));
    }
    for (int days = 0; days < DAY_OF_MONTH.max(); days++) {
      String text = days == 0 ? "L" : "L-" + days;
      parts.put(new MonthPart(0, text), CronExpression.masks(DayRule.beforeLast(days)));
    }
    parts.put(new MonthPart(0, "LW"), CronExpression.masks(DayRule.lastWorkday()));
    for (int day = 1; day <= DAY_OF_MONTH.max(); day++) {
      parts.put(new MonthPart(0, day + "W"), CronExpression.masks(DayRule.workdayNextTo(day)));
    }
    return parts;
  }

  private static Map<WeekPart, List<Integer>> ofWeek() {
    Map<WeekPart, List<Integer>> parts = new LinkedHashMap<>();
    for (int day = 0; day < DAYS_OF_WEEK; day++) {
      parts.put(new WeekPart(day, WeekPart.EACH), CronExpression.masks(DayRule.every(day)));
    }
    for (int day = 0; day < DAYS_OF_WEEK; day++) {
      for (int nth = 1; nth <= WEEKS_OF_MONTH; nth++) {
        parts.put(new WeekPart(day, nth), CronExpression.masks(DayRule.nth(day, nth)));
      }
      parts.put(new WeekPart(day, WeekPart.LAST), CronExpression.masks(DayRule.last(day)));
    }
    return parts;
  }

  /**
   * The text of an expression.
   *
   * @throws InexpressibleException if the dialect has no text for it
   */
  public static String write(CronExpression expression, CronDialect dialect, Star star) {
    return new CronWriter(expression, dialect).text(star);
  }

  /** The text of an interval of elapsed time; empty if the dialect has none for it. */
  public static Optional<String> write(Duration interval, CronDialect dialect) {
    long seconds = interval.toSeconds();
    return switch (dialect) {
      case UNIX -> Optional.of("@every " + units(seconds));
      case QUARTZ -> Optional.empty();
      case AWS ->
          seconds % SECONDS_OF_MINUTE == 0
              ? Optional.of("rate(" + rate(seconds / SECONDS_OF_MINUTE) + ")")
              : Optional.empty();
    };
  }

  private static String units(long seconds) {
    long hours = seconds / SECONDS_OF_HOUR;
    long minutes = seconds % SECONDS_OF_HOUR / SECONDS_OF_MINUTE;
    long rest = seconds % SECONDS_OF_MINUTE;
    return (hours > 0 ? hours + "h" : "")
        + (minutes > 0 ? minutes + "m" : "")
        + (rest > 0 ? rest + "s" : "");
  }

  private static String rate(long minutes) {
    boolean isWhole = minutes % MINUTES_OF_HOUR == 0;
    long number = isWhole ? minutes / MINUTES_OF_HOUR : minutes;
    return number + (isWhole ? " hour" : " minute") + (number == 1 ? "" : "s");
  }

  private String text(Star star) {
    boolean hasSeconds = !expression.seconds().equals(List.of(0));
    boolean hasYears = !expression.years().isEmpty();
    if (hasSeconds && dialect == CronDialect.AWS) {
      throw new InexpressibleException("aws has no field of seconds");
    }
    if (hasYears && dialect == CronDialect.UNIX) {
      throw new InexpressibleException("unix has no field of years");
    }
    List<String> fields = new ArrayList<>();
    if (hasSeconds || dialect == CronDialect.QUARTZ) {
      fields.add(numbers(expression.seconds(), SECOND, Star.ANY));
    }
    Days days = days();
    fields.addAll(minutesAndHours(star));
    fields.add(days.ofMonth);
    fields.add(numbers(expression.months(), MONTH, Star.ANY));
    fields.add(days.ofWeek);
    if (hasYears || dialect == CronDialect.AWS) {
      fields.add(hasYears ? numbers(expression.years(), YEAR, Star.EXCLUDED) : "*");
    }
    String text = String.join(" ", fields);
    return dialect == CronDialect.AWS ? "cron(" + text + ")" : text;
  }

  private List<String> minutesAndHours(Star star) {
    List<Integer> minutes = expression.minutes();
    List<Integer> hours = expression.hours();
    boolean isAllDay = hours.size() == HOUR.size();
    if (isAllDay ? star == Star.EXCLUDED : star == Star.REQUIRED && !canBegin(minutes, hours)) {
      throw new InexpressibleException(
          "when clocks are changed dst auto would mean something else: set dst.gap and dst.fold");
    }
    if (star != Star.REQUIRED || isAllDay) {
      Star both = isAllDay ? Star.ANY : star;
      return List.of(numbers(minutes, MINUTE, both), numbers(hours, HOUR, both));
    }
    boolean inMinutes = isSteps(minutes, MINUTE) || (!isSteps(hours, HOUR) && starts(minutes));
    return List.of(
        numbers(minutes, MINUTE, inMinutes ? star : Star.ANY),
        numbers(hours, HOUR, inMinutes ? Star.ANY : star));
  }

  private static boolean canBegin(List<Integer> minutes, List<Integer> hours) {
    return starts(minutes) || starts(hours);
  }

  /** Whether the text can begin with a star and some step. */
  private static boolean starts(List<Integer> values) {
    return values.get(0) == 0 && values.size() > 1;
  }

  /** Whether a star, with or without a step, covers all values. */
  private static boolean isSteps(List<Integer> values, CronField field) {
    int step = stepOf(values);
    return step > 0 && values.get(0) == field.min() && last(values) + step > field.max();
  }

  /** The distance between successive values; 0 if it varies, or there are fewer than two values. */
  private static int stepOf(List<Integer> values) {
    int step = values.size() < 2 ? 0 : values.get(1) - values.get(0);
    for (int i = 2; i < values.size(); i++) {
      if (values.get(i) - values.get(i - 1) != step) {
        return 0;
      }
    }
    return step;
  }

  private static int last(List<Integer> values) {
    return values.get(values.size() - 1);
  }

  static String numbers(List<Integer> values, CronField field, Star star) {
    int step = stepOf(values);
    boolean isLong = values.size() >= MIN_RUN_LENGTH;
    if (isSteps(values, field) && (isLong || star == Star.REQUIRED)) {
      String all = star == Star.EXCLUDED ? field.min() + "-" + field.max() : "*";
      return step == 1 ? all : all + "/" + step;
    }
    if (star == Star.REQUIRED) {
      return starred(values, field);
    }
    return isLong && step > 1
        ? values.get(0) + "-" + last(values) + "/" + step
        : String.join(",", runs(values));
  }

  /**
   * Writes a star for as many values as possible, and then the others. The values include the
   * smallest possible one.
   */
  private static String starred(List<Integer> values, CronField field) {
    int step = 1;
    while (!values.containsAll(multiples(step, field))) {
      step++;
    }
    List<Integer> others = new ArrayList<>(values);
    others.removeAll(multiples(step, field));
    return "*/" + step + "," + String.join(",", runs(others));
  }

  private static List<Integer> multiples(int step, CronField field) {
    List<Integer> multiples = new ArrayList<>();
    for (int value = field.min(); value <= field.max(); value += step) {
      multiples.add(value);
    }
    return multiples;
  }

  private static List<String> runs(List<Integer> values) {
    List<String> runs = new ArrayList<>();
    int from = 0;
    while (from < values.size()) {
      int to = from;
      while (to + 1 < values.size() && values.get(to + 1) == values.get(to) + 1) {
        to++;
      }
      if (to - from + 1 >= MIN_RUN_LENGTH) {
        runs.add(values.get(from) + "-" + values.get(to));
      } else {
        values.subList(from, to + 1).forEach(value -> runs.add(value.toString()));
      }
      from = to + 1;
    }
    return runs;
  }

  private Days days() {
    String open = dialect == CronDialect.UNIX ? "*" : "?";
    if (expression.isEveryDay()) {
      return new Days("*", open);
    }
    Optional<List<MonthPart>> ofMonth = cover(OF_MONTH);
    Optional<List<WeekPart>> ofWeek = cover(OF_WEEK);
    boolean isWeekShorter =
        ofWeek.isPresent()
            && ofMonth.filter(parts -> parts.size() <= ofWeek.get().size()).isEmpty();
    Optional<Days> days =
        isWeekShorter
            ? ofWeek.map(parts -> new Days(open, ofWeek(parts)))
            : ofMonth.map(parts -> new Days(ofMonth(parts, Star.ANY), open));
    if (days.isEmpty() && dialect == CronDialect.UNIX) {
      days = ofEither();
    }
    return days.orElseThrow(
        () ->
            new InexpressibleException(
                "no field of days "
                    + (dialect == CronDialect.UNIX ? "and no two together" : "alone")
                    + " can name these days in "
                    + dialect.word()));
  }

  private <T> Optional<List<T>> cover(Map<T, List<Integer>> parts) {
    return DayCover.of(expression.dayMasks(), expression.months(), parts);
  }

  /** Writes both fields so that one match is enough, because neither begins with a star. */
  private Optional<Days> ofEither() {
    Map<Object, List<Integer>> both = new LinkedHashMap<>(OF_WEEK);
    both.putAll(OF_MONTH);
    return cover(both)
        .map(
            parts ->
                new Days(
                    ofMonth(only(MonthPart.class, parts), Star.EXCLUDED),
                    ofWeek(only(WeekPart.class, parts))));
  }

  private static <T> List<T> only(Class<T> type, List<Object> parts) {
    return parts.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static String ofMonth(List<MonthPart> parts, Star star) {
    List<Integer> days = parts.stream().map(MonthPart::number).filter(day -> day > 0).toList();
    List<String> items = new ArrayList<>();
    if (!days.isEmpty()) {
      items.add(numbers(days, DAY_OF_MONTH, star));
    }
    parts.stream().map(MonthPart::text).filter(text -> !text.isEmpty()).forEach(items::add);
    return String.join(",", items);
  }

  private String ofWeek(List<WeekPart> parts) {
    List<Integer> each =
        parts.stream().filter(part -> part.nth == WeekPart.EACH).map(WeekPart::day).toList();
    List<String> items = new ArrayList<>();
    for (String run : runs(each)) {
      items.add(named(run));
    }
    for (WeekPart part : parts) {
      int day = part.day + dialect.sunday();
      if (part.nth == WeekPart.LAST) {
        items.add(day + "L");
      } else if (part.nth != WeekPart.EACH) {
        items.add(day + "#" + part.nth);
      }
    }
    return String.join(",", items);
  }

  /** Replaces the numbers of a run by names, since numbers differ between dialects. */
  private static String named(String run) {
    return List.of(run.split("-")).stream()
        .map(day -> DAY_OF_WEEK.name(Integer.parseInt(day)))
        .reduce((first, end) -> first + "-" + end)
        .orElseThrow();
  }
}
