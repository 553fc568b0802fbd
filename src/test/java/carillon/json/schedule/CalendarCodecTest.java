package carillon.json.schedule;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.name.JobException;
import carillon.recurrence.Coverage.Lookups;
import carillon.recurrence.Coverage.Stretch;
import carillon.recurrence.calendar.CalendarCoverage;
import carillon.recurrence.calendar.CalendarDefinition;
import carillon.recurrence.calendar.IcalendarImport.Imported;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalendarCodecTest {
  private static final String EVERY_FORM =
      "{\"timeZone\":\"Europe/Berlin\",\"spans\":["
          + "{\"date\":\"2026-12-25\",\"name\":\"Christmas Day\"},"
          + "{\"weekDays\":[\"saturday\",\"sunday\"]},"
          + "{\"from\":\"2026-12-23T18:00:00\",\"to\":\"2027-01-02\",\"name\":\"freeze\"},"
          + "{\"from\":\"2026-12-23T18:00:00Z\",\"to\":\"2026-12-24T00:00:00Z\"},"
          + "{\"cron\":\"0 2 * * SUN\",\"lasts\":\"PT4H\",\"name\":\"maintenance\"},"
          + "{\"cron\":\"0 0 2 ? * 1\",\"cronDialect\":\"quartz\",\"lasts\":\"PT1H30M\"},"
          + "{\"rrule\":\"FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=3\",\"lasts\":\"P1D\"},"
          + "{\"rrule\":[\"DTSTART;TZID=America/New_York:20260103T020000\",\"RRULE:FREQ=WEEKLY\"],"
          + "\"lasts\":\"PT4H\"}]}";

  @Test
  void whatIsReadIsWrittenAsItWas() {
    CalendarDefinition definition = CalendarCodec.read(EVERY_FORM.getBytes(UTF_8), "c");

    assertEquals(EVERY_FORM, CalendarCodec.write(definition));
    assertEquals(definition, CalendarCodec.readStored(CalendarCodec.write(definition)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-12-25T12:00:00Z freeze",
        "2026-03-07T12:00:00Z ",
        "2026-12-31T12:00:00Z freeze",
        "2026-03-29T01:00:00Z ",
        "2026-10-03T06:00:00Z "
      })
  void coversWhatItSays(String row) {
    CalendarCoverage coverage =
        new CalendarCoverage("c", CalendarCodec.read(EVERY_FORM.getBytes(UTF_8), "c"));

    Stretch stretch =
        coverage.at(Instant.parse(row.substring(0, 20)).getEpochSecond(), new Lookups());

    assertEquals(row.substring(21), stretch.cause().orElseThrow().span().orElse(""));
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/json/bad-calendars.csv", delimiter = '|', numLinesToSkip = 1)
  void refusesWhatIsNoCalendar(String json, String message) {
    byte[] text = json.replace('\'', '"').getBytes(UTF_8);
    JobException refusal = assertThrows(JobException.class, () -> CalendarCodec.read(text, "c"));

    assertTrue(refusal.getMessage().startsWith(message), refusal.getMessage());
  }

  @Test
  void aDayThatDoesNotExistIsReadWhereItIsStored() {
    String stored = "{\"timeZone\":\"Pacific/Apia\",\"spans\":[{\"date\":\"2011-12-30\"}]}";

    CalendarCoverage coverage = new CalendarCoverage("c", CalendarCodec.readStored(stored));

    long midnight = Instant.parse("2011-12-30T10:00:00Z").getEpochSecond();
    assertTrue(!coverage.at(midnight, new Lookups()).isCovered());
  }

  @Test
  void anEventOfADayThatDoesNotExistIsLeftOut() {
    String text =
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20111230\nEND:VEVENT\n"
            + "BEGIN:VEVENT\nDTSTART;VALUE=DATE:20111231\nEND:VEVENT\nEND:VCALENDAR";

    Imported imported =
        CalendarCodec.readIcalendar(text.getBytes(UTF_8), Optional.of("Pacific/Apia"), false);

    assertEquals(
        "date: '2011-12-30' does not exist in Pacific/Apia, as the clocks go from 2011-12-30T00:00"
            + " to 2011-12-31T00:00",
        imported.leftOut().get(0).reason());
    assertEquals(1, imported.definition().spans().size());
  }

  @Test
  void anImportWithoutEventsIsRefusedWithTheReason() {
    byte[] text = "BEGIN:VCALENDAR\nEND:VCALENDAR".getBytes(UTF_8);

    JobException refusal =
        assertThrows(
            JobException.class, () -> CalendarCodec.readIcalendar(text, Optional.empty(), false));

    assertEquals("The calendar covers no time: it has no events.", refusal.getMessage());
  }

  @Test
  void refusesTooManySpans() {
    assertEquals(
        "spans: 5001 are more than the 5000 allowed",
        refusal("{\"date\":\"2026-12-25\"}", 5001).getMessage());
    assertEquals(
        "spans: 101 that repeat are more than the 100 allowed; give their dates instead",
        refusal("{\"cron\":\"0 0 * * *\",\"lasts\":\"PT1H\"}", 101).getMessage());
    assertEquals(
        "spans: 101 that repeat are more than the 100 allowed; give their dates instead",
        refusal("{\"weekDays\":[\"sunday\"]}", 101).getMessage());
  }

  private static JobException refusal(String span, int times) {
    String spans = IntStream.range(0, times).mapToObj(i -> span).collect(Collectors.joining(","));
    byte[] json = ("{\"spans\":[" + spans + "]}").getBytes(UTF_8);
    return assertThrows(JobException.class, () -> CalendarCodec.read(json, "c"));
  }

  @Test
  void whatIsImportedIsACalendarLikeAnyOther() {
    Imported imported =
        CalendarCodec.readIcalendar(
            """
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            DTSTART;TZID=W. Europe Standard Time:20260103T020000
            DURATION:PT4H
            RRULE:FREQ=WEEKLY
            EXDATE;TZID=W. Europe Standard Time:20260110T020000
            SUMMARY:maintenance
            END:VEVENT
            BEGIN:VEVENT
            DTSTART;VALUE=DATE:20261225
            END:VEVENT
            END:VCALENDAR
            """
                .getBytes(UTF_8),
            Optional.empty(),
            false);

    String stored = CalendarCodec.write(imported.definition());

    assertEquals(
        "{\"timeZone\":\"Europe/Berlin\",\"spans\":[{\"rrule\":["
            + "\"DTSTART;TZID=Europe/Berlin:20260103T020000\",\"RRULE:FREQ=WEEKLY\","
            + "\"EXDATE;TZID=Europe/Berlin:20260110T020000\"],\"lasts\":\"PT4H\","
            + "\"name\":\"maintenance\"},{\"date\":\"2026-12-25\"}]}",
        stored);
    CalendarCoverage coverage = new CalendarCoverage("c", CalendarCodec.readStored(stored));
    assertTrue(
        coverage
            .at(Instant.parse("2026-07-04T00:30:00Z").getEpochSecond(), new Lookups())
            .isCovered());
    assertTrue(
        !coverage
            .at(Instant.parse("2026-01-10T01:30:00Z").getEpochSecond(), new Lookups())
            .isCovered());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "BEGIN:VCALENDAR\nEND:VCALENDAR",
        """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        DTSTART:20260101
        RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30
        END:VEVENT
        END:VCALENDAR""",
      })
  void refusesWhatIsNoIcalendar(String text) {
    assertThrows(
        JobException.class,
        () -> CalendarCodec.readIcalendar(text.getBytes(UTF_8), Optional.empty(), false));
  }

  @Test
  void refusesWhatIsNotUtf8() {
    assertThrows(
        JobException.class,
        () -> CalendarCodec.readIcalendar(new byte[] {'B', (byte) 0xff}, Optional.empty(), false));
  }

  @ParameterizedTest
  @CsvSource({
    "8h,PT8H",
    "30s,PT30S",
    "1d,P1D",
    "1d12h,P1DT12H",
    "2w,P14D",
    "08:00:00,PT8H",
    "PT4H,PT4H",
  })
  void aLengthIsTakenAsDurationsAreElsewhere(String given, String told) {
    byte[] json =
        ("{\"spans\":[{\"cron\":\"0 9 * * *\",\"lasts\":\"" + given + "\"}]}").getBytes(UTF_8);

    String stored = CalendarCodec.write(CalendarCodec.read(json, "c"));

    assertTrue(stored.contains("\"lasts\":\"" + told + "\""), stored);
  }

  @Test
  void aCalendarOfUnusableEventsIsRefusedWithTheReasons() {
    String event = "BEGIN:VEVENT\nDTSTART;TZID=Moon/Base:20260101T100000\nSUMMARY:x\nEND:VEVENT\n";
    String text = "BEGIN:VCALENDAR\n" + event.repeat(7) + "END:VCALENDAR";

    JobException refusal = assertThrows(JobException.class, () -> imported(text));

    String reason =
        "x: DTSTART: TZID 'Moon/Base' is no time zone known here, and the file does not define it";
    assertEquals(
        "The calendar covers no time: " + (reason + "; ").repeat(5) + "and 2 more.",
        refusal.getMessage());
  }

  @Test
  void aCalendarOfTransparentEventsIsStoredWithoutSpans() {
    String text =
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101T100000\nDURATION:PT1H\n"
            + "TRANSP:TRANSPARENT\nEND:VEVENT\nEND:VCALENDAR";

    Imported imported = imported(text);

    assertEquals(List.of(), imported.definition().spans());
    String stored = CalendarCodec.write(imported.definition());
    assertEquals(imported.definition(), CalendarCodec.readStored(stored));
  }

  @Test
  void anAnswerNamesAHundredComponentsThatWereLeftOut() {
    String event = "BEGIN:VEVENT\nDTSTART:20260101\nSTATUS:CANCELLED\nEND:VEVENT\n";

    Imported imported = imported("BEGIN:VCALENDAR\n" + event.repeat(120) + "END:VCALENDAR");

    JsonObject answer = new JsonObject(Buffer.buffer(CalendarCodec.answer("c", imported)));
    assertEquals(120, answer.getInteger("leftOut"));
    assertEquals(100, answer.getJsonArray("leftOutEvents").size());
    assertEquals(
        "{\"event\":\"event 1 of the file\",\"reason\":\"is cancelled (STATUS:CANCELLED)\"}",
        answer.getJsonArray("leftOutEvents").getJsonObject(0).encode());
  }

  /** Programs that fold lines at 75 bytes may split a character. */
  @Test
  void aLineMayBeFoldedWithinACharacter() {
    byte[] title = "Fête".getBytes(UTF_8);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    text.writeBytes(
        "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20260101\r\nSUMMARY:".getBytes(UTF_8));
    text.write(title, 0, 2);
    text.writeBytes("\r\n ".getBytes(UTF_8));
    text.write(title, 2, title.length - 2);
    text.writeBytes("\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n".getBytes(UTF_8));

    Imported imported = CalendarCodec.readIcalendar(text.toByteArray(), Optional.empty(), false);

    assertEquals(Optional.of("Fête"), imported.definition().spans().get(0).name());
  }

  @ParameterizedTest
  @CsvSource({
    "127,1", "128,0", "300,0",
  })
  void aTitleThatIsCutIsReadBack(int before, int faces) {
    String text =
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101\nSUMMARY:"
            + "x".repeat(before)
            + "\ud83d\ude00".repeat(200)
            + "\nEND:VEVENT\nEND:VCALENDAR";

    CalendarDefinition definition = imported(text).definition();

    CalendarDefinition stored = CalendarCodec.readStored(CalendarCodec.write(definition));
    assertEquals(definition, stored);
    String name = stored.spans().get(0).name().orElseThrow();
    assertEquals("x".repeat(Math.min(before, 128)) + "\ud83d\ude00".repeat(faces), name);
    byte[] document = CalendarCodec.answer("c", stored);
    assertEquals(definition, CalendarCodec.read(document, "c"));
  }

  /** A time zone of the file gets a name that can be stored, even if Java's own id cannot. */
  @ParameterizedTest
  @CsvSource({
    "+0000, UTC, 2027-03-08T09:00:00Z",
    "-0000, UTC, 2027-03-08T09:00:00Z",
    "+0530, +05:30, 2027-03-08T03:30:00Z",
    "+053015, +05:30, 2027-03-08T03:30:00Z",
    "-000020, UTC, 2027-03-08T09:00:00Z",
    "-033040, -03:31, 2027-03-08T12:31:00Z"
  })
  void aFixedOffsetOfTheFileIsAZone(String offset, String zone, String begin) {
    String part = "TZOFFSETFROM:" + offset + "\nTZOFFSETTO:" + offset;
    String event =
        "BEGIN:VEVENT\nDTSTART;TZID=\"tzone://Own/Fixed\":20270308T090000\nDURATION:PT1H\n";

    Imported imported =
        imported(
            "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:tzone://Own/Fixed\nBEGIN:STANDARD\n"
                + "DTSTART:16010101T000000\n"
                + part
                + "\nEND:STANDARD\nEND:VTIMEZONE\n"
                + event
                + "END:VEVENT\n"
                + event
                + "RRULE:FREQ=WEEKLY\nEND:VEVENT\n"
                + "BEGIN:VEVENT\nDTSTART;TZID=Europe/Berlin:20270309T090000\nDURATION:PT1H\n"
                + "END:VEVENT\nEND:VCALENDAR");

    assertEquals(List.of(), imported.leftOut());
    assertEquals(3, imported.definition().spans().size());
    assertEquals(Optional.of(zone), imported.definition().timeZone());
    CalendarCoverage coverage = new CalendarCoverage("c", imported.definition());
    Instant weekLater = Instant.parse(begin).plus(Duration.ofDays(7));
    assertTrue(coverage.at(weekLater.getEpochSecond(), new Lookups()).isCovered());
    assertTrue(!coverage.at(weekLater.getEpochSecond() - 1, new Lookups()).isCovered());
    assertTrue(
        coverage
            .at(Instant.parse("2027-03-09T08:00:00Z").getEpochSecond(), new Lookups())
            .isCovered());
  }

  @ParameterizedTest
  @CsvSource({"+00:00", "-00:00", "Etc/UTC"})
  void utcByAnyNameIsAZoneOfAnImport(String name) {
    String event = "BEGIN:VEVENT\nDTSTART:20270308T090000\nDURATION:PT1H\nEND:VEVENT\n";
    String series = "BEGIN:VEVENT\nDTSTART;TZID=\"" + name + "\":20270309T090000\nDURATION:PT1H\n";

    Imported imported =
        CalendarCodec.readIcalendar(
            ("BEGIN:VCALENDAR\n" + event + series + "RRULE:FREQ=DAILY\nEND:VEVENT\nEND:VCALENDAR")
                .getBytes(UTF_8),
            Optional.of(name),
            false);

    assertEquals(List.of(), imported.leftOut());
    assertEquals(2, imported.definition().spans().size());
  }

  private static Imported imported(String text) {
    return CalendarCodec.readIcalendar(text.getBytes(UTF_8), Optional.empty(), false);
  }
}
