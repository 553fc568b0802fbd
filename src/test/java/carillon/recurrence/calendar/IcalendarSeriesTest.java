package carillon.recurrence.calendar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import carillon.recurrence.Coverage.Lookups;
import carillon.recurrence.calendar.IcalendarImport.Imported;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of iCalendar series: their instances, changes and revisions. Times are in Berlin. */
class IcalendarSeriesTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final String DAILY = "UID:a;DTSTART:20270104;RRULE:FREQ=DAILY~COUNT=5";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        // lines of the exception | begins of the instances
        "EXDATE:20270112T080000Z | 01-05T10:00 01-13T09:00",
        "EXDATE~TZID=America/New_York:20270112T030000 | 01-05T10:00 01-13T09:00",
        "EXDATE~VALUE=DATE:20270112 | 01-05T10:00 01-13T09:00",
        "EXDATE:20270112T090000Z | 01-05T10:00 01-12T09:00 01-13T09:00",
        "EXDATE:20270112T080000Z,20270113T080000Z | 01-05T10:00",
      })
  void anExceptionTakesOutAPeriod(String exception, String begins) {
    String series =
        "DTSTART:20270105T100000;DURATION:PT1H;"
            + "RDATE~VALUE=PERIOD:20270112T080000Z/PT2H,20270113T080000Z/20270113T083000Z;";

    Imported imported = read(series + exception);

    assertEquals(begins, begins(imported));
  }

  @Test
  void aMovedPeriodTakesThePlaceOfTheRegularOne() {
    Imported imported =
        read(
            "UID:a;DTSTART:20270105T100000;DURATION:PT1H;RDATE~VALUE=PERIOD:20270112T080000Z/PT2H",
            "UID:a;RECURRENCE-ID:20270112T080000Z;DTSTART:20270112T150000;DURATION:PT1H");

    assertEquals("01-05T10:00 01-12T15:00", begins(imported));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        // two revisions | begins of the instances | what is left out
        "UID:a;SEQUENCE:0;DTSTART:20270104 | UID:a;SEQUENCE:1;DTSTART:20270105"
            + " | 01-05T00:00 | a: is replaced by SEQUENCE 1",
        "UID:a;SEQUENCE:10;DTSTART:20270104 | UID:a;SEQUENCE:9;DTSTART:20270105"
            + " | 01-04T00:00 | a: is replaced by SEQUENCE 10",
        "UID:a;DTSTART:20270104 | UID:a;SEQUENCE:1;DTSTART:20270105;STATUS:CANCELLED"
            + " | '' | a: is cancelled (STATUS:CANCELLED), a: is replaced by SEQUENCE 1",
        "UID:a;DTSTART:20270104;RRULE:FREQ=DAILY~COUNT=3 | UID:a;SEQUENCE:1;DTSTART:20270106"
            + " | 01-06T00:00 | a: is replaced by SEQUENCE 1",
        "UID:a;DTSTAMP:20261201T100000Z;DTSTART:20270104"
            + " | UID:a;DTSTAMP:20261101T100000Z;DTSTART:20270106"
            + " | 01-04T00:00 | a: is replaced by DTSTAMP 20261201T100000Z",
        // an unreadable revision replaces nothing
        "UID:a;DTSTART:20270104 | UID:a;SEQUENCE:1;SUMMARY:b"
            + " | 01-04T00:00 | b: DTSTART: is missing",
        // events of equal revision are both kept
        "UID:a;SEQUENCE:1;DTSTART:20270104 | UID:a;SEQUENCE:1;DTSTART:20270106"
            + " | 01-04T00:00 01-06T00:00 | ''",
        "UID:a;DTSTAMP:20261101T100000Z;DTSTART:20270104"
            + " | UID:a;DTSTAMP:20261101T100000Z;DTSTART:20270106 | 01-04T00:00 01-06T00:00 | ''",
        "UID:a;DTSTART:20270104 | UID:a;DTSTAMP:20261101T100000Z;DTSTART:20270106"
            + " | 01-04T00:00 01-06T00:00 | ''",
        "UID:;SEQUENCE:1;DTSTART:20270104 | UID:;SEQUENCE:2;DTSTART:20270106"
            + " | 01-04T00:00 01-06T00:00 | ''",
        "UID:a;SEQUENCE:x;DTSTART:20270104 | UID:b;SEQUENCE:2;DTSTART:20270106"
            + " | 01-04T00:00 01-06T00:00 | ''",
      })
  void theLatestRevisionReplacesTheOthers(String one, String other, String begins, String leftOut) {
    Imported imported = read(one, other);

    assertEquals(plain(begins), begins(imported));
    assertEquals(plain(leftOut), leftOut(imported));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        // two changes of the instance of 5 January | days | what is left out
        "SEQUENCE:2;DTSTART:20270120 | SEQUENCE:1;DTSTART:20270122"
            + " | 20 | a: is replaced by SEQUENCE 2",
        "DTSTART:20270120 | DTSTART:20270122 | 22 | a: is replaced by a later event of the file",
        "DTSTART:20270120 | SEQUENCE:1;DTSTART:20270122;STATUS:CANCELLED"
            + " | '' | a: is cancelled (STATUS:CANCELLED), a: is replaced by SEQUENCE 1",
        "DTSTART:20270120 | SEQUENCE:1;DTSTART:2027"
            + " | 20 | a: DTSTART: '2027' must be like 20270328, 20270328T023000 (local) or"
            + " 20270328T013000Z (UTC)",
      })
  void theLatestChangeOfAnInstanceReplacesTheOthers(
      String one, String other, String day, String leftOut) {
    String change = "UID:a;RECURRENCE-ID:20270105;";

    Imported imported = read(DAILY, change + one, change + other);

    String moved = plain(day).isEmpty() ? "" : " 01-" + day + "T00:00";
    assertEquals("01-04T00:00 01-06T00:00" + moved, begins(imported));
    assertEquals(plain(leftOut), leftOut(imported));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        // series whose rule does not match its start | begins of the instances
        "DTSTART:20270105;RRULE:FREQ=WEEKLY~BYDAY=MO~COUNT=3 | 01-05 01-11 01-18",
        "DTSTART:20270105;RRULE:COUNT=3~FREQ=WEEKLY~BYDAY=MO | 01-05 01-11 01-18",
        "DTSTART:20270105;RRULE:FREQ=WEEKLY~BYDAY=MO~COUNT=1 | 01-05",
        "DTSTART:20270105;RRULE:FREQ=WEEKLY~BYDAY=MO~UNTIL=20270118 | 01-05 01-11 01-18",
        "DTSTART:20270105;EXDATE:20270105;RRULE:FREQ=WEEKLY~BYDAY=MO~COUNT=3 | 01-11 01-18",
        "DTSTART:20270105;RRULE:FREQ=MONTHLY~BYMONTHDAY=31~COUNT=2 | 01-05 01-31",
        "DTSTART:20270104;RRULE:FREQ=WEEKLY~BYDAY=MO~COUNT=3 | 01-04 01-11 01-18",
        "DTSTART:20270105;RRULE:FREQ=WEEKLY~BYDAY=MO~UNTIL=20270104;RDATE:20270120 | 01-20",
      })
  void theStartIsTheFirstInstance(String series, String days) {
    Imported imported = read(series);

    assertEquals(
        Stream.of(days.split(" ")).map(day -> day + "T00:00").collect(Collectors.joining(" ")),
        begins(imported));
    assertEquals("", leftOut(imported));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "DTSTART:20270105T093000;DURATION:PT1H;RRULE:FREQ=DAILY~BYHOUR=12~BYMINUTE=0~COUNT=3"
            + " | 01-05T09:30 01-05T12:00 01-06T12:00",
        "DTSTART:20270105T083000Z;DURATION:PT1H;RRULE:FREQ=DAILY~BYHOUR=12~BYMINUTE=0~COUNT=3"
            + " | 01-05T09:30 01-05T13:00 01-06T13:00",
        "DTSTART~TZID=America/New_York:20270105T033000;DURATION:PT1H;"
            + "RRULE:FREQ=HOURLY~BYHOUR=12~COUNT=2 | 01-05T09:30 01-05T18:30",
        "DTSTART:20270328T023000;DURATION:PT15M;RRULE:FREQ=DAILY~COUNT=2"
            + " | 03-28T03:00 03-29T02:30",
      })
  void theTimeOfTheStartIsTheFirstInstance(String series, String begins) {
    assertEquals(begins, begins(read(series)));
  }

  /** The series is kept with its regular instance. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "RECURRENCE-ID~TZID=Nowhere:20270105T000000 | RECURRENCE-ID: TZID 'Nowhere' is no time zone"
            + " known here, and the file does not define it",
        "RECURRENCE-ID:tomorrow | RECURRENCE-ID: 'tomorrow' must be like 20270328, 20270328T023000"
            + " (local) or 20270328T013000Z (UTC)",
      })
  void aChangeOfAnUnknownInstanceIsLeftOutAlone(String instance, String reason) {
    Imported imported = read(DAILY, "UID:a;" + instance + ";DTSTART:20270120");

    assertEquals("01-04T00:00", begins(imported));
    assertEquals("a: " + reason, leftOut(imported));
  }

  /**
   * Outlook writes UNTIL of a series of days as the instant of a local midnight. An exception in
   * UTC is read in the same way. An exception in local time is read as the day that it names.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "COUNT=4 | EXDATE:20270105T230000Z | 01-04T00:00 01-07T00:00",
        "COUNT=4 | EXDATE:20270105T225959Z | 01-04T00:00 01-06T00:00",
        "COUNT=4 | EXDATE~TZID=America/New_York:20270105T000000 | 01-04T00:00 01-06T00:00",
        "COUNT=4 | EXDATE:20270105T000000 | 01-04T00:00 01-06T00:00",
        "UNTIL=20270105T230000Z | EXDATE:20270105 | 01-04T00:00 01-06T00:00",
        "UNTIL=20270105T225959Z | EXDATE:20270104 | 01-05T00:00",
      })
  void anInstantIsADayOfTheTimeZone(String bound, String exception, String begins) {
    Imported imported = read("DTSTART:20270104;RRULE:FREQ=DAILY~" + bound + ";" + exception);

    assertEquals(begins, begins(imported));
  }

  @Test
  void anInstantIsADayOfTheTimeZoneAlsoForADayThatComesOnce() {
    assertEquals(
        "event 1 of the file: is taken out by its EXDATE",
        leftOut(read("DTSTART:20270106;EXDATE:20270106T120000Z", "DTSTART:20270108")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "RRULE FREQ=WEEKLY~COUNT=3",
        "RRULE=FREQ=WEEKLY~COUNT=3",
        "rrule",
        "EXDATE 20270105",
        "EXDATE TZID=Europe/Berlin:20270105T000000",
        "RDATE~VALUE=DATE 20270105",
        "DURATION P2D",
        "DTEND ~VALUE=DATE:20270107",
      })
  void aLineWithoutAColonIsNamed(String line) {
    Imported imported = read("DTSTART:20270104;" + line, "DTSTART:20270110");

    assertEquals(
        "event 1 of the file: '"
            + line.replace('~', ';')
            + "' must be a line such as RRULE:FREQ=WEEKLY, with a colon",
        leftOut(imported));
    assertEquals("01-10T00:00", begins(imported));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a text that was not folded", "Duration of the party", "SUMMARY"})
  void otherLinesWithoutAColonDoNotMatter(String line) {
    assertEquals("01-04T00:00", begins(read("DTSTART:20270104;" + line)));
  }

  @Test
  void aZoneWithARuleWithoutAColonIsNotKnown() {
    String zone =
        "BEGIN:VTIMEZONE;TZID:Own;BEGIN:STANDARD;DTSTART:19700101T000000;TZOFFSETFROM:+0100;"
            + "TZOFFSETTO:+0200;RRULE FREQ=YEARLY;END:STANDARD;END:VTIMEZONE;";

    Imported imported =
        readWith(zone, "DTSTART~TZID=Own:20270104T100000;DURATION:PT1H", "DTSTART:20270110");

    assertEquals(
        "event 1 of the file: VTIMEZONE: 'RRULE FREQ=YEARLY' must be a line such as"
            + " RRULE:FREQ=YEARLY",
        leftOut(imported));
  }

  @Test
  void datesOfAnotherCalendarAreRefused() {
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class, () -> readWith("CALSCALE:HEBREW;", "DTSTART:57870101"));

    assertEquals(
        "CALSCALE: 'HEBREW' must be GREGORIAN; dates of other calendars are not known here",
        refusal.getMessage());
    assertEquals("01-04T00:00", begins(readWith("CALSCALE:gregorian;", "DTSTART:20270104")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        // an event that comes once or repeats | what is left out
        "DTSTART:20270104;DURATION:P400D | ''",
        "DTSTART:20270104T100000;DURATION:P400D | ''",
        "DTSTART:20270104T100000;DTEND:20280208T100000 | ''",
        "DTSTART:20270104;DTEND:20280208 | ''",
        "DTSTART:20270104T100000;DURATION:P36601D"
            + " | event 1 of the file: 'P36601D' must be from PT1S to P36600D",
        "DTSTART:20270104T100000;DTEND:21370104T100000 | event 1 of the file: DTEND:"
            + " '2137-01-04T10:00' must be at most 36600 days behind DTSTART",
        "DTSTART:20270104T100000;DURATION:P400D;RRULE:FREQ=YEARLY"
            + " | event 1 of the file: 'P400D' must be from PT1S to P366D",
        "DTSTART:20270104T100000;DTEND:20280208T100000;RRULE:FREQ=YEARLY"
            + " | event 1 of the file: 'PT9600H' must be from PT1S to P366D",
      })
  void anEndAndALengthHaveOneLimit(String event, String leftOut) {
    assertEquals(plain(leftOut), leftOut(read(event)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        // series | cancelled from | begins of the instances
        "DTSTART:20270104;RRULE:FREQ=WEEKLY | 20270118 | 01-04T00:00 01-11T00:00",
        "DTSTART:20270104;RRULE:FREQ=WEEKLY~COUNT=9 | 20270118 | 01-04T00:00 01-11T00:00",
        "DTSTART:20270104;RRULE:FREQ=WEEKLY~COUNT=2 | 20270118 | 01-04T00:00 01-11T00:00",
        "DTSTART:20270104;RRULE:UNTIL=20270301~FREQ=WEEKLY | 20270118 | 01-04T00:00 01-11T00:00",
        "DTSTART:20270104;RRULE:FREQ=WEEKLY~UNTIL=20270111 | 20270118 | 01-04T00:00 01-11T00:00",
        "DTSTART:20270104;RRULE:FREQ=WEEKLY~BYDAY=WE~COUNT=9 | 20270118"
            + " | 01-04T00:00 01-06T00:00 01-13T00:00",
        "DTSTART:20270104;RDATE:20270110,20270118,20270120 | 20270118 | 01-04T00:00 01-10T00:00",
        "DTSTART:20270104T100000;DURATION:PT1H;RRULE:FREQ=WEEKLY | 20270118T100000"
            + " | 01-04T10:00 01-11T10:00",
        "DTSTART:20270104T100000;DURATION:PT1H;RRULE:FREQ=WEEKLY | 20270118T090000Z"
            + " | 01-04T10:00 01-11T10:00",
        "DTSTART:20270104T100000Z;DURATION:PT1H;RRULE:FREQ=WEEKLY | 20270118T100000Z"
            + " | 01-04T11:00 01-11T11:00",
        "DTSTART:20270104T100000;DURATION:PT1H;RDATE~VALUE=PERIOD:20270110T080000Z/PT1H,"
            + "20270118T080000Z/PT1H | 20270118T080000Z | 01-04T10:00 01-10T09:00",
        "DTSTART:20270104;RRULE:FREQ=WEEKLY | 20270104 | ''",
      })
  void aSeriesEndsBeforeTheInstanceFromWhichItIsCancelled(
      String series, String from, String begins) {
    Imported imported =
        read(
            "UID:a;" + series,
            "UID:a;RECURRENCE-ID~RANGE=THISANDFUTURE:"
                + from
                + ";DTSTART:20270118;STATUS:CANCELLED",
            "UID:a;RECURRENCE-ID:20270125T100000;DTSTART:20270126",
            "DTSTART:20290101");

    assertEquals(plain(begins), begins(imported));
    assertEquals(
        "a: is cancelled (STATUS:CANCELLED), a: is cancelled with its series (RANGE=THISANDFUTURE)"
            + (plain(begins).isEmpty()
                ? ", a: is cancelled from its start on (RANGE=THISANDFUTURE)"
                : ""),
        leftOut(imported));
  }

  @Test
  void aChangeThatIsNewerThanTheCancellationCounts() {
    Imported imported =
        read(
            DAILY,
            "UID:a;RECURRENCE-ID~RANGE=THISANDFUTURE:20270105;DTSTART:20270105;STATUS:CANCELLED",
            "UID:a;SEQUENCE:1;RECURRENCE-ID:20270106;DTSTART:20270120");

    assertEquals("01-04T00:00 01-20T00:00", begins(imported));
  }

  private static Imported read(String... events) {
    return readWith("", events);
  }

  private static Imported readWith(String head, String... events) {
    String text =
        "BEGIN:VCALENDAR;X-WR-TIMEZONE:Europe/Berlin;"
            + head
            + Arrays.stream(events)
                .map(event -> "BEGIN:VEVENT;" + event + ";END:VEVENT;")
                .collect(Collectors.joining())
            + "END:VCALENDAR";
    return IcalendarImportTest.read(text.replace(';', '\n').replace('~', ';'));
  }

  private static String plain(String cell) {
    return cell.equals("''") ? "" : cell;
  }

  /** Returns the begins of covered time in 2027, in local time of Berlin. */
  private static String begins(Imported imported) {
    CalendarCoverage coverage = new CalendarCoverage("test", imported.definition());
    long end = Instant.parse("2027-12-31T00:00:00Z").getEpochSecond();
    List<String> begins = new ArrayList<>();
    boolean wasCovered = false;
    for (long at = Instant.parse("2026-12-31T00:00:00Z").getEpochSecond(); at < end; ) {
      var stretch = coverage.at(at, new Lookups());
      if (stretch.isCovered() && !wasCovered) {
        Instant begin = Instant.ofEpochSecond(stretch.first());
        begins.add(LocalDateTime.ofInstant(begin, BERLIN).toString().substring(5));
      }
      wasCovered = stretch.isCovered();
      at = stretch.end();
    }
    return String.join(" ", begins);
  }

  private static String leftOut(Imported imported) {
    return imported.leftOut().stream()
        .map(one -> one.event() + ": " + one.reason())
        .collect(Collectors.joining(", "));
  }
}
