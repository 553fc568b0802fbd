package carillon.recurrence.calendar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.recurrence.Coverage;
import carillon.recurrence.DstPolicy;
import carillon.recurrence.DstPolicy.Fold;
import carillon.recurrence.DstPolicy.Gap;
import carillon.recurrence.Frequency;
import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Recurrence;
import carillon.recurrence.RruleRecurrence;
import carillon.recurrence.Schedule;
import carillon.recurrence.WallClock;
import carillon.recurrence.calendar.CalendarSpan.Day;
import carillon.recurrence.calendar.CalendarSpan.Repeated;
import carillon.recurrence.calendar.CalendarSpan.SpanLength;
import carillon.recurrence.calendar.CalendarSpan.WeekDays;
import carillon.recurrence.rrule.RruleParser;
import carillon.recurrence.timetable.Exclusions;
import carillon.recurrence.timetable.Exclusions.OnExcluded;
import carillon.recurrence.timetable.Timetable;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

@Tag("alone")
class ExclusionsTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final CalendarSpan WEEKEND =
      new WeekDays(Set.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY), Optional.of("weekend"));
  private static final CalendarSpan CHRISTMAS =
      new Day(LocalDate.of(2026, 12, 25), Optional.of("Christmas Day"));

  /** Christmas 2026 is a Friday. */
  @ParameterizedTest
  @CsvSource({
    "SKIP,         2026-12-24T02:00:00Z 2026-12-28T02:00:00Z 2026-12-29T02:00:00Z",
    "AFTER,        2026-12-24T02:00:00Z 2026-12-27T23:00:00Z 2026-12-28T02:00:00Z",
    "NEXT_DAY,     2026-12-24T02:00:00Z 2026-12-28T02:00:00Z 2026-12-29T02:00:00Z",
    "PREVIOUS_DAY, 2026-12-24T02:00:00Z 2026-12-28T02:00:00Z 2026-12-29T02:00:00Z",
  })
  void anExcludedOccurrence(OnExcluded what, String expected) {
    Timetable daily =
        cron("0 3 * * *")
            .except(exclusions(what, List.of(calendar(CHRISTMAS, WEEKEND)), List.of()));

    assertEquals(expected, told(daily, "2026-12-24T00:00:00Z", 3));
  }

  @ParameterizedTest
  @CsvSource({
    "SKIP,         2026-12-11T02:00:00Z 2027-01-01T02:00:00Z",
    "AFTER,        2026-12-11T02:00:00Z 2026-12-27T23:00:00Z",
    "NEXT_DAY,     2026-12-11T02:00:00Z 2026-12-28T02:00:00Z",
    "PREVIOUS_DAY, 2026-12-11T02:00:00Z 2026-12-24T02:00:00Z",
  })
  void anExcludedFriday(OnExcluded what, String expected) {
    CalendarSpan week =
        new CalendarSpan.Period(
            bound("2026-12-18T00:00"), bound("2026-12-19T00:00"), Optional.empty());
    Timetable fridays =
        cron("0 3 * * FRI")
            .except(exclusions(what, List.of(calendar(CHRISTMAS, WEEKEND, week)), List.of()));

    assertEquals(expected.substring(0, 20), told(fridays, "2026-12-11T00:00:00Z", 1));
    assertEquals(expected.substring(21), told(fridays, "2026-12-22T00:00:00Z", 1));
  }

  /** Monday, 31 May 2027, is Memorial Day; Friday, 1 January, is New Year's Day. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 3 LW * *            | PREVIOUS_DAY | 2027-05-31 | 2027-05-28T01:00:00Z",
        "0 3 31W * *           | PREVIOUS_DAY | 2027-05-31 | 2027-05-28T01:00:00Z",
        "0 3 1W * *            | NEXT_DAY     | 2027-01-01 | 2027-01-04T02:00:00Z",
        "0 3 * * MON-FRI       | NEXT_DAY     | 2027-01-01 | 2027-01-04T02:00:00Z",
        "0 3 * * TUE-SAT       | NEXT_DAY     | 2027-01-02 | 2027-01-05T02:00:00Z",
        "0 3 * * MON-SAT       | PREVIOUS_DAY | 2027-05-31 | 2027-05-29T01:00:00Z",
        "0 3 * * MON           | NEXT_DAY     | 2027-05-31 | 2027-06-01T01:00:00Z",
        "0 3 * * MON           | PREVIOUS_DAY | 2027-05-31 | 2027-05-30T01:00:00Z",
        "0 3 * * MON,TUE,WED,THU | PREVIOUS_DAY | 2027-05-31 | 2027-05-30T01:00:00Z",
        "0 3 31 * *            | PREVIOUS_DAY | 2027-05-31 | 2027-05-30T01:00:00Z",
      })
  void anOccurrenceIsMovedToAWorkingDayOfItsRule(
      String cron, OnExcluded what, LocalDate holiday, Instant expected) {
    CalendarSpan day = new Day(holiday, Optional.empty());
    Timetable timetable = cron(cron).except(exclusions(what, List.of(calendar(day)), List.of()));

    assertEquals(
        expected.toString(), timetable.after(expected.minusSeconds(1)).orElseThrow().toString());
    assertEquals(Optional.of(expected), timetable.latest(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1 | 2027-05-28T01:00:00Z",
        "FREQ=MONTHLY;BYDAY=-1MO                       | 2027-05-30T01:00:00Z",
        "FREQ=HOURLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=3;BYMONTHDAY=31 | 2027-05-28T01:00:00Z",
        "FREQ=MONTHLY;BYMONTHDAY=31                    | 2027-05-30T01:00:00Z",
        "RRULE:FREQ=MONTHLY;BYDAY=-1MO,-1TU,-1WE,-1TH;RDATE:20270131T010000Z | 2027-05-30T01:00:00Z",
      })
  void aRuleOfIcalendarIsMovedToItsWorkingDays(String rule, Instant expected) {
    String text = rule.replace(";RDATE", "\nRDATE");
    Instant start = Instant.parse("2027-01-01T02:00:00Z");
    WallClock clock = new WallClock(BERLIN, DstPolicy.AUTO, Optional.empty(), Optional.empty());
    RruleRecurrence rrule =
        new RruleRecurrence(
            List.of(text), false, RruleParser.parse(text), Recurrence.NO_COUNT, Recurrence.NO_END);
    Timetable timetable =
        Timetable.of(rrule, start, start, Optional.of(clock))
            .except(
                exclusions(
                    OnExcluded.PREVIOUS_DAY,
                    List.of(calendar(new Day(LocalDate.of(2027, 5, 31), Optional.empty()))),
                    List.of()));

    assertEquals(Optional.of(expected), timetable.after(Instant.parse("2027-05-27T12:00:00Z")));
  }

  @Test
  void onlyWithinBusinessHours() {
    CalendarSpan hours =
        new Repeated(
            CalendarRandoms.cron("0 9 * * MON-FRI"),
            Optional.empty(),
            Optional.empty(),
            SpanLength.parse("PT8H"),
            Optional.empty());
    Timetable every4Hours =
        cron("0 */4 * * *")
            .except(exclusions(OnExcluded.SKIP, List.of(), List.of(calendar(hours))));

    assertEquals(
        "2026-12-11T11:00:00Z 2026-12-11T15:00:00Z 2026-12-14T11:00:00Z",
        told(every4Hours, "2026-12-11T00:00:00Z", 3));
    assertEquals(
        "test",
        every4Hours.exclusion(Instant.parse("2026-12-12T11:00:00Z")).orElseThrow().calendar());
  }

  /** An occurrence before the start is not moved to an instant after the start. */
  @Test
  void theStartTimeHoldsForWhatIsMeant() {
    Timetable daily =
        base("0 3 * * *", BERLIN, Instant.parse("2026-12-27T12:00:00Z"))
            .except(exclusions(OnExcluded.AFTER, List.of(calendar(WEEKEND)), List.of()));

    assertEquals("2026-12-28T02:00:00Z", told(daily, "2026-12-20T00:00:00Z", 1));
  }

  @Test
  void whatIsMovedBehindTheEndTimeIsLeftOut() {
    PeriodicRecurrence daily =
        new PeriodicRecurrence(
            Frequency.DAY,
            1,
            Recurrence.NO_COUNT,
            Instant.parse("2026-12-12T12:00:00Z"),
            Schedule.NONE);
    Timetable timetable =
        Timetable.of(daily, Instant.parse("2026-12-11T02:00:00Z"), Instant.EPOCH)
            .except(exclusions(OnExcluded.NEXT_DAY, List.of(calendar(WEEKEND)), List.of()));

    assertEquals("2026-12-11T02:00:00Z", told(timetable, "2026-12-01T00:00:00Z", 5));
  }

  /** A moved occurrence has a local time, so that new rules of the time zone move it as well. */
  @Test
  void whatIsMovedHasALocalTime() {
    Timetable daily =
        cron("0 3 * * *")
            .except(exclusions(OnExcluded.AFTER, List.of(calendar(WEEKEND)), List.of()));
    Instant moved = Instant.parse("2026-12-27T23:00:00Z");

    assertEquals(Optional.of(moved), daily.after(Instant.parse("2026-12-25T02:00:00Z")));
    assertEquals("2026-12-28T00:00+01:00", daily.localOf(moved).orElseThrow().toString());
    assertEquals(Optional.of(moved), daily.retimed(daily.localOf(moved).orElseThrow()));
  }

  @Test
  void aRunAtOnceThatIsExcludedIsLeftOut() {
    PeriodicRecurrence hourly =
        new PeriodicRecurrence(
            Frequency.HOUR, 1, Recurrence.NO_COUNT, Recurrence.NO_END, Schedule.NONE);
    Instant saturday = Instant.parse("2026-12-12T10:30:00Z");
    Timetable timetable =
        Timetable.of(hourly, Timetable.NO_START, saturday)
            .except(exclusions(OnExcluded.SKIP, List.of(calendar(WEEKEND)), List.of()));

    assertTrue(timetable.drifts());
    assertEquals(Optional.of(Instant.parse("2026-12-13T23:30:00Z")), timetable.first(saturday));
    assertEquals(
        Optional.of(Instant.parse("2026-12-13T23:10:05Z")),
        timetable.after(Instant.parse("2026-12-11T22:10:05Z")));
  }

  /** A day of elapsed time ends at a different local time after each clock change. */
  @ParameterizedTest
  @CsvSource({
    "Europe/Berlin, 02:30",
    "Europe/Berlin, 01:30",
    "Europe/Berlin, 03:00",
    "America/New_York, 01:30",
    "America/New_York, 02:00",
    "Australia/Lord_Howe, 01:45",
    "Australia/Lord_Howe, 02:15",
    "America/Sao_Paulo, 00:10"
  })
  void movesElapsedTimeToTheSameLocalTimeOfAnotherDay(String zoneName, String time) {
    ZoneId zone = ZoneId.of(zoneName);
    Instant start = LocalDate.of(2010, 1, 6).atTime(LocalTime.parse(time)).atZone(zone).toInstant();
    PeriodicRecurrence daily =
        new PeriodicRecurrence(
            Frequency.HOUR, 24, Recurrence.NO_COUNT, Recurrence.NO_END, Schedule.NONE);
    WallClock clock = new WallClock(zone, DstPolicy.AUTO, Optional.empty(), Optional.empty());
    Timetable plain = Timetable.of(daily, start, start, Optional.of(clock));
    for (Set<DayOfWeek> days :
        List.of(
            Set.of(DayOfWeek.SATURDAY),
            Set.of(DayOfWeek.SUNDAY),
            Set.of(DayOfWeek.MONDAY),
            Set.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY))) {
      for (OnExcluded what : List.of(OnExcluded.NEXT_DAY, OnExcluded.PREVIOUS_DAY)) {
        Coverage weekDays =
            new CalendarCoverage(
                "test",
                new CalendarDefinition(
                    Optional.empty(), zone, List.of(new WeekDays(days, Optional.empty()))));
        Timetable tested = plain.except(new Exclusions(List.of(weekDays), List.of(), what, zone));

        List<Instant> expected =
            plain.preview(start, 700).stream()
                .map(at -> otherDay(at, days, what, zone))
                .sorted()
                .distinct()
                .limit(400)
                .toList();
        assertEquals(expected, tested.preview(start, 400), zone + " " + time + days + what);
      }
    }
  }

  private static Instant otherDay(Instant at, Set<DayOfWeek> days, OnExcluded what, ZoneId zone) {
    OffsetDateTime local = at.atZone(zone).toOffsetDateTime();
    LocalDateTime moved = local.toLocalDateTime();
    while (days.contains(moved.getDayOfWeek())) {
      moved = moved.plusDays(what == OnExcluded.NEXT_DAY ? 1 : -1);
    }
    return ZonedDateTime.ofLocal(moved, zone, local.getOffset()).toInstant();
  }

  /** End of the excluded time that the model is in. */
  private Instant permitted = Instant.MIN;

  /** Weekdays to which the model moves occurrences. */
  private Set<DayOfWeek> weekDays = Set.of(DayOfWeek.values());

  private static Set<DayOfWeek> range(int first, int last) {
    return EnumSet.range(DayOfWeek.of(first), DayOfWeek.of(last));
  }

  /** Compares each answer with all occurrences of the model, placed one by one. */
  @ParameterizedTest
  @EnumSource(OnExcluded.class)
  void excludesAsTheModelDoes(OnExcluded what) {
    Random random = new Random(what.word().hashCode());
    List<String> crons =
        List.of(
            "0 3 * * *",
            "30 2 * * *",
            "15 */3 * * *",
            "0 12 * * SUN",
            "0 9,17 1,15,25 * *",
            "0 3 * * 1-5",
            "30 2 * * 2-6",
            "0 9,17 LW * *");
    List<String> byDay = crons.stream().filter(text -> !text.startsWith("15")).toList();
    for (int round = 0; round < (what == OnExcluded.SKIP ? 60 : 12); round++) {
      ZoneId zone = CalendarRandoms.zone(random);
      List<Coverage> exclude = new ArrayList<>();
      List<Coverage> only = new ArrayList<>();
      for (int i = random.nextInt(2); i >= 0; i--) {
        (random.nextInt(4) == 0 ? only : exclude).add(random(random, zone));
      }
      Supplier<Exclusions> exclusions = () -> new Exclusions(exclude, only, what, zone);
      boolean isByDay = what == OnExcluded.NEXT_DAY || what == OnExcluded.PREVIOUS_DAY;
      String cron = CalendarRandoms.pick(random, isByDay ? byDay : crons);
      weekDays =
          cron.endsWith("1-5") || cron.contains("LW")
              ? range(1, 5)
              : cron.endsWith("2-6") ? range(2, 6) : range(1, 7);
      compare(base(cron, zone), exclusions, zone, random, cron + " " + zone);
    }
  }

  private static Coverage random(Random random, ZoneId zone) {
    return new CalendarCoverage(
        "test", new CalendarDefinition(Optional.empty(), zone, CalendarRandoms.spans(random)));
  }

  /**
   * Compares the timetable with the model. Exclusions count searches, so the model uses a separate
   * instance.
   */
  private void compare(
      Timetable base, Supplier<Exclusions> fresh, ZoneId zone, Random random, String what) {
    Exclusions exclusions = fresh.get();
    Instant begin = Instant.parse("2010-06-01T00:00:00Z");
    Instant end = Instant.parse("2010-09-01T00:00:00Z");
    Duration margin = Duration.ofDays(exclusions.onExcluded() == OnExcluded.AFTER ? 40 : 370);
    TreeSet<Instant> model = new TreeSet<>();
    permitted = Instant.MIN;
    Optional<Instant> next = base.after(begin.minus(margin));
    while (next.isPresent() && next.get().isBefore(end.plus(margin))) {
      if (exclusions.onExcluded() == OnExcluded.AFTER && permitted.isBefore(next.get())) {
        permitted = permittedFrom(next.get(), exclusions);
      }
      OffsetDateTime meant = base.localOf(next.get()).orElseThrow();
      place(next.get(), meant, exclusions, zone).ifPresent(model::add);
      next = base.after(next.get());
    }
    Timetable tested = base.except(fresh.get());
    for (int probe = 0; probe < 20; probe++) {
      if (random.nextBoolean()) {
        tested = base.except(fresh.get());
      }
      Instant at = begin.plusSeconds(random.nextInt(7_000_000));
      Optional<Instant> after = Optional.ofNullable(model.higher(at));
      if (after.isPresent()) {
        assertEquals(after, tested.after(at), what + " after " + at);
      }
      Optional<Instant> latest = Optional.ofNullable(model.floor(at));
      if (latest.isPresent()) {
        assertEquals(latest, tested.latest(at), what + " latest " + at);
      }
    }
    assertEquals(
        Math.min(50, model.subSet(begin, end).size()),
        base.except(fresh.get()).between(begin, end, 50),
        what);
  }

  /** Returns the first permitted instant, searching minute by minute for at most 100 days. */
  private static Instant permittedFrom(Instant from, Exclusions exclusions) {
    for (int i = 0; i < 100 * 1440; i++) {
      Instant at = from.plusSeconds(60L * i);
      if (!exclusions.excludes(at)) {
        return at;
      }
    }
    return Instant.MAX;
  }

  private Optional<Instant> place(
      Instant element, OffsetDateTime meant, Exclusions exclusions, ZoneId zone) {
    if (!exclusions.excludes(element)) {
      return Optional.of(element);
    }
    return switch (exclusions.onExcluded()) {
      case SKIP -> Optional.empty();
      case AFTER -> Optional.of(permitted).filter(at -> !at.equals(Instant.MAX));
      case NEXT_DAY -> onOtherDay(meant, 1, exclusions, zone);
      case PREVIOUS_DAY -> onOtherDay(meant, -1, exclusions, zone);
    };
  }

  private Optional<Instant> onOtherDay(
      OffsetDateTime meant, int step, Exclusions exclusions, ZoneId zone) {
    for (int days = 1; days <= exclusions.reach(); days++) {
      LocalDateTime local = meant.toLocalDateTime().plusDays((long) step * days);
      Instant moved = local.atZone(zone).toInstant();
      if (weekDays.contains(local.getDayOfWeek()) && !exclusions.excludes(moved)) {
        return Optional.of(moved);
      }
    }
    return Optional.empty();
  }

  /** All occurrences in one long freeze move to the same instant. */
  @ParameterizedTest
  @CsvSource({
    "NEXT_DAY,     2030-01-09T02:00:00Z 2030-12-31T02:00:00Z 2031-01-01T02:00:00Z",
    "PREVIOUS_DAY, 2030-01-09T02:00:00Z 2030-12-31T02:00:00Z 2031-01-01T02:00:00Z",
  })
  void aFreezeOfNearlyAYear(OnExcluded what, String expected) {
    CalendarSpan freeze =
        new CalendarSpan.Period(
            bound("2030-01-10T00:00"), bound("2030-12-31T00:00"), Optional.empty());
    Timetable daily =
        cron("0 3 * * *").except(exclusions(what, List.of(calendar(freeze)), List.of()));

    assertEquals(expected, told(daily, "2030-01-09T00:00:00Z", 3));
    assertEquals(
        Optional.of(Instant.parse("2030-01-09T02:00:00Z")),
        daily.latest(Instant.parse("2030-12-30T12:00:00Z")));
    assertEquals(
        12,
        daily.between(
            Instant.parse("2030-01-01T00:00:00Z"), Instant.parse("2031-01-03T02:00:00Z"), 400));
  }

  /** Business hours permit 18:00 on no day. The occurrence at 10:00 moves to Monday. */
  @Test
  void whatNoDayPermitsIsLeftOut() {
    Timetable saturdays =
        cron("0 10,18 * * SAT")
            .except(exclusions(OnExcluded.NEXT_DAY, List.of(), List.of(calendar(businessHours()))));

    assertEquals(
        "2026-12-14T09:00:00Z 2026-12-21T09:00:00Z 2026-12-28T09:00:00Z",
        told(saturdays, "2026-12-10T00:00:00Z", 3));
    assertEquals(
        Optional.of(Instant.parse("2026-12-14T09:00:00Z")),
        saturdays.latest(Instant.parse("2026-12-20T20:30:00Z")));
  }

  @Test
  void aSpanAheadIsFoundFromBehind() {
    CalendarSpan span =
        new CalendarSpan.Period(
            bound("2026-12-08T00:00"), bound("2026-12-11T00:00"), Optional.empty());
    Timetable daily =
        cron("0 3 * * *")
            .except(exclusions(OnExcluded.PREVIOUS_DAY, List.of(), List.of(calendar(span))));

    assertEquals(
        "2026-12-08T02:00:00Z 2026-12-09T02:00:00Z 2026-12-10T02:00:00Z",
        told(daily, "2026-12-01T00:00:00Z", 5));
  }

  private static CalendarSpan businessHours() {
    return repeated("0 9 * * MON-FRI", "PT8H");
  }

  private static CalendarSpan repeated(String cron, String lasts) {
    return new Repeated(
        CalendarRandoms.cron(cron),
        Optional.empty(),
        Optional.empty(),
        SpanLength.parse(lasts),
        Optional.empty());
  }

  /** The answer is quick even if nearly everything is excluded. */
  @ParameterizedTest
  @EnumSource(OnExcluded.class)
  void anExclusionOfEverythingIsAnsweredSoon(OnExcluded what) {
    List<CalendarSpan> spans = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      spans.add(repeated(i % 60 + " * * * *", "PT1M"));
    }
    Exclusions exclusions =
        exclusions(what, List.of(calendar(spans.toArray(CalendarSpan[]::new))), List.of());
    boolean isByDay = what == OnExcluded.NEXT_DAY || what == OnExcluded.PREVIOUS_DAY;

    assertNothing(isByDay ? "40 6,20 * * *" : "* * * * *", exclusions);
  }

  /** The search stops early for hours of the day that are never permitted. */
  @ParameterizedTest
  @EnumSource(value = OnExcluded.class, mode = Mode.EXCLUDE, names = "AFTER")
  void whatIsNeverPermittedIsGivenUpSoon(OnExcluded what) {
    assertNothing("0 4,20 * * *", exclusions(what, List.of(), List.of(calendar(businessHours()))));
  }

  /**
   * The calendar has 100 spans per hour. The test counts steps over a year, because time depends on
   * the machine.
   */
  @ParameterizedTest
  @EnumSource(OnExcluded.class)
  void answersLookUpABoundedNumberOfSpans(OnExcluded what) {
    List<CalendarSpan> spans = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      spans.add(repeated(i % 60 + " * * * *", "PT" + (20 + i / 60) + "S"));
    }
    Counted calendar = new Counted(calendar(spans.toArray(CalendarSpan[]::new)));
    Instant from = Instant.parse("2026-12-24T00:00:00Z");
    boolean isByDay = what == OnExcluded.NEXT_DAY || what == OnExcluded.PREVIOUS_DAY;
    Timetable timetable =
        cron(isByDay ? "40 6,20 * * *" : "* * * * *")
            .except(exclusions(what, List.of(calendar), List.of()));

    timetable.after(from);
    timetable.latest(from);
    timetable.between(from, from.plus(Duration.ofDays(365)), 1_000_000);
    timetable.preview(from, 1_000);

    assertTrue(calendar.lookups < 12_000, "lookups of spans: " + calendar.lookups);
    assertTrue(calendar.asked < 40_000, "stretches: " + calendar.asked);
  }

  /** Calendar that counts its queries. */
  private static final class Counted implements Coverage {
    private final Coverage calendar;
    private int asked;
    private int lookups;

    Counted(Coverage calendar) {
      this.calendar = calendar;
    }

    @Override
    public Stretch at(long second, Lookups counter) {
      Stretch stretch = calendar.at(second, counter);
      asked++;
      lookups = counter.count();
      return stretch;
    }

    @Override
    public String calendar() {
      return calendar.calendar();
    }

    @Override
    public int cost() {
      return calendar.cost();
    }
  }

  /**
   * An occurrence moved from one day coincides with the occurrence of the next day. Clock changes
   * on either day do not matter.
   */
  @ParameterizedTest
  @CsvSource({
    // The clocks go forward on Sunday, 28 March 2027, at 02:00.
    "SHIFT,    FIRST, 2027-03-28, NEXT_DAY,     2027-03-27T01:30:00Z 2027-03-29T00:30:00Z 2027-03-30",
    "BOUNDARY, FIRST, 2027-03-28, NEXT_DAY,     2027-03-27T01:30:00Z 2027-03-29T00:30:00Z 2027-03-30",
    "SHIFT,    FIRST, 2027-03-28, PREVIOUS_DAY, 2027-03-27T01:30:00Z 2027-03-29T00:30:00Z 2027-03-30",
    "SHIFT,    FIRST, 2027-03-27, NEXT_DAY,     2027-03-28T01:30:00Z 2027-03-29T00:30:00Z 2027-03-30",
    "BOUNDARY, FIRST, 2027-03-27, NEXT_DAY,     2027-03-28T01:00:00Z 2027-03-29T00:30:00Z 2027-03-30",
    "SKIP,     FIRST, 2027-03-27, NEXT_DAY,     2027-03-29T00:30:00Z 2027-03-30T00:30:00Z 2027-03-31",
    "BOUNDARY, FIRST, 2027-03-29, PREVIOUS_DAY, 2027-03-27T01:30:00Z 2027-03-28T01:00:00Z 2027-03-30",
    // They go back on Sunday, 31 October 2027, at 03:00.
    "SHIFT,    FIRST, 2027-10-30, NEXT_DAY,     2027-10-31T00:30:00Z 2027-11-01T01:30:00Z 2027-11-02",
    "SHIFT,    LAST,  2027-10-30, NEXT_DAY,     2027-10-31T01:30:00Z 2027-11-01T01:30:00Z 2027-11-02",
    "SHIFT,    LAST,  2027-11-01, PREVIOUS_DAY, 2027-10-30T00:30:00Z 2027-10-31T01:30:00Z 2027-11-02",
    "SHIFT,    LAST,  2027-10-31, NEXT_DAY,     2027-10-30T00:30:00Z 2027-11-01T01:30:00Z 2027-11-02",
  })
  void aDayHasNoMoreThanItsOwnOccurrence(
      Gap gap, Fold fold, LocalDate day, OnExcluded what, String expected) {
    Instant start = Instant.parse("2020-01-01T00:00:00Z");
    WallClock clock =
        new WallClock(BERLIN, new DstPolicy(gap, fold), Optional.empty(), Optional.empty());
    Timetable daily =
        Timetable.of(CalendarRandoms.cron("30 2 * * *"), start, start, Optional.of(clock))
            .except(exclusions(what, List.of(calendar(new Day(day, Optional.empty()))), List.of()));
    String from = expected.startsWith("2027-03") ? "2027-03-27" : "2027-10-30";

    String told = told(daily, from + "T00:00:00Z", 3);

    assertEquals(expected, told.substring(0, expected.length()));
  }

  private static void assertNothing(String cron, Exclusions exclusions) {
    Timetable timetable = cron(cron).except(exclusions);
    Instant from = Instant.parse("2026-12-24T00:00:00Z");

    long begin = System.nanoTime();
    Optional<Instant> next = timetable.after(from);
    Optional<Instant> latest = timetable.latest(from);
    long count = timetable.between(from, from.plus(Duration.ofDays(365)), 1_000_000);
    long millis = (System.nanoTime() - begin) / 1_000_000;

    assertEquals(Optional.empty(), next);
    assertEquals(Optional.empty(), latest);
    assertTrue(count >= 0);
    assertTrue(exclusions.excludes(timetable.awaitedAfter(from).orElseThrow()));
    assertTrue(millis < 5_000, exclusions.onExcluded() + ": " + millis + " ms");
  }

  private static Timetable cron(String text) {
    return base(text, BERLIN);
  }

  private static Timetable base(String text, ZoneId zone) {
    return base(text, zone, Instant.parse("2000-01-01T00:00:00Z"));
  }

  private static Timetable base(String text, ZoneId zone, Instant start) {
    WallClock clock = new WallClock(zone, DstPolicy.AUTO, Optional.empty(), Optional.empty());
    return Timetable.of(CalendarRandoms.cron(text), start, start, Optional.of(clock));
  }

  private static Coverage calendar(CalendarSpan... spans) {
    return new CalendarCoverage(
        "test", new CalendarDefinition(Optional.empty(), BERLIN, List.of(spans)));
  }

  private static Exclusions exclusions(
      OnExcluded what, List<Coverage> exclude, List<Coverage> only) {
    return new Exclusions(exclude, only, what, BERLIN);
  }

  private static CalendarSpan.Bound bound(String time) {
    return new CalendarSpan.Bound(LocalDateTime.parse(time), Optional.<ZoneOffset>empty());
  }

  private static String told(Timetable timetable, String from, int count) {
    List<String> found = new ArrayList<>();
    Optional<Instant> next = timetable.first(Instant.parse(from));
    while (next.isPresent() && found.size() < count) {
      found.add(next.get().toString());
      next = timetable.after(next.get());
    }
    return String.join(" ", found);
  }
}
