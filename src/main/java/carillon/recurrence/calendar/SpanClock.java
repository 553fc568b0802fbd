package carillon.recurrence.calendar;

import carillon.recurrence.calendar.CalendarSpan.SpanLength;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;

/**
 * Clock of a time zone for the bounds of spans: a later local time never has an earlier second. A
 * time that does not exist becomes the first second after the gap.
 */
final class SpanClock {
  private final String zone;
  private final ZoneRules rules;

  SpanClock(ZoneId zone) {
    this(zone.getId(), zone.getRules());
  }

  /**
   * The clock of some rules.
   *
   * @param zone as messages name it
   */
  SpanClock(String zone, ZoneRules rules) {
    this.zone = zone;
    this.rules = rules;
  }

  /** The first second of a local time. */
  long first(LocalDateTime local) {
    ZoneOffsetTransition transition = rules.getTransition(local);
    return transition == null
        ? local.toEpochSecond(rules.getOffset(local))
        : transition.isGap()
            ? transition.toEpochSecond()
            : local.toEpochSecond(transition.getOffsetBefore());
  }

  /** The last second of a local time. */
  long last(LocalDateTime local) {
    ZoneOffsetTransition transition = rules.getTransition(local);
    return transition != null && transition.isOverlap()
        ? local.toEpochSecond(transition.getOffsetAfter())
        : first(local);
  }

  /** The first second of a day. */
  long begin(LocalDate day) {
    return first(day.atStartOfDay());
  }

  /** Whether the day exists. */
  boolean has(LocalDate day) {
    return begin(day) < begin(day.plusDays(1));
  }

  /** Returns why the clock never shows a local time, in words; empty if it shows the time. */
  Optional<String> missing(LocalDateTime local) {
    return Optional.ofNullable(rules.getTransition(local))
        .filter(ZoneOffsetTransition::isGap)
        .map(
            gap ->
                "does not exist in "
                    + zone
                    + ", as the clocks go from "
                    + gap.getDateTimeBefore()
                    + " to "
                    + gap.getDateTimeAfter());
  }

  /** Returns the day that began last and has not ended. */
  LocalDate dayAt(long second) {
    LocalDate day = at(second).toLocalDate();
    return second < begin(day.plusDays(1)) ? day : day.plusDays(1);
  }

  /** Returns the second that is a number of days and seconds after another one. */
  long after(long second, SpanLength length) {
    long begin = length.days() == 0 ? second : first(latest(second).plusDays(length.days()));
    return begin + length.time().toSeconds();
  }

  /** The latest local time that the clock has shown up to a second. */
  private LocalDateTime latest(long second) {
    ZoneOffsetTransition last = rules.previousTransition(Instant.ofEpochSecond(second + 1));
    boolean isRepeated =
        last != null
            && last.isOverlap()
            && second < last.toEpochSecond() - last.getDuration().toSeconds();
    return isRepeated ? last.getDateTimeBefore() : at(second);
  }

  private LocalDateTime at(long second) {
    ZoneOffset offset = rules.getOffset(Instant.ofEpochSecond(second));
    return LocalDateTime.ofEpochSecond(second, 0, offset);
  }
}
