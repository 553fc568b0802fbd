package carillon.recurrence.cron;

import carillon.recurrence.cron.CronExpression.FieldValues;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reader of one field of a cron expression. Refusals name the field, the value and the rule. */
final class FieldReader {
  private static final Pattern HASHED = Pattern.compile("H(?:\\((\\w+)-(\\w+)\\))?");
  private static final Pattern RANGE = Pattern.compile("(\\w+)-(\\w+)");
  private static final Pattern BEFORE_LAST = Pattern.compile("L(?:-(\\d{1,2}))?");
  private static final Pattern NEAR = Pattern.compile("(\\d{1,2})W");
  private static final Pattern NTH = Pattern.compile("(\\w+)#(\\w+)");
  private static final Pattern LAST = Pattern.compile("(\\w+)L");

  /** Last day of the month that {@code H} may select, since every month has it. */
  private static final int LAST_HASHED_DAY = 28;

  private final CronField field;
  private final CronDialect dialect;
  private final HashedValue hashed;
  private final BitSet numbers = new BitSet();
  private final List<DayRule> rules = new ArrayList<>();

  private FieldReader(CronField field, CronDialect dialect, HashedValue hashed) {
    this.field = field;
    this.dialect = dialect;
    this.hashed = hashed;
  }

  /**
   * Reads a field.
   *
   * @param text in upper case
   * @throws IllegalArgumentException if it is invalid
   */
  static FieldValues read(CronField field, CronDialect dialect, HashedValue hashed, String text) {
    FieldReader reader = new FieldReader(field, dialect, hashed);
    if (text.equals("?")) {
      return read(field, dialect, hashed, reader.any());
    }
    for (String item : text.split(",", -1)) {
      reader.item(item);
    }
    boolean isStarred = text.startsWith("*");
    return new FieldValues(reader.numbers, reader.rules, isStarred);
  }

  private void item(String item) {
    Optional<DayRule> rule =
        switch (field) {
          case DAY_OF_MONTH -> ruleOfMonth(item);
          case DAY_OF_WEEK -> ruleOfWeek(item);
          default -> Optional.empty();
        };
    if (rule.isPresent()) {
      rules.add(rule.get());
      return;
    }
    int slash = item.indexOf('/');
    if (slash < 0) {
      range(item, false).addTo(numbers, 1);
    } else {
      stepped(item.substring(0, slash), step(item.substring(slash + 1)));
    }
  }

  private void stepped(String range, int step) {
    if (range.startsWith("H")) {
      Range within = hashedRange(range);
      int offset = hashed.of(field, 0, Math.min(step, within.length() + 1));
      within.from(offset).addTo(numbers, step);
    } else {
      range(range, true).addTo(numbers, step);
    }
  }

  /**
   * Range of numbers from low on, which wraps from the greatest to the least. Length is the number
   * of values minus one.
   */
  private record Range(CronField field, int low, int length) {
    Range from(int offset) {
      return new Range(field, low + offset, length - offset);
    }

    void addTo(BitSet numbers, int step) {
      for (int distance = 0; distance <= length; distance += step) {
        numbers.set((low + distance - field.min()) % field.size() + field.min());
      }
    }
  }

  private Range all() {
    return new Range(field, field.min(), field.size() - 1);
  }

  /**
   * A range, or a number.
   *
   * @param isOpen whether a number means a range to the end
   */
  private Range range(String text, boolean isOpen) {
    if (text.equals("*")) {
      return all();
    }
    if (text.startsWith("?")) {
      throw refusal("'?' stands alone, in place of *");
    }
    if (text.startsWith("H")) {
      Range within = hashedRange(text);
      return new Range(field, hashed.of(field, within.low, within.length + 1), 0);
    }
    Matcher range = RANGE.matcher(text);
    if (range.matches()) {
      return range(range.group(1), range.group(2), text);
    }
    int low = number(text);
    return new Range(field, low, isOpen ? field.max() - low : 0);
  }

  /** Replaces a question mark by a star, which means the same. */
  private String any() {
    if (field != CronField.DAY_OF_MONTH && field != CronField.DAY_OF_WEEK) {
      throw refusal("'?' stands only for a day of month or a day of week");
    }
    return "*";
  }

  private Range range(String first, String last, String text) {
    int low = number(first);
    int high = number(last);
    boolean isWholeWeek = field == CronField.DAY_OF_WEEK && first.equals("0") && last.equals("7");
    if (high < low && field == CronField.YEAR) {
      throw refusal(text + " ends before it begins");
    }
    return isWholeWeek ? all() : new Range(field, low, Math.floorMod(high - low, field.size()));
  }

  private Range hashedRange(String text) {
    Matcher matcher = HASHED.matcher(text);
    if (!matcher.matches() || field == CronField.YEAR) {
      throw refusal(text + " is not H, H(low-high) or one of them with a step");
    }
    if (hashed.job().isEmpty()) {
      throw refusal("H is the job's own: say which job");
    }
    if (matcher.group(1) == null) {
      int max = field == CronField.DAY_OF_MONTH ? LAST_HASHED_DAY : field.max();
      return new Range(field, field.min(), max - field.min());
    }
    return range(matcher.group(1), matcher.group(2), text);
  }

  private int step(String text) {
    if (!text.matches("\\d{1,4}") || Integer.parseInt(text) < 1) {
      throw refusal("step " + text + " is not a number from 1 on");
    }
    int step = Integer.parseInt(text);
    if (step > field.size()) {
      throw refusal(
          "step " + step + " is longer than all " + field.size() + " of them: use @every");
    }
    return step;
  }

  private Optional<DayRule> ruleOfMonth(String item) {
    if (item.equals("LW")) {
      return Optional.of(DayRule.lastWorkday());
    }
    Matcher last = BEFORE_LAST.matcher(item);
    if (last.matches()) {
      int days = last.group(1) == null ? 0 : Integer.parseInt(last.group(1));
      if (days > 30) {
        throw refusal(item + " is before the first day of any month: L-1 to L-30");
      }
      return Optional.of(DayRule.beforeLast(days));
    }
    Matcher near = NEAR.matcher(item);
    return near.matches()
        ? Optional.of(DayRule.workdayNextTo(number(near.group(1))))
        : Optional.empty();
  }

  private Optional<DayRule> ruleOfWeek(String item) {
    if (item.equals("L")) {
      if (dialect == CronDialect.UNIX) {
        throw refusal("L alone is Saturday in quartz: write SAT, or 5L for the last Friday");
      }
      return Optional.of(DayRule.every(number("SAT")));
    }
    Matcher nth = NTH.matcher(item);
    if (nth.matches()) {
      if (!nth.group(2).matches("[1-5]")) {
        throw refusal(item + ": " + nth.group(2) + " is not in 1..5");
      }
      return Optional.of(DayRule.nth(number(nth.group(1)), Integer.parseInt(nth.group(2))));
    }
    Matcher last = LAST.matcher(item);
    return last.matches() ? Optional.of(DayRule.last(number(last.group(1)))) : Optional.empty();
  }

  /** Reads a number, or the name of one. Sunday is 0. */
  private int number(String text) {
    OptionalInt named = field.number(text);
    if (named.isPresent()) {
      return named.getAsInt();
    }
    int low = field == CronField.DAY_OF_WEEK ? dialect.sunday() : field.min();
    int high = field == CronField.DAY_OF_WEEK ? 7 : field.max();
    if (!text.matches("\\d+")) {
      throw refusal(text.isEmpty() ? "a value is missing" : text + " has no meaning here");
    }
    BigInteger exact = new BigInteger(text);
    if (exact.compareTo(BigInteger.valueOf(low)) < 0
        || exact.compareTo(BigInteger.valueOf(high)) > 0) {
      throw refusal(exact + " is not in " + low + ".." + high);
    }
    int number = exact.intValue();
    return field == CronField.DAY_OF_WEEK ? (number - dialect.sunday()) % 7 : number;
  }

  private IllegalArgumentException refusal(String rule) {
    return new IllegalArgumentException(field.label() + ": " + rule);
  }
}
