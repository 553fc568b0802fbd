package carillon.recurrence.rrule;

import static carillon.recurrence.rrule.RecurrenceRule.RuleFrequency.DAILY;
import static carillon.recurrence.rrule.RecurrenceRule.RuleFrequency.MONTHLY;
import static carillon.recurrence.rrule.RecurrenceRule.RuleFrequency.WEEKLY;
import static carillon.recurrence.rrule.RecurrenceRule.RuleFrequency.YEARLY;

import carillon.recurrence.rrule.RecurrenceRule.NumberedDay;
import carillon.recurrence.rrule.RecurrenceRule.RuleFrequency;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reader of the parts of a recurrence rule. Refusals name the part, the value and the rule. */
final class RuleReader {
  /** Maximum COUNT, since the search for its end visits every element. */
  private static final int MAX_COUNT = 1000;

  private static final int MAX_INTERVAL = 10_000_000;

  private static final Pattern NUMBER = Pattern.compile("[+-]?\\d{1,9}");
  private static final Pattern DAY = Pattern.compile("([+-]?\\d{1,2})?([A-Z]{2})");
  private static final List<String> DAYS = List.of("MO", "TU", "WE", "TH", "FR", "SA", "SU");
  private static final Set<String> KNOWN =
      Set.of(
          "FREQ",
          "INTERVAL",
          "COUNT",
          "UNTIL",
          "WKST",
          "BYSECOND",
          "BYMINUTE",
          "BYHOUR",
          "BYDAY",
          "BYMONTHDAY",
          "BYYEARDAY",
          "BYWEEKNO",
          "BYMONTH",
          "BYSETPOS");

  /** Periods within which a weekday may have a number. */
  private static final Set<RuleFrequency> NUMBERED = EnumSet.of(MONTHLY, YEARLY);

  private static final Set<RuleFrequency> MONTH_DAYS = EnumSet.complementOf(EnumSet.of(WEEKLY));
  private static final Set<RuleFrequency> YEAR_DAYS =
      EnumSet.complementOf(EnumSet.of(DAILY, WEEKLY, MONTHLY));

  private final Map<String, String> parts = new LinkedHashMap<>();

  private RuleReader(String text) {
    for (String part : text.split(";", -1)) {
      add(part.strip());
    }
  }

  /**
   * Reads a rule.
   *
   * @param text {@code FREQ=MONTHLY;BYDAY=-1FR}
   * @throws IllegalArgumentException if it is invalid
   */
  static RecurrenceRule read(String text) {
    RecurrenceRule rule = new RuleReader(text).rule();
    check(rule);
    return rule;
  }

  /** Refuses combinations of parts that the table of RFC 5545, 3.3.10, does not allow. */
  private static void check(RecurrenceRule rule) {
    RuleFrequency frequency = rule.frequency();
    if (rule.count().isPresent() && rule.until().isPresent()) {
      throw new IllegalArgumentException(
          "COUNT: '" + rule.count().getAsInt() + "' does not go with UNTIL; leave one out");
    }
    if (rule.numbersWeekDays()) {
      check("BYDAY: a weekday with a number", NUMBERED.contains(frequency), frequency);
      if (!rule.weekNumbers().isEmpty()) {
        throw new IllegalArgumentException(
            "BYDAY: a weekday with a number does not go with BYWEEKNO");
      }
    }
    checkPart("BYMONTHDAY", rule.monthDays(), MONTH_DAYS, frequency);
    checkPart("BYYEARDAY", rule.yearDays(), YEAR_DAYS, frequency);
    checkPart("BYWEEKNO", rule.weekNumbers(), EnumSet.of(YEARLY), frequency);
    if (!rule.positions().isEmpty() && selectsNothing(rule)) {
      throw new IllegalArgumentException("BYSETPOS: needs another part that begins with BY");
    }
  }

  private static boolean selectsNothing(RecurrenceRule rule) {
    return !rule.selectsDays()
        && rule.months().isEmpty()
        && rule.hours().isEmpty()
        && rule.minutes().isEmpty()
        && rule.seconds().isEmpty();
  }

  private static void checkPart(
      String part, List<?> values, Set<RuleFrequency> fitting, RuleFrequency frequency) {
    check(part + ":", values.isEmpty() || fitting.contains(frequency), frequency);
  }

  private static void check(String part, boolean fits, RuleFrequency frequency) {
    if (!fits) {
      throw new IllegalArgumentException(part + " does not go with FREQ=" + frequency);
    }
  }

  private void add(String part) {
    if (part.isEmpty()) {
      return;
    }
    if (!part.chars().allMatch(c -> c < 128)) {
      throw new IllegalArgumentException("part '" + shortened(part) + "' must be ASCII");
    }
    int equals = part.indexOf('=');
    String name = part.substring(0, Math.max(0, equals)).toUpperCase(Locale.ROOT);
    if (!KNOWN.contains(name)) {
      throw new IllegalArgumentException(
          "part '" + shortened(part) + "' is unknown; those of RFC 5545 are " + sorted(KNOWN));
    }
    String value = part.substring(equals + 1).toUpperCase(Locale.ROOT);
    if (parts.put(name, value) != null) {
      throw new IllegalArgumentException(name + ": is there twice");
    }
  }

  private RecurrenceRule rule() {
    return new RecurrenceRule(
        frequency(),
        number("INTERVAL", 1, MAX_INTERVAL).orElse(1),
        number("COUNT", 1, MAX_COUNT),
        Optional.ofNullable(parts.get("UNTIL")).map(time -> RuleTime.parse("UNTIL", time)),
        numbers("BYSECOND", 0, 59),
        numbers("BYMINUTE", 0, 59),
        numbers("BYHOUR", 0, 23),
        items("BYDAY").map(this::day).distinct().toList(),
        signed("BYMONTHDAY", 31),
        signed("BYYEARDAY", 366),
        signed("BYWEEKNO", 53),
        numbers("BYMONTH", 1, 12),
        signed("BYSETPOS", 366),
        Optional.ofNullable(parts.get("WKST"))
            .map(day -> weekDay("WKST", day))
            .orElse(DayOfWeek.MONDAY));
  }

  private RuleFrequency frequency() {
    String value = parts.get("FREQ");
    if (value == null) {
      throw new IllegalArgumentException("FREQ is missing");
    }
    return Stream.of(RuleFrequency.values())
        .filter(frequency -> frequency.name().equals(value))
        .findFirst()
        .orElseThrow(
            () -> refusal("FREQ", value, "one of " + List.of(RuleFrequency.values()).toString()));
  }

  private OptionalInt number(String name, int least, int most) {
    String value = parts.get(name);
    return value == null
        ? OptionalInt.empty()
        : OptionalInt.of(number(name, value, least, most, "in " + least + ".." + most));
  }

  private List<Integer> numbers(String name, int least, int most) {
    return items(name)
        .map(item -> number(name, item, least, most, "in " + least + ".." + most))
        .sorted()
        .distinct()
        .toList();
  }

  /** Reads numbers from 1 up, or from -1 down. */
  private List<Integer> signed(String name, int most) {
    String rule = "in 1.." + most + " or -" + most + "..-1";
    List<Integer> numbers = new ArrayList<>();
    for (String item : items(name).toList()) {
      int number = number(name, item, -most, most, rule);
      if (number == 0) {
        throw refusal(name, item, rule);
      }
      numbers.add(number);
    }
    return numbers.stream().sorted().distinct().toList();
  }

  private static int number(String name, String text, int least, int most, String rule) {
    boolean maySign = least < 0;
    if (NUMBER.matcher(text).matches() && (maySign || !text.startsWith("+"))) {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    }
    throw refusal(name, text, rule);
  }

  private Stream<String> items(String name) {
    String value = parts.get(name);
    return value == null ? Stream.empty() : Stream.of(value.split(",", -1)).map(String::strip);
  }

  private NumberedDay day(String item) {
    Matcher matcher = DAY.matcher(item);
    if (!matcher.matches()) {
      throw refusal("BYDAY", item, "a weekday as MO, with a number as 2MO or -1FR");
    }
    String number = matcher.group(1);
    String rule = "with a number in 1..53 or -53..-1";
    int counted = number == null ? NumberedDay.EVERY : number("BYDAY", number, -53, 53, rule);
    if (number != null && counted == 0) {
      throw refusal("BYDAY", item, rule);
    }
    return new NumberedDay(counted, weekDay("BYDAY", matcher.group(2)));
  }

  private static DayOfWeek weekDay(String name, String text) {
    int place = DAYS.indexOf(text);
    if (place < 0) {
      throw refusal(name, text, "one of " + String.join(", ", DAYS));
    }
    return DayOfWeek.of(place + 1);
  }

  private static String sorted(Set<String> names) {
    return String.join(", ", names.stream().sorted().toList());
  }

  private static String shortened(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "...";
  }

  private static IllegalArgumentException refusal(String name, String value, String rule) {
    return new IllegalArgumentException(name + ": '" + shortened(value) + "' must be " + rule);
  }
}
