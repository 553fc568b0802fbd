package carillon.recurrence;

import carillon.recurrence.OtherDayGrid.DayTimes;
import carillon.recurrence.cron.CronRule;
import carillon.recurrence.rrule.RecurrenceSet;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Optional;

/**
 * Local times of a zone for which the occurrences of a recurrence stand. Where they lie by the
 * clock it is as the recurrence has them: one that the clocks leave out is meant as it was given,
 * and a day has each where the recurrence would have it.
 *
 * @param zoned the occurrences by the clock; empty where they are of elapsed time, or of UTC
 * @param most how many different times of day there are at most
 */
record DayTimesOfZone(ZoneRules rules, Optional<ZonedGrid> zoned, int most) implements DayTimes {
  static DayTimesOfZone of(Recurrence recurrence, ZoneRules rules, Optional<ZonedGrid> zoned) {
    boolean hasEachOnce =
        zoned.map(ZonedGrid::hasEachOnce).orElse(rules.isFixedOffset() && !recurrence.isElapsed());
    return new DayTimesOfZone(rules, zoned, hasEachOnce ? most(recurrence) : MANY);
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

  /** Of a rule that says none it is that of its start. */
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
    return zoned.isEmpty() || zoned.get().has(local);
  }
}
