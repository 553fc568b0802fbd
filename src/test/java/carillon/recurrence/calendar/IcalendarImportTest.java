package carillon.recurrence.calendar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.recurrence.Coverage.Lookups;
import carillon.recurrence.calendar.IcalendarImport.Imported;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IcalendarImportTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // lines of the event | what is covered, and what is not | any more
        "DTSTART;VALUE=DATE:20261225 | 2026-12-24T23:00:00Z | 2026-12-25T23:00:00Z",
        "DTSTART;VALUE=DATE:20261225,DTEND;VALUE=DATE:20261227"
            + " | 2026-12-24T23:00:00Z | 2026-12-26T23:00:00Z",
        "DTSTART;VALUE=DATE:20261225,DURATION:P1W | 2026-12-24T23:00:00Z | 2026-12-31T23:00:00Z",
        "DTSTART:20261224T180000,DURATION:PT2H | 2026-12-24T17:00:00Z | 2026-12-24T19:00:00Z",
        "DTSTART:20261224T180000Z,DTEND:20261224T190000Z"
            + " | 2026-12-24T18:00:00Z | 2026-12-24T19:00:00Z",
        "DTSTART;TZID=America/New_York:20261224T180000,DURATION:PT1H"
            + " | 2026-12-24T23:00:00Z | 2026-12-25T00:00:00Z",
        "DTSTART;TZID=\"/x.example/Europe/Berlin\":20261224T180000,DURATION:PT1H"
            + " | 2026-12-24T17:00:00Z | 2026-12-24T18:00:00Z",
        "DTSTART;VALUE=DATE:20201003,RRULE:FREQ=YEARLY"
            + " | 2026-10-02T22:00:00Z | 2026-10-03T22:00:00Z",
        "DTSTART:20260103T020000,DTEND:20260103T060000,RRULE:FREQ=WEEKLY"
            + " | 2026-03-28T01:00:00Z | 2026-03-28T05:00:00Z",
        "DTSTART;TZID=America/New_York:20260103T020000,DURATION:PT4H,RRULE:FREQ=WEEKLY"
            + " | 2026-03-28T06:00:00Z | 2026-03-28T10:00:00Z",
        "DTSTART:20260103T020000,DURATION:PT4H,RDATE:20260706T020000"
            + " | 2026-07-06T00:00:00Z | 2026-07-06T04:00:00Z",
      })
  void anEventCovers(String lines, String first, String end) {
    Imported imported = read(event(lines.replace(",D", "\nD").replace(",R", "\nR")));
    CalendarCoverage coverage = new CalendarCoverage("test", imported.definition());

    assertTrue(coverage.at(second(first), new Lookups()).isCovered());
    assertEquals(second(first), coverage.at(second(first), new Lookups()).first());
    assertEquals(second(end), coverage.at(second(first), new Lookups()).end());
    assertEquals(0, imported.leftOut());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DTSTART;VALUE=DATE:20261225;STATUS:CANCELLED",
        "DTSTART;VALUE=DATE:20261225;TRANSP:TRANSPARENT",
        "DTSTART:20261225T100000",
        "DTSTART:20261225T100000;DURATION:PT0S",
        "DTSTART:20261225T100000;DTEND:20261225T100000",
        "DTSTART:20261225T100000;RRULE:FREQ=DAILY",
      })
  void leavesOutWhatTakesUpNoTime(String lines) {
    Imported imported =
        read(event(lines.replaceAll(";(?=STATUS|TRANSP|DURATION|DTEND|RRULE)", "\n")));

    assertEquals(0, imported.definition().spans().size());
    assertEquals(1, imported.leftOut());
  }

  @Test
  void readsFoldedLinesNamesAndOtherComponents() {
    Imported imported =
        read(
            """
            BEGIN:VCALENDAR
            VERSION:2.0
            X-WR-TIMEZONE:Europe/Berlin
            BEGIN:VTIMEZONE
            TZID:Europe/Berlin
            BEGIN:STANDARD
            DTSTART:19701025T030000
            TZOFFSETFROM:+0200
            TZOFFSETTO:+0100
            RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
            END:STANDARD
            END:VTIMEZONE
            BEGIN:VTODO
            SUMMARY:bake
            END:VTODO
            BEGIN:VEVENT
            DTSTART;VALUE=DATE:20261225
            SUMMARY:Christmas\\, the
              first \\; day\\n!
            BEGIN:VALARM
            TRIGGER:-PT15M
            DURATION:PT1H
            END:VALARM
            END:VEVENT
            END:VCALENDAR
            """);

    assertEquals(Optional.of("Europe/Berlin"), imported.definition().timeZone());
    assertEquals(1, imported.definition().spans().size());
    assertEquals(
        Optional.of("Christmas, the first ; day !"), imported.definition().spans().get(0).name());
    assertEquals(1, imported.leftOut());
  }

  @Test
  void anInstanceThatIsMovedTakesThePlaceOfTheRegularOne() {
    Imported imported =
        read(
            """
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            UID:a
            DTSTART:20260105T100000Z
            DURATION:PT1H
            RRULE:FREQ=DAILY
            END:VEVENT
            BEGIN:VEVENT
            UID:a
            RECURRENCE-ID:20260107T100000Z
            DTSTART:20260107T150000Z
            DURATION:PT1H
            END:VEVENT
            BEGIN:VEVENT
            UID:a
            RECURRENCE-ID:20260108T100000Z
            DTSTART:20260108T100000Z
            DURATION:PT1H
            STATUS:CANCELLED
            END:VEVENT
            END:VCALENDAR
            """);
    CalendarCoverage coverage = new CalendarCoverage("test", imported.definition());

    assertTrue(coverage.at(second("2026-01-06T10:30:00Z"), new Lookups()).isCovered());
    assertTrue(!coverage.at(second("2026-01-07T10:30:00Z"), new Lookups()).isCovered());
    assertTrue(coverage.at(second("2026-01-07T15:30:00Z"), new Lookups()).isCovered());
    assertTrue(!coverage.at(second("2026-01-08T10:30:00Z"), new Lookups()).isCovered());
    assertTrue(coverage.at(second("2026-01-09T10:30:00Z"), new Lookups()).isCovered());
    assertEquals(1, imported.leftOut());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hello | must begin with BEGIN:VCALENDAR, not 'hello'",
        "BEGIN:VEVENT;END:VEVENT | must begin with BEGIN:VCALENDAR, not 'BEGIN:VEVENT'",
        "BEGIN:VCALENDAR | BEGIN:VCALENDAR has no END",
        "BEGIN:VCALENDAR;END:VEVENT | END:VEVENT: has no BEGIN",
        "BEGIN:VCALENDAR;END:VCALENDAR;END:VCALENDAR | END:VCALENDAR: has no BEGIN",
        "BEGIN:VCALENDAR;BEGIN:VCALENDAR;END:VCALENDAR;END:VCALENDAR"
            + " | BEGIN:VCALENDAR: is out of place",
        "BEGIN:VCALENDAR;BEGIN:VEVENT;SUMMARY:x;END:VEVENT;END:VCALENDAR"
            + " | event 'x': DTSTART: is missing",
        "BEGIN:VCALENDAR;BEGIN:VEVENT;DTSTART:2026;END:VEVENT;END:VCALENDAR"
            + " | event 1 of the file: DTSTART: '2026' must be like 20270328, 20270328T023000 (local) or"
            + " 20270328T013000Z (UTC)",
        "BEGIN:VCALENDAR;BEGIN:VEVENT;DTSTART:20260230;END:VEVENT;END:VCALENDAR"
            + " | event 1 of the file: DTSTART: '20260230' is no date of the calendar",
        "BEGIN:VCALENDAR;BEGIN:VEVENT;DTSTART:20260228;RRULE:FREQ=EVER;END:VEVENT;END:VCALENDAR"
            + " | event 1 of the file: FREQ: 'EVER'",
        "BEGIN:VCALENDAR;BEGIN:VEVENT;DTSTART:20260228;DURATION:P1M;END:VEVENT;END:VCALENDAR"
            + " | event 1 of the file: 'P1M' must be like PT4H, P1D or P1W",
        "BEGIN:VCALENDAR;BEGIN:VEVENT;DTSTART:20260228;DTEND:20260227;END:VEVENT;END:VCALENDAR"
            + " | event 1 of the file: DTEND: '2026-02-27' must be from 0 to 366 days behind DTSTART",
        "BEGIN:VCALENDAR;BEGIN:VEVENT;DTSTART:20260228T100000;DTEND:20260228T110000;DURATION:PT5H;"
            + "END:VEVENT;END:VCALENDAR"
            + " | event 1 of the file: DURATION: 'PT5H' does not go with DTEND, '20260228T110000';"
            + " leave one out",
        "BEGIN:VCALENDAR;BEGIN:VEVENT;DTSTART:20260228;DTEND:20260301;DTEND:20260305;END:VEVENT;"
            + "END:VCALENDAR"
            + " | event 1 of the file: DTEND: '20260305' is one too many; '20260301' is there already",
        "BEGIN:VCALENDAR;BEGIN:VEVENT;DTSTART:20260228;DTEND:20260228T120000;END:VEVENT;END:VCALENDAR"
            + " | event 1 of the file: DTEND: '2026-02-28T12:00' must be a date, as DTSTART is",
        "BEGIN:VCALENDAR;BEGIN:VEVENT;DTSTART:20260228;DURATION:PT5H;END:VEVENT;END:VCALENDAR"
            + " | event 1 of the file: DURATION: 'PT5H' must be whole days, as DTSTART is a date",
        "BEGIN:VCALENDAR;X-WR-TIMEZONE:Moon/Base;END:VCALENDAR"
            + " | X-WR-TIMEZONE: 'Moon/Base' is no time zone known here",
        "BEGIN:VCALENDAR;BEGIN:VEVENT;UID:a;DTSTART:20260228;RRULE:FREQ=DAILY;END:VEVENT;"
            + "BEGIN:VEVENT;UID:a;DTSTART:20260305;RECURRENCE-ID~RANGE=THISANDFUTURE:20260304;"
            + "END:VEVENT;END:VCALENDAR"
            + " | event 'a': RECURRENCE-ID: RANGE 'THISANDFUTURE' is not known here",
      })
  void refusesWhatItCannotTell(String text, String message) {
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class, () -> read(text.replace(';', '\n').replace('~', ';')));

    assertTrue(refusal.getMessage().startsWith(message), refusal.getMessage());
  }

  @Test
  void hoursThatAreWholeDaysAreTheDaysOfADate() {
    Imported imported = read(event("DTSTART:20260228\nDURATION:PT48H"));

    assertEquals(
        "[Period[from=Bound[time=2026-02-28T00:00, offset=Optional.empty],"
            + " to=Bound[time=2026-03-02T00:00, offset=Optional.empty], name=Optional.empty]]",
        imported.definition().spans().toString());
  }

  @Test
  void refusesAZoneThatNobodyKnows() {
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> read(event("DTSTART;TZID=Moon/Base:20261224T180000\nDURATION:PT1H")));

    assertEquals(
        "event 1 of the file: DTSTART: TZID 'Moon/Base' is no time zone known here",
        refusal.getMessage());
  }

  @Test
  void aGivenTimeZoneIsThatOfDays() {
    String text = "\ufeff" + event("DTSTART;VALUE=DATE:20261225").replace("Europe/Berlin", "Moon");

    Imported imported =
        IcalendarImport.read(text, IcalendarImportTest::zone, Optional.of("Asia/Tokyo"));

    assertEquals(Optional.of("Asia/Tokyo"), imported.definition().timeZone());
    assertEquals(ZoneId.of("Asia/Tokyo"), imported.definition().zone());
  }

  @ParameterizedTest
  @CsvSource({"20261225,1", "'20261224,20261225',1", "20261226,0"})
  void anExceptionTakesOutWhatComesOnce(String days, int leftOut) {
    Imported imported = read(event("DTSTART;VALUE=DATE:20261225\nEXDATE;VALUE=DATE:" + days));

    assertEquals(leftOut, imported.leftOut());
    assertEquals(1 - leftOut, imported.definition().spans().size());
  }

  private static String event(String lines) {
    return "BEGIN:VCALENDAR\r\nX-WR-TIMEZONE:Europe/Berlin\r\nBEGIN:VEVENT\r\n"
        + lines
        + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
  }

  static Imported read(String text) {
    return IcalendarImport.read(text, IcalendarImportTest::zone, Optional.empty());
  }

  private static Optional<ZoneId> zone(String name) {
    try {
      return Optional.of(ZoneId.of(name));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static long second(String instant) {
    return Instant.parse(instant).getEpochSecond();
  }
}
