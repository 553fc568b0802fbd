package carillon.recurrence.cron;

import java.time.DayOfWeek;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Days of a month in words, derived from the days themselves. Any expression that selects the first
 * Sunday is therefore described in the same way.
 */
public final class DayWords {
  private static final List<String> PLACES = List.of("first", "second", "third", "fourth", "fifth");
  private static final int DAYS_OF_WEEK = 7;
  private static final int LONGEST_MONTH = 31;

  /** Minimum length of a run of weekdays to describe by its ends. */
  private static final int MIN_RUN_LENGTH = 3;

  /** Parts that have words, simpler ones first. */
  private static final List<Part> PARTS = parts();

  private final List<Integer> wanted;
  private final int[] covered;

  private DayWords(List<Integer> masks) {
    this.wanted = masks;
    this.covered = new int[masks.size()];
  }

  /** Days with separate words. */
  private record Part(String words, List<Integer> masks) {
    static Part of(String words, DayRule rule) {
      return new Part(words, CronExpression.masks(rule));
    }
  }

  private static List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    for (int day = 1; day <= LONGEST_MONTH; day++) {
      parts.add(Part.of("the " + ordinal(day), DayRule.of(day)));
    }
    for (int days = 0; days < LONGEST_MONTH; days++) {
      parts.add(Part.of(beforeLast(days), DayRule.beforeLast(days)));
    }
    for (int day = 0; day < DAYS_OF_WEEK; day++) {
      for (int n = 1; n <= PLACES.size(); n++) {
        parts.add(Part.of("the " + PLACES.get(n - 1) + " " + name(day), DayRule.nth(day, n)));
      }
      parts.add(Part.of("the last " + name(day), DayRule.last(day)));
    }
    parts.add(Part.of("the last workday", DayRule.lastWorkday()));
    for (int day = 1; day <= LONGEST_MONTH; day++) {
      parts.add(Part.of("the workday next to the " + ordinal(day), DayRule.workdayNextTo(day)));
    }
    return List.copyOf(parts);
  }

  private static String beforeLast(int days) {
    return switch (days) {
      case 0 -> "the last day";
      case 1 -> "the day before the last";
      default -> days + " days before the last day";
    };
  }

  /**
   * Describes the days, part by part; empty if they have no words.
   *
   * @param masks of all shapes of months, see {@link CronExpression#dayMasks()}
   */
  static Optional<List<String>> of(List<Integer> masks) {
    DayWords days = new DayWords(masks);
    List<String> words = days.weekDays();
    int[] byWeek = days.covered.clone();
    List<Part> parts = PARTS.stream().filter(part -> days.take(part.masks)).toList();
    if (!days.isCovered(days.covered)) {
      return days.both();
    }
    days.needed(byWeek, parts).forEach(part -> words.add(part.words));
    return words.isEmpty() ? Optional.empty() : Optional.of(words);
  }

  /** Describes days that match both some weekdays and some days of the month. */
  private Optional<List<String>> both() {
    List<DayRule> weekDays = new ArrayList<>();
    List<String> named = new ArrayList<>();
    for (int day = 1; day <= DAYS_OF_WEEK; day++) {
      DayRule rule = DayRule.every(day % DAYS_OF_WEEK);
      if (has(rule)) {
        weekDays.add(rule);
        named.add(name(day % DAYS_OF_WEEK));
      }
    }
    List<DayRule> monthDays = new ArrayList<>();
    List<String> numbered = new ArrayList<>();
    for (int day = 1; day <= LONGEST_MONTH; day++) {
      DayRule rule = DayRule.of(day);
      if (has(rule)) {
        monthDays.add(rule);
        numbered.add("the " + ordinal(day));
      }
    }
    int[] ofWeek = sum(weekDays);
    int[] ofMonth = sum(monthDays);
    for (int i = 0; i < ofWeek.length; i++) {
      ofWeek[i] &= ofMonth[i];
    }
    return isCovered(ofWeek)
        ? Optional.of(List.of("each " + either(named) + " that is " + either(numbered)))
        : Optional.empty();
  }

  /** Whether any day of a rule is wanted. */
  private boolean has(DayRule rule) {
    List<Integer> masks = CronExpression.masks(rule);
    return IntStream.range(0, masks.size()).anyMatch(i -> (masks.get(i) & wanted.get(i)) != 0);
  }

  private int[] sum(List<DayRule> rules) {
    int[] sum = new int[wanted.size()];
    rules.forEach(rule -> add(CronExpression.masks(rule), sum));
    return sum;
  }

  private static String either(List<String> words) {
    int last = words.size() - 1;
    return last <= 0
        ? String.join("", words)
        : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
  }

  /** Removes parts that the others already cover, such as the 31st next to the last day. */
  private List<Part> needed(int[] byWeek, List<Part> parts) {
    List<Part> needed = new ArrayList<>(parts);
    for (Part part : parts) {
      int[] others = byWeek.clone();
      needed.stream()
          .filter(other -> !other.equals(part))
          .forEach(other -> add(other.masks, others));
      if (isCovered(others)) {
        needed.remove(part);
      }
    }
    return needed;
  }

  private static void add(List<Integer> masks, int[] sum) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] |= masks.get(i);
    }
  }

  /** Describes whole weekdays from Monday on, with runs combined. */
  private List<String> weekDays() {
    List<String> words = new ArrayList<>();
    List<Integer> run = new ArrayList<>();
    for (int day = 1; day <= DAYS_OF_WEEK; day++) {
      if (take(CronExpression.masks(DayRule.every(day % DAYS_OF_WEEK)))) {
        run.add(day % DAYS_OF_WEEK);
      } else {
        addRun(run, words);
      }
    }
    addRun(run, words);
    return words;
  }

  private static void addRun(List<Integer> run, List<String> words) {
    if (run.size() >= MIN_RUN_LENGTH) {
      words.add(name(run.get(0)) + " to " + name(run.get(run.size() - 1)));
    } else {
      run.forEach(day -> words.add(name(day)));
    }
    run.clear();
  }

  /** Takes a part if it selects only wanted days and adds to the parts taken so far. */
  private boolean take(List<Integer> masks) {
    boolean adds = false;
    for (int i = 0; i < covered.length; i++) {
      if ((masks.get(i) & ~wanted.get(i)) != 0) {
        return false;
      }
      adds |= (masks.get(i) & ~covered[i]) != 0;
    }
    if (adds) {
      add(masks, covered);
    }
    return adds;
  }

  private boolean isCovered(int[] days) {
    for (int i = 0; i < days.length; i++) {
      if (days[i] != wanted.get(i)) {
        return false;
      }
    }
    return true;
  }

  /** The name of a day of the week; 0 is Sunday. */
  private static String name(int day) {
    return DayOfWeek.of((day + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK + 1)
        .getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  /** Ordinal number of a day or a position: 1st, 2nd, 11th. */
  public static String ordinal(int number) {
    boolean isTeen = number / 10 == 1;
    return number
        + switch (isTeen ? 0 : number % 10) {
          case 1 -> "st";
          case 2 -> "nd";
          case 3 -> "rd";
          default -> "th";
        };
  }
}
