package carillon.recurrence;

import static java.time.temporal.ChronoUnit.DAYS;
import static java.time.temporal.ChronoUnit.HOURS;
import static java.time.temporal.ChronoUnit.MINUTES;
import static java.time.temporal.ChronoUnit.MONTHS;
import static java.time.temporal.ChronoUnit.WEEKS;
import static java.time.temporal.ChronoUnit.YEARS;

import carillon.recurrence.Schedule.MonthlyOccurrence;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;

/**
 * Slow and obvious implementation of the rules, which checks every day, hour and minute of a range
 * for a match. Shares only the records of definitions with the engine.
 */
public final class Model {
  private final PeriodicRecurrence recurrence;
  private final Schedule schedule;
  private final LocalDateTime anchor;

  public Model(PeriodicRecurrence recurrence, LocalDateTime anchor) {
    this.recurrence = recurrence;
    this.schedule = recurrence.schedule();
    this.anchor = anchor;
  }

  /** Returns the first {@code limit} matches in [from, to] that are not before the anchor. */
  public List<LocalDateTime> matches(LocalDateTime from, LocalDateTime to, int limit) {
    return schedule.isEmpty() ? plain(from, to, limit) : scheduled(from, to, limit);
  }

  /** Whether anything matches from the anchor to the end of 9999. */
  public boolean everMatches() {
    return switch (recurrence.frequency()) {
      case SECOND -> true;
      case MINUTE, HOUR -> anyMinuteOfTheCycle();
      default -> onTheFirstDay() || onALaterDay();
    };
  }

  private boolean onTheFirstDay() {
    return !matches(anchor, anchor.toLocalDate().atTime(LocalTime.MAX), 1).isEmpty();
  }

  private boolean onALaterDay() {
    LocalDate next = anchor.toLocalDate().plusDays(1);
    return next.datesUntil(LocalDate.of(10000, 1, 1)).anyMatch(this::day);
  }

  private boolean anyMinuteOfTheCycle() {
    // 1440 intervals reach every time of day that the interval can reach.
    int unit = recurrence.frequency() == Frequency.HOUR ? 60 : 1;
    LocalDateTime start =
        anchor.truncatedTo(recurrence.frequency() == Frequency.HOUR ? HOURS : MINUTES);
    for (long k = 0; k <= 1440; k++) {
      LocalDateTime step = start.plusMinutes(k * recurrence.interval() * unit);
      for (int minute = 0; minute < unit; minute++) {
        if (time(step.plusMinutes(minute))) {
          return true;
        }
      }
    }
    return false;
  }

  private List<LocalDateTime> plain(LocalDateTime from, LocalDateTime to, int limit) {
    ChronoUnit unit = ChronoUnit.valueOf(recurrence.frequency().name() + "S");
    long k = Math.max(0, unit.between(anchor, from) / recurrence.interval() - 2);
    List<LocalDateTime> found = new ArrayList<>();
    LocalDateTime next = anchor.plus(k * recurrence.interval(), unit);
    while (!next.isAfter(to) && found.size() < limit) {
      if (!next.isBefore(from)) {
        found.add(next);
      }
      next = anchor.plus(++k * recurrence.interval(), unit);
    }
    return found;
  }

  private List<LocalDateTime> scheduled(LocalDateTime from, LocalDateTime to, int limit) {
    List<LocalDateTime> found = new ArrayList<>();
    LocalDate last = to.toLocalDate();
    for (LocalDate day = from.toLocalDate(); !day.isAfter(last); day = day.plusDays(1)) {
      if (!day(day)) {
        continue;
      }
      for (int minute = 0; minute < 1440; minute++) {
        LocalDateTime time =
            day.atTime(minute / 60, minute % 60, anchor.getSecond(), anchor.getNano());
        boolean inRange = !time.isBefore(from) && !time.isAfter(to) && !time.isBefore(anchor);
        if (inRange && time(time)) {
          found.add(time);
          if (found.size() == limit) {
            return found;
          }
        }
      }
    }
    return found;
  }

  private boolean day(LocalDate day) {
    LocalDate start = anchor.toLocalDate();
    int interval = recurrence.interval();
    boolean month = schedule.months().isEmpty() || schedule.months().contains(day.getMonthValue());
    return switch (recurrence.frequency()) {
      case SECOND, MINUTE, HOUR -> true;
      case DAY -> month && DAYS.between(start, day) % interval == 0;
      case WEEK ->
          month && weekDay(day) && WEEKS.between(sunday(start), sunday(day)) % interval == 0;
      case MONTH ->
          month
              && MONTHS.between(YearMonth.from(start), YearMonth.from(day)) % interval == 0
              && monthDay(day);
      case YEAR ->
          day.getMonth() == start.getMonth()
              && YEARS.between(start.withDayOfYear(1), day.withDayOfYear(1)) % interval == 0
              && startDay(day);
    };
  }

  private static LocalDate sunday(LocalDate day) {
    return day.with(TemporalAdjusters.previousOrSame(DayOfWeek.SUNDAY));
  }

  private boolean weekDay(LocalDate day) {
    return schedule.weekDays().isEmpty()
        ? day.getDayOfWeek() == anchor.getDayOfWeek()
        : schedule.weekDays().contains(day.getDayOfWeek());
  }

  private boolean startDay(LocalDate day) {
    return day.getDayOfMonth() == Math.min(anchor.getDayOfMonth(), day.lengthOfMonth());
  }

  private boolean monthDay(LocalDate day) {
    if (schedule.monthDays().isEmpty() && schedule.monthlyOccurrences().isEmpty()) {
      return startDay(day);
    }
    int fromEnd = day.getDayOfMonth() - day.lengthOfMonth() - 1;
    return schedule.monthDays().contains(day.getDayOfMonth())
        || schedule.monthDays().contains(fromEnd)
        || schedule.monthlyOccurrences().stream().anyMatch(wanted -> occurrence(wanted, day));
  }

  private static boolean occurrence(MonthlyOccurrence wanted, LocalDate day) {
    return wanted.occurrence() == MonthlyOccurrence.EVERY
        ? day.getDayOfWeek() == wanted.day()
        : day.equals(
            day.with(TemporalAdjusters.dayOfWeekInMonth(wanted.occurrence(), wanted.day())));
  }

  private boolean time(LocalDateTime time) {
    boolean hour = schedule.hours().isEmpty() || schedule.hours().contains(time.getHour());
    boolean minute = schedule.minutes().isEmpty() || schedule.minutes().contains(time.getMinute());
    boolean startMinute = time.getMinute() == anchor.getMinute();
    boolean startHour = time.getHour() == anchor.getHour();
    return switch (recurrence.frequency()) {
      case SECOND -> false;
      case MINUTE -> hour && minute && since(MINUTES, time) % recurrence.interval() == 0;
      case HOUR ->
          hour
              && (schedule.minutes().isEmpty() ? startMinute : minute)
              && since(HOURS, time) % recurrence.interval() == 0;
      case DAY, WEEK, MONTH, YEAR -> {
        if (schedule.minutes().isEmpty() && schedule.hours().isEmpty()) {
          yield startHour && startMinute;
        }
        yield hour && (schedule.minutes().isEmpty() ? startMinute : minute);
      }
    };
  }

  private long since(ChronoUnit unit, LocalDateTime time) {
    return unit.between(anchor.truncatedTo(unit), time.truncatedTo(unit));
  }

  public static LocalDateTime utc(Instant instant) {
    return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
  }
}
