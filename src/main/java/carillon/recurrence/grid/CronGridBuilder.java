package carillon.recurrence.grid;

import carillon.recurrence.cron.CronExpression;
import carillon.recurrence.cron.CronRule;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/** Compiler of cron expressions into grids of local seconds since 1970. */
public final class CronGridBuilder {
  private static final int FIRST_YEAR = 1970;

  private CronGridBuilder() {}

  /**
   * The grid of a rule.
   *
   * @param anchor from which an interval is counted
   */
  public static Grid build(CronRule rule, Instant anchor) {
    if (rule instanceof CronRule.Every every) {
      return ArithmeticGrid.every(
          anchor.getEpochSecond(), every.interval().toSeconds(), GridBuilder.LAST_SECOND);
    }
    return rule instanceof CronRule.Once once
        ? new ListedGrid(once.time().toEpochSecond(ZoneOffset.UTC))
        : build(((CronRule.Matching) rule).expression());
  }

  static Grid build(CronExpression expression) {
    Grid hours = new ExpandedGrid(days(expression), 24, array(expression.hours()));
    Grid minutes = new ExpandedGrid(hours, 60, array(expression.minutes()));
    return new ExpandedGrid(minutes, 60, array(expression.seconds()));
  }

  private static Grid days(CronExpression expression) {
    int[] inYear = expression.months().stream().mapToInt(month -> month - 1).toArray();
    Grid months = new ExpandedGrid(years(expression.years()), 12, inYear);
    return new MonthDays(months, 1, array(expression.dayMasks()));
  }

  private static Grid years(List<Integer> years) {
    return years.isEmpty()
        ? ArithmeticGrid.every(FIRST_YEAR, 1, Grid.LAST_DAY.getYear())
        : new ListedGrid(years.stream().mapToLong(year -> year).toArray());
  }

  private static int[] array(List<Integer> numbers) {
    return numbers.stream().mapToInt(number -> number).toArray();
  }
}
