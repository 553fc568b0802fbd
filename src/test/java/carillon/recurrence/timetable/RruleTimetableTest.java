package carillon.recurrence.timetable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.recurrence.DstPolicy;
import carillon.recurrence.DstPolicy.Fold;
import carillon.recurrence.DstPolicy.Gap;
import carillon.recurrence.Recurrence;
import carillon.recurrence.RruleRecurrence;
import carillon.recurrence.WallClock;
import carillon.recurrence.rrule.RruleParser;
import carillon.support.ProcessorTime;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of iCalendar rules as recurrences of jobs. */
class RruleTimetableTest {
  private static final Instant NOW = Instant.parse("2027-01-01T09:00:30.5Z");
  private static final DstPolicy AUTO = DstPolicy.AUTO;

  private static RruleRecurrence rrule(String... lines) {
    String text = String.join("\n", lines);
    return new RruleRecurrence(
        List.of(text), false, RruleParser.parse(text), Recurrence.NO_COUNT, Recurrence.NO_END);
  }

  private static Optional<WallClock> berlin(String start, DstPolicy dst) {
    return Optional.of(
        new WallClock(
            ZoneId.of("Europe/Berlin"),
            dst,
            Optional.of(LocalDateTime.parse(start)),
            Optional.empty()));
  }

  /** Returns the first local times of a rule in Berlin. */
  private static List<String> inBerlin(String start, DstPolicy dst, int limit, String... lines) {
    Optional<WallClock> clock = berlin(start, dst);
    Instant instant = clock.get().startsAt(LocalDateTime.parse(start));
    return Timetable.of(rrule(lines), instant, NOW, clock).preview(instant, limit).stream()
        .map(at -> at.atZone(ZoneId.of("Europe/Berlin")).toOffsetDateTime().toString())
        .toList();
  }

  private static List<Instant> instants(String... texts) {
    return Stream.of(texts).map(text -> OffsetDateTime.parse(text).toInstant()).toList();
  }

  @Test
  void withoutAStartTimeItIsCountedFromItsSubmissionAndDoesNotBeginAtOnce() {
    Timetable timetable = Timetable.of(rrule("FREQ=HOURLY;INTERVAL=2"), Timetable.NO_START, NOW);

    assertEquals(
        instants("2027-01-01T11:00:00Z", "2027-01-01T13:00:00Z"), timetable.preview(NOW, 2));
    assertFalse(timetable.drifts());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FREQ=DAILY;COUNT=2                          | 2027-01-02T09:00:00Z 2027-01-03T09:00:00Z",
        "FREQ=DAILY;COUNT=1                          | 2027-01-02T09:00:00Z",
        "FREQ=HOURLY;INTERVAL=6;COUNT=2              | 2027-01-01T15:00:00Z 2027-01-01T21:00:00Z",
        "FREQ=WEEKLY;BYDAY=FR;COUNT=1                | 2027-01-08T09:00:00Z",
        "FREQ=DAILY;BYHOUR=8,10;BYMINUTE=0;COUNT=2   | 2027-01-01T10:00:00Z 2027-01-02T08:00:00Z",
        "FREQ=MINUTELY;BYSECOND=0,30,59;COUNT=1      | 2027-01-01T09:00:59Z",
      })
  void withoutAStartTimeCountCountsFromTheFirstRun(String rule, String expected) {
    List<Instant> runs = Stream.of(expected.split(" ")).map(Instant::parse).toList();
    WallClock utc = new WallClock(ZoneId.of("Etc/UTC"), AUTO, Optional.empty(), Optional.empty());
    for (Optional<WallClock> clock : List.of(Optional.<WallClock>empty(), Optional.of(utc))) {
      Timetable timetable = Timetable.of(rrule(rule), Timetable.NO_START, NOW, clock);

      assertEquals(runs, timetable.preview(NOW, 9));
      assertEquals(runs.size(), timetable.between(Instant.EPOCH, Instant.MAX, 9));
    }
  }

  /** A local time of the first pass is in the past during the second pass. */
  @ParameterizedTest
  @CsvSource({
    "2027-10-31T00:30:30Z, FIRST, 2027-10-31T00:45:00Z 2027-11-01T01:45:00Z",
    "2027-10-31T01:30:30Z, FIRST, 2027-11-01T01:45:00Z 2027-11-02T01:45:00Z",
    "2027-10-31T00:30:30Z, LAST,  2027-10-31T01:45:00Z 2027-11-01T01:45:00Z",
    "2027-03-28T00:10:30Z, FIRST, 2027-03-28T01:45:00Z 2027-03-29T00:45:00Z",
  })
  void countCountsRunsWhereClocksAreChangedAtTheSubmission(
      Instant submitted, Fold fold, String expected) {
    Optional<WallClock> clock =
        Optional.of(
            new WallClock(
                ZoneId.of("Europe/Berlin"),
                new DstPolicy(Gap.SHIFT, fold),
                Optional.empty(),
                Optional.empty()));
    Timetable timetable =
        Timetable.of(
            rrule("FREQ=DAILY;BYHOUR=2;BYMINUTE=45;COUNT=2"), Timetable.NO_START, submitted, clock);

    assertEquals(
        Stream.of(expected.split(" ")).map(Instant::parse).toList(),
        timetable.preview(submitted, 9));
  }

  @Test
  void anExceptionIsLeftOutAndADateIsAdded() {
    Instant start = Instant.parse("2027-01-02T10:00:00Z");
    Timetable timetable =
        Timetable.of(
            rrule(
                "RRULE:FREQ=DAILY;COUNT=4",
                "EXDATE:20270103T100000Z",
                "RDATE:20270103T120000Z,20270110T100000Z"),
            start,
            NOW);

    assertEquals(
        instants(
            "2027-01-02T10:00:00Z",
            "2027-01-03T12:00:00Z",
            "2027-01-04T10:00:00Z",
            "2027-01-05T10:00:00Z",
            "2027-01-10T10:00:00Z"),
        timetable.preview(NOW, 9));
    assertEquals(5, timetable.between(NOW, Instant.MAX, 100));
    assertEquals(
        Optional.of(Instant.parse("2027-01-05T10:00:00Z")),
        timetable.latest(Instant.parse("2027-01-09T00:00:00Z")));
  }

  @Test
  void severalRulesAreTakenTogetherAndWhatTwoYieldCountsOnce() {
    Instant start = Instant.parse("2027-01-04T10:00:00Z");
    Timetable timetable =
        Timetable.of(rrule("FREQ=WEEKLY;BYDAY=MO", "FREQ=MONTHLY;BYMONTHDAY=11,13"), start, NOW);

    assertEquals(
        instants(
            "2027-01-04T10:00:00Z",
            "2027-01-11T10:00:00Z",
            "2027-01-13T10:00:00Z",
            "2027-01-18T10:00:00Z"),
        timetable.preview(NOW, 4));
  }

  @Test
  void aDayAsTheEndIsMeantToItsEnd() {
    Instant start = Instant.parse("2027-01-02T10:00:00Z");
    Timetable timetable = Timetable.of(rrule("FREQ=DAILY;UNTIL=20270103"), start, NOW);

    assertEquals(
        instants("2027-01-02T10:00:00Z", "2027-01-03T10:00:00Z"), timetable.preview(NOW, 5));
  }

  @Test
  void aLocalTimeThatDoesNotExistIsShiftedAndOneThatComesTwiceIsTakenOnce() {
    assertEquals(
        List.of("2027-03-27T02:30+01:00", "2027-03-28T03:30+02:00", "2027-03-29T02:30+02:00"),
        inBerlin("2027-03-27T02:30:00", AUTO, 3, "FREQ=DAILY"));
    assertEquals(
        List.of("2027-10-30T02:30+02:00", "2027-10-31T02:30+02:00", "2027-11-01T02:30+01:00"),
        inBerlin("2027-10-30T02:30:00", AUTO, 3, "FREQ=DAILY"));
  }

  @Test
  void theRuleOfTheRfcIsToIgnoreALocalTimeThatDoesNotExist() {
    assertEquals(
        List.of("2027-03-27T02:30+01:00", "2027-03-29T02:30+02:00"),
        inBerlin("2027-03-27T02:30:00", new DstPolicy(Gap.SKIP, Fold.FIRST), 2, "FREQ=DAILY"));
  }

  @Test
  void hoursAreElapsedTimeAndLocalTimesPassOnlySome() {
    assertEquals(
        List.of(
            "2027-03-28T00:00+01:00",
            "2027-03-28T03:00+02:00",
            "2027-03-28T05:00+02:00",
            "2027-03-28T07:00+02:00"),
        inBerlin("2027-03-28T00:00:00", AUTO, 4, "FREQ=HOURLY;INTERVAL=2"));
    assertEquals(
        List.of("2027-03-27T09:00+01:00", "2027-03-28T09:00+02:00", "2027-03-29T09:00+02:00"),
        inBerlin("2027-03-27T00:00:00", AUTO, 3, "FREQ=HOURLY;BYHOUR=9"));
  }

  @Test
  void anEndInUtcIsAnInstantInAZone() {
    assertEquals(
        List.of("2027-07-01T09:00+02:00", "2027-07-02T09:00+02:00"),
        inBerlin("2027-07-01T09:00:00", AUTO, 9, "FREQ=DAILY;UNTIL=20270702T070000Z"));
  }

  @Test
  void anExceptionIsALocalTimeOrADay() {
    assertEquals(
        List.of("2027-07-02T09:00+02:00", "2027-07-05T09:00+02:00"),
        inBerlin(
            "2027-07-01T09:00:00",
            AUTO,
            2,
            "RRULE:FREQ=DAILY",
            "EXDATE;TZID=Europe/Berlin:20270701T090000,20270703T090000",
            "EXDATE;VALUE=DATE:20270704"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=YEARLY;BYWEEKNO=10;BYMONTH=12;BYDAY=MO",
        "FREQ=YEARLY;BYYEARDAY=1;BYMONTHDAY=2",
        "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6",
        "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2",
        "FREQ=DAILY;INTERVAL=7;BYDAY=TU",
        "FREQ=HOURLY;INTERVAL=24;BYHOUR=9",
        "FREQ=HOURLY;INTERVAL=168;BYDAY=TU",
        "FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1",
        "FREQ=MINUTELY;BYSECOND=0,30;BYSETPOS=3",
        "FREQ=SECONDLY;INTERVAL=86400;BYHOUR=9",
        "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYMONTHDAY=29;BYDAY=-2MO;COUNT=10"
      })
  void whatNeverMatchesIsFoundSoon(String rule) {
    Instant friday = Instant.parse("2027-01-01T00:00:00Z");

    ProcessorTime.assertWithin(
        Duration.ofMillis(200),
        rule,
        () -> assertFalse(Timetable.of(rrule(rule), friday, friday).everMatches()));
  }

  /** The search must be quick although a zone has thousands of transitions in its range. */
  @Test
  void whatNeverMatchesInElapsedTimeIsFoundSoonInAZone() {
    Instant start = Instant.parse("2027-01-01T00:00:00Z");
    String rule = "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;BYSETPOS=366";

    ProcessorTime.assertWithin(
        Duration.ofMillis(500),
        rule,
        () ->
            assertFalse(
                Timetable.of(rrule(rule), start, start, berlin("2027-01-01T01:00:00", AUTO))
                    .everMatches()));
  }

  /** Centuries may pass between two times of these rules. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "FREQ=SECONDLY;INTERVAL=40009;BYHOUR=7;BYMONTH=2;BYMINUTE=1;COUNT=1000",
        "FREQ=MINUTELY;INTERVAL=7919;BYHOUR=7;BYMONTH=2;BYMONTHDAY=29;BYMINUTE=1;COUNT=1000",
        "FREQ=MINUTELY;INTERVAL=7919;BYHOUR=7;BYYEARDAY=60;BYMINUTE=1;BYSECOND=1;COUNT=1000",
        "FREQ=SECONDLY;INTERVAL=40009;BYHOUR=2;BYMONTH=11;BYMONTHDAY=29;BYMINUTE=1;COUNT=1000",
        "FREQ=SECONDLY;INTERVAL=9999;COUNT=999;BYMONTHDAY=31;BYHOUR=5"
      })
  void whereItEndsIsFoundSoon(String rule) {
    Instant start = Instant.parse("2027-01-01T00:00:00Z");

    ProcessorTime.assertWithin(
        Duration.ofMillis(500),
        rule,
        () ->
            Timetable.of(rrule(rule), start, start, berlin("2027-01-01T01:00:00", AUTO))
                .preview(start, 10));
  }

  @Test
  void whatMatchesOnceIn40YearsIsFound() {
    Instant start = Instant.parse("2072-03-01T00:00:00Z");
    Timetable timetable =
        Timetable.of(rrule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO"), start, start);

    assertTrue(timetable.everMatches());
    assertEquals(instants("2112-02-29T00:00:00Z"), timetable.preview(start, 1));
  }
}
