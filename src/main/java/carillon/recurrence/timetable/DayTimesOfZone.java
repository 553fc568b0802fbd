package carillon.recurrence.timetable;

import carillon.recurrence.CronRecurrence;
import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Recurrence;
import carillon.recurrence.RruleRecurrence;
import carillon.recurrence.Schedule;
import carillon.recurrence.cron.CronRule;
import carillon.recurrence.grid.ZonedGrid;
import carillon.recurrence.rrule.RecurrenceRule;
import carillon.recurrence.rrule.RecurrenceSet;
import carillon.recurrence.timetable.OtherDayGrid.DayTimes;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Local times of the occurrences of a recurrence in a zone. For occurrences by the clock they are
 * the times of the recurrence. A time that the clocks skip keeps its given value. A day has a time
 * if the recurrence would run then.
 *
 * @param zoned the occurrences by the clock; empty for elapsed time and for UTC
 * @param most maximum number of different times of day
 * @param weekDays to which occurrences are moved; all, unless the recurrence has most of them only
 */
record DayTimesOfZone(ZoneRules rules, Optional<ZonedGrid> zoned, int most, Set<DayOfWeek> weekDays)
    implements DayTimes {
  private static final Set<DayOfWeek> ALL_DAYS =
      Collections.unmodifiableSet(EnumSet.allOf(DayOfWeek.class));

  /** Minimum number of days of the week that are the working days of a recurrence. */
  private static final int WORKING_DAYS = 5;

  static DayTimesOfZone of(Recurrence recurrence, ZoneRules rules, Optional<ZonedGrid> zoned) {
    boolean hasEachOnce =
        zoned.map(ZonedGrid::hasEachOnce).orElse(rules.isFixedOffset() && !recurrence.isElapsed());
    Set<DayOfWeek> weekDays = weekDays(recurrence, rules);
    return new DayTimesOfZone(
        rules,
        zoned,
        hasEachOnce ? most(recurrence) : MANY,
        weekDays.size() < WORKING_DAYS ? ALL_DAYS : weekDays);
  }

  /** Returns the days of the week to which the recurrence limits itself, or all days. */
  private static Set<DayOfWeek> weekDays(Recurrence recurrence, ZoneRules rules) {
    if (recurrence instanceof CronRecurrence cron) {
      return cron.rule() instanceof CronRule.Matching matching
          ? matching.expression().weekDays()
          : ALL_DAYS;
    }
    if (recurrence instanceof RruleRecurrence rrule) {
      return weekDays(rrule.set(), rules);
    }
    Schedule schedule = ((PeriodicRecurrence) recurrence).schedule();
    Set<DayOfWeek> days = new HashSet<>(schedule.weekDays());
    if (schedule.monthDays().isEmpty()) {
      schedule.monthlyOccurrences().forEach(occurrence -> days.add(occurrence.day()));
    }
    return days.isEmpty() ? ALL_DAYS : days;
  }

  private static Set<DayOfWeek> weekDays(RecurrenceSet set, ZoneRules rules) {
    Set<DayOfWeek> days = new HashSet<>();
    for (RecurrenceRule rule : set.rules()) {
      if (rule.weekDays().isEmpty()) {
        return ALL_DAYS;
      }
      rule.weekDays().forEach(day -> days.add(day.day()));
    }
    set.dates().forEach(date -> days.add(date.local(rules).getDayOfWeek()));
    return days;
  }

  private static int most(Recurrence recurrence) {
    if (recurrence instanceof CronRecurrence cron) {
      return cron.rule() instanceof CronRule.Matching matching
          ? product(
              matching.expression().hours(),
              matching.expression().minutes(),
              matching.expression().seconds())
          : MANY;
    }
    if (recurrence instanceof RruleRecurrence rrule) {
      return most(rrule.set());
    }
    return recurrence instanceof PeriodicRecurrence periodic
            && !periodic.isElapsed()
            && periodic.schedule().isEmpty()
        ? 1
        : MANY;
  }

  /** Returns the maximum number of times of day. A rule without times has the time of its start. */
  private static int most(RecurrenceSet set) {
    return set.dates().size()
        + set.rules().stream()
            .mapToInt(
                rule ->
                    Math.max(1, rule.hours().size())
                        * Math.max(1, rule.minutes().size())
                        * Math.max(1, rule.seconds().size()))
            .sum();
  }

  @SafeVarargs
  private static int product(List<Integer>... fields) {
    int product = 1;
    for (List<Integer> field : fields) {
      product *= field.size();
    }
    return product;
  }

  @Override
  public OffsetDateTime localOf(long second) {
    if (zoned.isPresent()) {
      return zoned.get().localOf(second);
    }
    ZoneOffset offset = rules.getOffset(Instant.ofEpochSecond(second));
    return LocalDateTime.ofEpochSecond(second, 0, offset).atOffset(offset);
  }

  @Override
  public long secondOf(OffsetDateTime meant) {
    if (zoned.isPresent()) {
      return zoned.get().instantOf(meant).getEpochSecond();
    }
    LocalDateTime local = meant.toLocalDateTime();
    boolean isValid = rules.getValidOffsets(local).contains(meant.getOffset());
    return local.toEpochSecond(isValid ? meant.getOffset() : rules.getOffset(local));
  }

  @Override
  public boolean has(LocalDateTime local) {
    return weekDays.contains(local.getDayOfWeek()) && (zoned.isEmpty() || zoned.get().has(local));
  }

  @Override
  public int weekDaysLeftOut() {
    return ALL_DAYS.size() - weekDays.size();
  }
}
