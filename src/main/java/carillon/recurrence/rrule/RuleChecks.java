package carillon.recurrence.rrule;

import static carillon.recurrence.rrule.RuleFrequency.DAILY;
import static carillon.recurrence.rrule.RuleFrequency.MONTHLY;
import static carillon.recurrence.rrule.RuleFrequency.WEEKLY;
import static carillon.recurrence.rrule.RuleFrequency.YEARLY;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Checks of which parts of a recurrence rule go together (the table of RFC 5545, 3.3.10). */
final class RuleChecks {
  private static final Set<RuleFrequency> NUMBERED = EnumSet.of(MONTHLY, YEARLY);
  private static final Set<RuleFrequency> MONTH_DAYS = EnumSet.complementOf(EnumSet.of(WEEKLY));
  private static final Set<RuleFrequency> YEAR_DAYS =
      EnumSet.complementOf(EnumSet.of(DAILY, WEEKLY, MONTHLY));

  private RuleChecks() {}

  static void check(RecurrenceRule rule) {
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
}
