package carillon.recurrence.calendar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.json.schedule.CalendarCodec;
import carillon.recurrence.Coverage.Lookups;
import carillon.recurrence.calendar.IcalendarImport.ImportOptions;
import carillon.recurrence.calendar.IcalendarImport.Imported;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    assertEquals(List.of(), imported.leftOut());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DTSTART;VALUE=DATE:20261225;STATUS:CANCELLED",
        "DTSTART:20261225T100000;DURATION:PT1H;TRANSP:TRANSPARENT",
        "DTSTART:20261225T100000",
        "DTSTART:20261225T100000;DURATION:PT0S",
        "DTSTART:20261225T100000;DTEND:20261225T100000",
        "DTSTART:20261225T100000;RRULE:FREQ=DAILY",
      })
  void leavesOutWhatTakesUpNoTime(String lines) {
    Imported imported =
        read(event(lines.replaceAll(";(?=STATUS|TRANSP|DURATION|DTEND|RRULE)", "\n")));

    assertEquals(0, imported.definition().spans().size());
    assertEquals(1, imported.leftOut().size());
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
    assertEquals(1, imported.leftOut().size());
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
    assertEquals(1, imported.leftOut().size());
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
        "BEGIN:VCALENDAR;X-WR-TIMEZONE:Moon/Base;END:VCALENDAR"
            + " | X-WR-TIMEZONE: 'Moon/Base' is no time zone known here",
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        // lines of an event | why it is left out
        "SUMMARY:x | x | DTSTART: is missing",
        "UID:u;DTSTART:2026 | u | DTSTART: '2026' must be like 20270328, 20270328T023000 (local) or"
            + " 20270328T013000Z (UTC)",
        "DTSTART:20260230 | event 1 of the file | DTSTART: '20260230' is no date of the calendar",
        "DTSTART:20260228;RRULE:FREQ=EVER | event 1 of the file | FREQ: 'EVER' must be one of"
            + " [SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY, YEARLY]",
        "DTSTART:20260228;DURATION:P1M | event 1 of the file | 'P1M' must be like PT4H, P1D or P1W",
        "DTSTART:20260228;DTEND:20260227 | event 1 of the file | DTEND: '2026-02-27' must be from 0"
            + " to 36600 days behind DTSTART",
        "DTSTART:20260228;DTEND:20280227;RRULE:FREQ=YEARLY | event 1 of the file | DTEND:"
            + " '2028-02-27' must be from 0 to 366 days behind DTSTART",
        "DTSTART:20260228T100000;DTEND:20260228T110000;DURATION:PT5H | event 1 of the file |"
            + " DURATION: 'PT5H' does not go with DTEND, '20260228T110000'; leave one out",
        "DTSTART:20260228;DTEND:20260301;DTEND:20260305 | event 1 of the file | DTEND: '20260305' is"
            + " one too many; '20260301' is there already",
        "DTSTART:20260228;DTEND:20260228T120000 | event 1 of the file | DTEND: '2026-02-28T12:00'"
            + " must be a date, as DTSTART is",
        "DTSTART:20260228;DURATION:PT5H | event 1 of the file | DURATION: 'PT5H' must be whole days,"
            + " as DTSTART is a date",
        "DTSTART~TZID=Moon/Base:20261224T180000;DURATION:PT1H | event 1 of the file | DTSTART: TZID"
            + " 'Moon/Base' is no time zone known here, and the file does not define it",
        "DTSTART~TZID:20261224T180000;DURATION:PT1H | event 1 of the file | parameter 'TZID' must be"
            + " NAME=value",
        "DTSTART:20231002;RRULE:FREQ=WEEKLY~UNTIL=20231001~BYDAY=MO | event 1 of the file | never"
            + " begins",
        "DTSTART:00000101 | event 1 of the file | date: '0000-01-01' must be a date such as"
            + " 2026-12-25, in the years 1970 to 9999",
        "DTSTART:00010101T000000;DTEND:00010102T000000 | event 1 of the file | from:"
            + " '0001-01-01' must be an ISO 8601 time such as 2030-01-31T08:00:00Z, in the years 1970"
            + " to 9999",
        "UID:a;DTSTART:20260305;RECURRENCE-ID~RANGE=THISANDFUTURE:20260304 | a | RECURRENCE-ID: RANGE"
            + " 'THISANDFUTURE' is not known here; end the series with UNTIL and add another event",
        "DTSTART:20261225T100000;DURATION:PT1H;TRANSP:TRANSPARENT | event 1 of the file | is timed"
            + " and marked as free time (TRANSP:TRANSPARENT)",
        "DTSTART:20261225;STATUS:CANCELLED | event 1 of the file | is cancelled (STATUS:CANCELLED)",
        "DTSTART:20261225;EXDATE:20261225 | event 1 of the file | is taken out by its EXDATE",
        "DTSTART:20261225T100000 | event 1 of the file | takes up no time",
      })
  void anEventThatCannotBeUsedIsLeftOutAndNamed(String lines, String event, String reason) {
    Imported imported =
        read(
            "BEGIN:VCALENDAR;BEGIN:VEVENT;".replace(';', '\n')
                + lines.replace(';', '\n').replace('~', ';')
                + "\nEND:VEVENT\nBEGIN:VEVENT\nDTSTART:20261226\nEND:VEVENT\nEND:VCALENDAR");

    assertEquals(
        List.of(event + ": " + reason),
        imported.leftOut().stream().map(left -> left.event() + ": " + left.reason()).toList());
    assertEquals(
        "[Day[date=2026-12-26, name=Optional.empty]]", imported.definition().spans().toString());
  }

  @Test
  void daysCountThoughTheyAreMarkedAsFreeTime() {
    String timed = "DTSTART:20261225T100000\nDURATION:PT1H\nTRANSP:TRANSPARENT";

    assertEquals(1, spans("DTSTART;VALUE=DATE:20261225\nTRANSP:TRANSPARENT", false));
    assertEquals(1, spans("DTSTART:20201225\nRRULE:FREQ=YEARLY\nTRANSP:TRANSPARENT", false));
    assertEquals(1, spans(timed + "\nX-MICROSOFT-CDO-ALLDAYEVENT:TRUE", false));
    assertEquals(0, spans(timed, false));
    assertEquals(1, spans(timed, true));
  }

  private static int spans(String lines, boolean includesTransparent) {
    return read(event(lines), Optional.empty(), includesTransparent).definition().spans().size();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u2028", "\u2029", "\u0085", "\u000b", "\f", "\r"})
  void nothingButLineFeedsEndsALine(String separator) {
    Imported imported =
        read(
            event(
                "DTSTART:20261225\nSUMMARY:x"
                    + String.join(
                        separator, "", "END:VEVENT", "BEGIN:VEVENT", "DTSTART:20270101")));

    assertEquals(1, imported.definition().spans().size());
    assertTrue(imported.definition().spans().get(0).name().orElseThrow().contains("BEGIN:VEVENT"));
  }

  @Test
  void titlesAreCutBetweenCharacters() {
    String face = "\ud83d\ude00";

    Imported imported = read(event("DTSTART:20261225\nSUMMARY:" + "x".repeat(127) + face + face));

    assertEquals(Optional.of("x".repeat(127) + face), imported.definition().spans().get(0).name());
  }

  /** The zone is defined only in the file, so a single event is converted to UTC. */
  @Test
  void aZoneOfTheFileAloneIsThatOfEventsThatComeOnce() {
    String zone =
        """
        BEGIN:VCALENDAR
        BEGIN:VTIMEZONE
        TZID:Own
        BEGIN:STANDARD
        DTSTART:19700101T000000
        RRULE:FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=1
        TZOFFSETFROM:+0300
        TZOFFSETTO:+0100
        END:STANDARD
        BEGIN:DAYLIGHT
        DTSTART:19700301T000000
        RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=1
        TZOFFSETFROM:+0100
        TZOFFSETTO:+0300
        END:DAYLIGHT
        END:VTIMEZONE
        BEGIN:VEVENT
        DTSTART;TZID=Own:20270308T090000
        DTEND;TZID=Own:20270308T170000
        END:VEVENT
        BEGIN:VEVENT
        SUMMARY:series
        DTSTART;TZID=Own:20270808T090000
        DURATION:PT1H
        RRULE:FREQ=DAILY
        END:VEVENT
        END:VCALENDAR
        """;

    Imported imported = read(zone);

    assertTrue(isCovered(imported, "2027-03-08T06:00:00Z"));
    assertTrue(!isCovered(imported, "2027-03-08T14:00:00Z"));
    assertEquals(
        "DTSTART: TZID 'Own' has rules that no time zone known here has; a series needs one",
        imported.leftOut().get(0).reason());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        // lines of the part | why
        "TZOFFSETFROM:+0100;TZOFFSETTO:+0100 | VTIMEZONE: DTSTART is missing",
        "DTSTART:19700101T000000;TZOFFSETTO:+0100 | VTIMEZONE: TZOFFSETFROM is missing",
        "DTSTART:19700101T000000;TZOFFSETFROM:CET;TZOFFSETTO:+0100 | VTIMEZONE: TZOFFSETFROM: 'CET'"
            + " must be like +0100",
      })
  void anEventOfAZoneThatCannotBeReadIsLeftOut(String part, String reason) {
    Imported imported = read(inZone(part));

    assertEquals(reason, imported.leftOut().get(0).reason());
  }

  /** A file cannot keep a node busy. */
  @Test
  void aZoneChangesItsClocksAFewTimesAYearAtMost() {
    String part = "DTSTART:19700101T000000;RRULE:FREQ=SECONDLY;TZOFFSETFROM:+0100;TZOFFSETTO:+0200";

    Imported imported = read(inZone(part));

    assertTrue(isCovered(imported, "2027-03-08T07:00:00Z"));
  }

  private static String inZone(String part) {
    return ("BEGIN:VCALENDAR;BEGIN:VTIMEZONE;TZID:Own;BEGIN:STANDARD;"
            + part
            + ";END:STANDARD;END:VTIMEZONE;BEGIN:VEVENT;DTSTART~TZID=Own:20270308T090000;"
            + "DURATION:PT1H;END:VEVENT;END:VCALENDAR")
        .replace(';', '\n')
        .replace('~', ';');
  }

  @Test
  void anInstanceThatCannotBeUsedDoesNotTakeThePlaceOfTheRegularOne() {
    Imported imported =
        read(
            """
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            UID:a
            DTSTART:20260105
            RRULE:FREQ=DAILY
            END:VEVENT
            BEGIN:VEVENT
            UID:a
            RECURRENCE-ID:20260107
            DTSTART;TZID=Moon/Base:20260107T150000
            END:VEVENT
            END:VCALENDAR
            """);

    assertTrue(isCovered(imported, "2026-01-07T10:30:00Z"));
    assertEquals(1, imported.leftOut().size());
  }

  private static boolean isCovered(Imported imported, String instant) {
    return new CalendarCoverage("test", imported.definition())
        .at(second(instant), new Lookups())
        .isCovered();
  }

  @Test
  void aGivenTimeZoneIsThatOfDays() {
    String text = "\ufeff" + event("DTSTART;VALUE=DATE:20261225").replace("Europe/Berlin", "Moon");

    Imported imported = read(text, Optional.of("Asia/Tokyo"), false);

    assertEquals(Optional.of("Asia/Tokyo"), imported.definition().timeZone());
    assertEquals(ZoneId.of("Asia/Tokyo"), imported.definition().zone());
  }

  @ParameterizedTest
  @CsvSource({"20261225,1", "'20261224,20261225',1", "20261226,0"})
  void anExceptionTakesOutWhatComesOnce(String days, int leftOut) {
    Imported imported = read(event("DTSTART;VALUE=DATE:20261225\nEXDATE;VALUE=DATE:" + days));

    assertEquals(leftOut, imported.leftOut().size());
    assertEquals(1 - leftOut, imported.definition().spans().size());
  }

  private static String event(String lines) {
    return "BEGIN:VCALENDAR\r\nX-WR-TIMEZONE:Europe/Berlin\r\nBEGIN:VEVENT\r\n"
        + lines
        + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
  }

  static Imported read(String text) {
    return read(text, Optional.empty(), false);
  }

  private static Imported read(String text, Optional<String> zone, boolean includesTransparent) {
    return IcalendarImport.read(
        text,
        new ImportOptions(
            IcalendarImportTest::zone,
            List.of(ZoneId.of("Asia/Tokyo"), ZoneId.of("Europe/Berlin")),
            zone,
            includesTransparent,
            CalendarCodec::checkStorable));
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
