package carillon.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.cli.CarillonCommands.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Test of commands about calendars, against a real node. */
class CalendarsCommandTest extends WithCommands {
  private static final String WEEKENDS =
      "{\"timeZone\":\"Europe/Berlin\",\"spans\":[{\"weekDays\":[\"saturday\",\"sunday\"]},"
          + "{\"date\":\"2026-12-25\",\"name\":\"Christmas Day\"},"
          + "{\"from\":\"2026-12-23T18:00\",\"to\":\"2027-01-02T06:00\",\"name\":\"freeze\"},"
          + "{\"cron\":\"0 2 * * SUN\",\"lasts\":\"PT4H\"}]}";

  private static final String ICALENDAR =
      """
      BEGIN:VCALENDAR
      VERSION:2.0
      BEGIN:VEVENT
      UID:1
      DTSTART;VALUE=DATE:20261225
      SUMMARY:Christmas Day
      END:VEVENT
      BEGIN:VEVENT
      UID:2
      STATUS:CANCELLED
      DTSTART;VALUE=DATE:20261231
      END:VEVENT
      END:VCALENDAR
      """
          .replace("\n", "\r\n");

  @TempDir Path dir;

  private String file(String name, String content) throws IOException {
    return Files.writeString(dir.resolve(name), content).toString();
  }

  @Test
  void aCalendarIsPutListedShownAndDeleted() throws IOException {
    String json = file("weekends.json", WEEKENDS);

    assertEquals(
        "weekends created, 4 spans, Europe/Berlin", type("calendars", "put", "weekends", json));
    assertEquals(
        "weekends replaced, 4 spans, Europe/Berlin", type("calendars", "put", "weekends", json));
    carillon.type("calendars", "list").ok().assertOut("CALENDAR", "weekends", "Europe/Berlin");
    assertEquals("weekends", type("calendars", "list", "-o", "name"));
    carillon
        .type("calendars", "show", "weekends")
        .ok()
        .assertOut(
            "Europe/Berlin",
            "saturday, sunday",
            "2026-12-25",
            "Christmas Day",
            "2026-12-23T18:00:00 to 2027-01-02T06:00:00",
            "cron 0 2 * * SUN",
            "PT4H");
    carillon.type("calendars", "get", "weekends", "-o", "yaml").ok().assertOut("timeZone: ");
    assertEquals("weekends deleted", type("calendars", "delete", "weekends"));
    assertEquals("weekends was not there", type("calendars", "delete", "weekends"));
  }

  @Test
  void aFileOfICalendarIsKnownByItsNameOrByItsBeginning() throws IOException {
    Run byName = carillon.type("calendars", "put", "a", file("holidays.ics", ICALENDAR)).ok();
    Run byBeginning =
        carillon.type("calendars", "put", "b", file("holidays", "\ufeff" + ICALENDAR)).ok();
    Run wrong = carillon.type("calendars", "put", "c", file("empty.ICS", "{}"));

    assertEquals("a created, 1 span, UTC\n", byName.out());
    byName.assertErr("carillon: 1 left out:", "  2: is cancelled (STATUS:CANCELLED)");
    Run zoned =
        carillon.type("calendars", "put", "c", file("c.ics", ICALENDAR), "--tz=Europe/Berlin").ok();
    assertEquals("c created, 1 span, Europe/Berlin\n", zoned.out());
    assertEquals("b created, 1 span, UTC\n", byBeginning.out());
    String timed = ICALENDAR.replace(";VALUE=DATE:20261225", ":20261225T100000\r\nDURATION:PT1H");
    String free = timed.replace("SUMMARY", "TRANSP:TRANSPARENT\r\nSUMMARY");
    carillon
        .type("calendars", "put", "d", file("d.ics", free))
        .ok()
        .assertErr("carillon: 2 left out:", "  Christmas Day: is timed and marked as free time");
    carillon
        .type("calendars", "put", "d", file("d.ics", free), "--include-transparent")
        .ok()
        .assertErr("carillon: 1 left out:");
    assertEquals(1, wrong.code());
  }

  @Test
  void aShownCalendarCanBePutUnderAnotherName() throws IOException {
    type("calendars", "put", "a", file("a.json", WEEKENDS));

    String shown = type("calendars", "get", "a", "--json");

    assertEquals(
        "b created, 4 spans, Europe/Berlin",
        type("calendars", "put", "b", file("copy.json", shown)));
  }

  @Test
  void aCalendarThatJobsNameIsDeletedByForceAlone() throws IOException {
    type("calendars", "put", "weekends", file("a.json", WEEKENDS));
    api.put(
            "/jobcollections/default/jobs/a",
            "{`recurrence`:{`frequency`:`day`},`calendars`:{`exclude`:`weekends`},"
                + "`action`:{`request`:{`uri`:`https://h/`}}}")
        .assertStatus(201);

    Run refused = carillon.type("calendars", "delete", "weekends");

    assertEquals(1, refused.code());
    refused.assertErr("; --force deletes it anyway");
    assertEquals("weekends deleted", type("calendars", "delete", "weekends", "--force"));
  }

  @Test
  void aNameThatIsNotThereIsAnsweredWithTheNearest() throws IOException {
    type("calendars", "put", "holidays-de", file("a.json", WEEKENDS));
    api.put("/flows/vendor", "{}").assertStatus(201);
    api.put("/jobcollections/orders", "{}").assertStatus(201);
    api.put(
            "/jobcollections/orders/jobs/nightly",
            "{`startTime`:`2026-11-21T05:00:00Z`,`action`:{`request`:{`uri`:`https://h/`}}}")
        .assertStatus(201);

    for (String[] mistyped :
        new String[][] {
          {"calendars", "get", "holiday-de", "holidays-de"},
          {"flows", "get", "vendr", "vendor"},
          {"collections", "get", "order", "orders"},
          {"jobs", "get", "orders/nigthly", "nightly"}
        }) {
      Run run = carillon.type(mistyped[0], mistyped[1], mistyped[2]);

      assertEquals(1, run.code());
      run.assertErr("; did you mean '" + mistyped[3] + "'?");
    }
    Run far = carillon.type("calendars", "get", "something");
    assertEquals(1, far.code());
    assertEquals(-1, far.err().indexOf("did you mean"), far.err());
  }

  @Test
  void calendarsOfOtherGroupsAreNamedByOptions() throws IOException {
    String json = file("a.json", WEEKENDS);
    type("calendars", "put", "c", json, "--subscription", "s1", "--group", "g1");

    assertEquals("c", type("calendars", "list", "-o", "name", "--subscription=s1", "--group=g1"));
    assertEquals("", type("calendars", "list", "-o", "name"));
  }

  @Test
  void whatIsNoNameOrNoDocumentIsRefusedAtOnce() throws IOException {
    Run wrong = carillon.type("calendars", "get", "a b");
    Run empty = carillon.type("calendars", "put", "a", file("empty", ""));

    assertEquals(2, wrong.code());
    wrong.assertErr("a calendar must be letters, digits, '.', '_' and '-', was 'a b'");
    assertEquals(2, empty.code());
    empty.assertErr("there is no document");
  }
}
