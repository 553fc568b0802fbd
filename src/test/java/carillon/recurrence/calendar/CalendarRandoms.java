package carillon.recurrence.calendar;

import carillon.recurrence.CronRecurrence;
import carillon.recurrence.DstPolicy;
import carillon.recurrence.DstPolicy.Fold;
import carillon.recurrence.DstPolicy.Gap;
import carillon.recurrence.Recurrence;
import carillon.recurrence.RruleRecurrence;
import carillon.recurrence.WallClock;
import carillon.recurrence.calendar.CalendarSpan.Bound;
import carillon.recurrence.calendar.CalendarSpan.Day;
import carillon.recurrence.calendar.CalendarSpan.Period;
import carillon.recurrence.calendar.CalendarSpan.Repeated;
import carillon.recurrence.calendar.CalendarSpan.SpanLength;
import carillon.recurrence.calendar.CalendarSpan.WeekDays;
import carillon.recurrence.cron.CronParser;
import carillon.recurrence.rrule.RruleParser;
import carillon.recurrence.timetable.Timetable;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Generator of random calendars around the years 2010 and 2011. Also computes their spans in a
 * second way.
 */
final class CalendarRandoms {
  private static final LocalDate FIRST = LocalDate.of(2010, 1, 1);
  private static final int DAYS = 730;

  private static final List<String> ZONES =
      List.of(
          "UTC",
          "Europe/Berlin",
          "America/New_York",
          "America/St_Johns",
          "America/Sao_Paulo",
          "Australia/Lord_Howe",
          "Pacific/Apia",
          "Asia/Tehran",
          "Africa/Casablanca",
          "Antarctica/Troll",
          "America/Havana");
  private static final List<String> CRONS =
      List.of("0 2 * * SUN", "30 2 * * *", "*/20 * * * *", "0 0 1 * *", "15 0,23 * * MON-FRI");
  private static final List<String> RULES =
      List.of(
          "FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=3",
          "FREQ=MONTHLY;BYDAY=-1FR",
          "FREQ=DAILY;BYHOUR=0,2,12",
          "FREQ=HOURLY;INTERVAL=7",
          "DTSTART:20100301T013000\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU",
          "DTSTART;VALUE=DATE:20100101\nRDATE;VALUE=DATE:20100101,20110606\n"
              + "RRULE:FREQ=MONTHLY;BYMONTHDAY=13");
  private static final List<String> LENGTHS =
      List.of("PT10M", "PT1H", "PT4H", "P1D", "P1DT1H", "PT26H", "P3D");

  private CalendarRandoms() {}

  static ZoneId zone(Random random) {
    return ZoneId.of(pick(random, ZONES));
  }

  static <T> T pick(Random random, List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  static List<CalendarSpan> spans(Random random) {
    List<CalendarSpan> spans = new ArrayList<>();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      spans.add(span(random));
    }
    return spans;
  }

  private static CalendarSpan span(Random random) {
    Optional<String> name = random.nextBoolean() ? Optional.of("n") : Optional.empty();
    return switch (random.nextInt(5)) {
      case 0 -> new Day(date(random), name);
      case 1 -> period(random, name);
      case 2 -> new WeekDays(days(random), name);
      case 3 ->
          new Repeated(
              cron(pick(random, CRONS)), Optional.empty(), Optional.empty(), length(random), name);
      default -> ruled(rule(pick(random, RULES)), length(random), name);
    };
  }

  private static Period period(Random random, Optional<String> name) {
    LocalDateTime from = date(random).atTime(random.nextInt(24), random.nextInt(60));
    LocalDateTime to = from.plusMinutes(180 + random.nextInt(20_000));
    return new Period(new Bound(from, Optional.empty()), new Bound(to, Optional.empty()), name);
  }

  private static Set<DayOfWeek> days(Random random) {
    Set<DayOfWeek> days = new HashSet<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      days.add(DayOfWeek.of(1 + random.nextInt(7)));
    }
    return days;
  }

  private static Repeated ruled(RruleRecurrence rule, SpanLength length, Optional<String> name) {
    Optional<LocalDateTime> start = rule.set().start().map(time -> time.time());
    return new Repeated(rule, start, Optional.empty(), length, name);
  }

  static CronRecurrence cron(String text) {
    return new CronRecurrence(
        text,
        Optional.empty(),
        CronParser.parse(text, Optional.empty(), "test"),
        Recurrence.NO_COUNT,
        Recurrence.NO_END);
  }

  static RruleRecurrence rule(String text) {
    return new RruleRecurrence(
        List.of(text), false, RruleParser.parse(text), Recurrence.NO_COUNT, Recurrence.NO_END);
  }

  private static SpanLength length(Random random) {
    return SpanLength.parse(pick(random, LENGTHS));
  }

  private static LocalDate date(Random random) {
    return FIRST.plusDays(random.nextInt(DAYS));
  }

  /** Returns a random second. About every second result is near a transition. */
  static long second(Random random, ZoneId zone) {
    Instant any = date(random).atStartOfDay(zone).toInstant().plusSeconds(random.nextInt(86_400));
    ZoneOffsetTransition next = zone.getRules().nextTransition(any);
    return next == null || random.nextBoolean()
        ? any.getEpochSecond()
        : next.toEpochSecond() - 90_000 + random.nextInt(180_000);
  }

  /** Returns the instants at which a span begins in a range, both ends inclusive. */
  static List<Instant> begins(Repeated span, ZoneId zone, Instant from, Instant to) {
    LocalDateTime start = span.start().orElse(LocalDate.EPOCH.atStartOfDay());
    WallClock clock =
        new WallClock(
            zone, new DstPolicy(Gap.BOUNDARY, Fold.AUTO), Optional.of(start), Optional.empty());
    Instant first = start.atZone(zone).toInstant();
    Timetable timetable = Timetable.of(span.recurrence(), first, first, Optional.of(clock));
    List<Instant> begins = new ArrayList<>();
    Optional<Instant> next = timetable.after(from.minusNanos(1));
    while (next.isPresent() && !next.get().isAfter(to)) {
      begins.add(next.get());
      next = timetable.after(next.get());
    }
    return begins;
  }

  static Instant end(Instant begin, Repeated span, ZoneId zone) {
    SpanLength length = span.lasts();
    if (length.days() == 0) {
      return begin.plus(length.time());
    }
    LocalDateTime local = begin.atZone(zone).toLocalDateTime();
    ZoneOffsetTransition last = zone.getRules().previousTransition(begin.plusNanos(1));
    if (last != null && last.isOverlap() && local.isBefore(last.getDateTimeBefore())) {
      local = last.getDateTimeBefore();
    }
    LocalDateTime day = local.plusDays(length.days());
    ZoneOffsetTransition gap = zone.getRules().getTransition(day);
    ZonedDateTime end = day.atZone(zone).withEarlierOffsetAtOverlap();
    Instant instant = gap != null && gap.isGap() ? gap.getInstant() : end.toInstant();
    return instant.plus(length.time());
  }
}
