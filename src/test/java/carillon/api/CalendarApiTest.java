package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of calendars as clients write and read them, and of jobs that use them. */
class CalendarApiTest extends WithScheduledJobs {
  private static final String CALENDAR = "/calendars/holidays";
  private static final String HOLIDAYS =
      "{`timeZone`:`Europe/Berlin`,`spans`:["
          + "{`date`:`2026-12-25`,`name`:`Christmas Day`},{`weekDays`:[`saturday`,`sunday`]}]}";

  private static String daily(String calendars) {
    return "{`action`:{`type`:`http`,`request`:{`uri`:`http://127.0.0.1:9/`,`method`:`GET`}},"
        + "`startTime`:`2026-12-25T10:00:00Z`,`recurrence`:{`frequency`:`day`},`calendars`:"
        + calendars
        + "}";
  }

  @Test
  void aCalendarIsAnsweredAsItWasGiven() {
    Answer made = api.put(CALENDAR, HOLIDAYS).assertStatus(201);

    JsonObject whole = new JsonObject(HOLIDAYS.replace('`', '"')).put("name", "holidays");
    assertEquals(whole, made.json());
    assertEquals(whole, get(CALENDAR));
    assertEquals(made.header("ETag"), api.get(CALENDAR).header("ETag"));
    api.put(CALENDAR, whole.encode()).assertStatus(200);
  }

  @Test
  void aListTellsTheirNamesAndHowManySpansTheyHave() {
    api.put(CALENDAR, HOLIDAYS).assertStatus(201);
    api.put("/calendars/a", "{`spans`:[{`date`:`2026-12-25`}]}").assertStatus(201);
    api.put("/groups/s/g/calendars/other", HOLIDAYS).assertStatus(201);

    assertEquals(
        "[{`name`:`a`,`spanCount`:1},{`name`:`holidays`,`timeZone`:`Europe/Berlin`,`spanCount`:2}]"
            .replace('`', '"'),
        get("/calendars").getJsonArray("value").encode());
    JsonObject page = get("/calendars?$top=1");
    assertEquals(1, page.getJsonArray("value").size());
    assertTrue(page.getString("nextLink").contains("skiptoken"), page::encode);
  }

  @Test
  void conditionsHold() {
    api.put(CALENDAR, HOLIDAYS).assertStatus(201);

    api.send("PUT", CALENDAR, HOLIDAYS, "If-None-Match", "*").assertStatus(412);
    api.send("DELETE", CALENDAR, "", "If-Match", "\"7\"").assertStatus(412);
  }

  @Test
  void eventsOfIcalendarBecomeSpans() {
    String text =
        """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        DTSTART;VALUE=DATE:20261225
        SUMMARY:Christmas Day
        END:VEVENT
        BEGIN:VEVENT
        STATUS:CANCELLED
        DTSTART;VALUE=DATE:20261226
        END:VEVENT
        END:VCALENDAR
        """;

    Answer made =
        api.send("PUT", CALENDAR, text, "Content-Type", "text/calendar; charset=utf-8")
            .assertStatus(201);

    assertEquals(
        ("{`name`:`holidays`,`spans`:[{`date`:`2026-12-25`,`name`:`Christmas Day`}],`leftOut`:1,"
                + "`leftOutEvents`:[{`event`:`event 2 of the file`,"
                + "`reason`:`is cancelled (STATUS:CANCELLED)`}]}")
            .replace('`', '"'),
        made.json().encode());
    api.send("PUT", "/flows/crm", text, "Content-Type", "text/calendar").assertStatus(415);
    assertTrue(
        api.send("PUT", CALENDAR, text, "Content-Type", "text/plain")
            .assertStatus(415)
            .body()
            .contains("'Content-Type: application/json' or 'Content-Type: text/calendar'"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"utf8", "UTF8", "\"utf8\"", "utf-8", "\"UTF-8\"; method=publish"})
  void aBodyMaySayUtf8InAnyWay(String charset) {
    String text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261225\nEND:VEVENT\nEND:VCALENDAR\n";

    api.send("PUT", CALENDAR, text, "Content-Type", "text/calendar;charset=" + charset)
        .assertStatus(201);
    api.send("PUT", CALENDAR, HOLIDAYS, "Content-Type", "application/json; charset=" + charset)
        .assertStatus(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/calendar", "application/json"})
  void anotherCharsetIsRefusedByItsName(String type) {
    Answer refused =
        api.send(
            "PUT", CALENDAR, HOLIDAYS, "Content-Type", type + "; method=publish; charset=UTF-16");

    refused.assertError(
        415, "UnsupportedMediaType", "The body must be in UTF-8, not in charset 'utf-16'.");
  }

  @Test
  void aCalendarMayBeLargerThanOtherDocuments() {
    String event =
        "BEGIN:VEVENT\nDTSTART;VALUE=DATE:20261225\nDESCRIPTION:"
            + "x".repeat(400)
            + "\nEND:VEVENT\n";
    String large = "BEGIN:VCALENDAR\n" + event.repeat(2_000) + "END:VCALENDAR\n";

    Answer made =
        api.send("PUT", CALENDAR, large, "Content-Type", "text/calendar").assertStatus(201);

    assertEquals(2_000, made.json().getJsonArray("spans").size());
    api.send("PUT", CALENDAR, large + large, "Content-Type", "text/calendar")
        .assertError(
            413,
            "RequestEntityTooLarge",
            "The body is larger than the 1048576 bytes allowed (http.maxCalendar).");
  }

  /** Published holiday calendars mark holidays as free time. */
  @Test
  void aJobDoesNotRunOnAHolidayThatIsMarkedAsFreeTime() {
    String text =
        """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        DTSTART;VALUE=DATE:20261225
        TRANSP:TRANSPARENT
        END:VEVENT
        BEGIN:VEVENT
        DTSTART:20261226T100000
        DURATION:PT1H
        TRANSP:TRANSPARENT
        SUMMARY:party
        END:VEVENT
        END:VCALENDAR
        """;

    Answer made =
        api.send("PUT", CALENDAR, text, "Content-Type", "text/calendar").assertStatus(201);

    api.put(JOBS + "a", daily("{`exclude`:`holidays`}")).assertStatus(201);
    assertEquals("2026-12-26T10:00:00Z", next("a"));
    assertEquals(
        "party", made.json().getJsonArray("leftOutEvents").getJsonObject(0).getString("event"));
    String all = CALENDAR + "?includeTransparent=true";
    api.send("PUT", all, text, "Content-Type", "text/calendar").assertStatus(200);
    api.put(JOBS + "b", daily("{`exclude`:`holidays`}")).assertStatus(201);
    assertEquals("2026-12-27T10:00:00Z", next("b"));
    api.put(all, HOLIDAYS)
        .assertError(400, "BadRequest", "Parameter includeTransparent is for text/calendar.");
  }

  @Test
  void iCalendarHasTheTimeZoneThatIsGiven() {
    String text =
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20261225\nEND:VEVENT\nEND:VCALENDAR\n";
    String zoned = CALENDAR + "?timeZone=";

    api.send("PUT", zoned + "Europe/Berlin", text, "Content-Type", "text/calendar")
        .assertStatus(201);

    assertEquals("Europe/Berlin", get(CALENDAR).getString("timeZone"));
    assertTrue(
        api.send("PUT", zoned + "Moon/Base", text, "Content-Type", "text/calendar")
            .assertStatus(400)
            .body()
            .contains("timeZone: 'Moon/Base'"));
    api.put(zoned + "Europe/Berlin", HOLIDAYS).assertStatus(400);
  }

  @Test
  void anotherNameThanThatOfTheAddressIsRefused() {
    api.put(CALENDAR, HOLIDAYS.replace("{`timeZone`", "{`name`:`other`,`timeZone`"))
        .assertError(400, "BadRequest", "name: 'other' must be 'holidays', as in the address");
    api.put(CALENDAR, HOLIDAYS.replace("{`timeZone`", "{`name`:`Holidays`,`timeZone`"))
        .assertStatus(201);
  }

  @Test
  void aTimeZoneThatIsGivenAsNothingIsRefused() {
    String text =
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20261225\nEND:VEVENT\nEND:VCALENDAR\n";

    api.send("PUT", CALENDAR + "?timeZone=", text, "Content-Type", "text/calendar")
        .assertError(400, "BadRequest", "timeZone: '' must not be empty; leave it out instead");
    api.put(CALENDAR + "?timeZone=", HOLIDAYS).assertStatus(400);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{`exclude`:`nothing`} | calendars.exclude: 'nothing' must be the name of a calendar; make it first",
        "{`only`:[`holidays`,`nothing`]} | calendars.only: 'nothing' must be the name of a calendar; make it first",
        "{`exclude`:`always`} | calendars: 'always' must leave an occurrence; those from 2026-12-25T10:00:00Z on are excluded, all of them or too many in a row",
        "{} | calendars: must have exclude or only",
        "{`exclude`:[`holidays`,`Holidays`]} | calendars.exclude[1]: 'Holidays' must be named once; calendars.exclude[0] names it, too",
        "{`only`:[`always`,`holidays`,`always`]} | calendars.only[2]: 'always' must be named once; calendars.only[0] names it, too",
        "{`exclude`:`holidays`,`only`:[`always`,`holidays`]} | calendars.only[1]: 'holidays' must be named once; calendars.exclude names it, too",
      })
  void badCalendarsOfAJobAreRefused(String calendars, String message) {
    api.put(CALENDAR, HOLIDAYS).assertStatus(201);
    api.put(
            "/calendars/always",
            "{`spans`:[{`from`:`1970-01-01`,`to`:`9999-12-31`},{`date`:`9999-12-31`}]}")
        .assertStatus(201);

    Answer refused = api.put(JOBS + "a", daily(calendars)).assertStatus(400);

    assertEquals(message, refused.json().getJsonObject("error").getString("message"));
  }

  /** The dialects of Azure accept duplicate names as the service did. */
  @Test
  void calendarsThatAreStoredTwiceHinderNoOtherChange() {
    api.put(CALENDAR, HOLIDAYS).assertStatus(201);
    String twice = "{`exclude`:[`holidays`,`holidays`]}";
    api.put(arm("a"), "{`properties`:" + daily(twice) + "}").assertStatus(201);

    assertEquals(
        new JsonObject(twice.replace('`', '"')), get(JOBS + "a").getJsonObject("calendars"));
    api.patch(JOBS + "a", "{`priority`:1}").assertStatus(200);
    api.patch(JOBS + "a", "{`calendars`:{`onExcluded`:`after`}}").assertStatus(400);
    api.post(
            "/preview",
            "{`recurrence`:{`frequency`:`day`},`calendars`:{`exclude`:[`holidays`,`holidays`]}}")
        .assertError(
            400,
            "BadRequest",
            "calendars.exclude[1]: 'holidays' must be named once; calendars.exclude[0] names it,"
                + " too");
  }

  @Test
  void aMoveByDaysNeedsFewTimesOfDay() {
    api.put(CALENDAR, HOLIDAYS).assertStatus(201);

    Answer refused =
        api.put(
                JOBS + "a",
                daily("{`exclude`:`holidays`,`onExcluded`:`nextDay`}")
                    .replace("`frequency`:`day`", "`cron`:`0 9-11 * * *`"))
            .assertStatus(400);

    assertEquals(
        "calendars.onExcluded: 'nextDay' needs a recurrence with at most 2 different times of day;"
            + " use skip or after",
        refused.json().getJsonObject("error").getString("message"));
  }

  @ParameterizedTest
  @CsvSource({
    "skip,2026-12-28T10:00:00Z",
    "after,2026-12-25T23:00:00Z",
    "nextDay,2026-12-28T10:00:00Z",
    "previousDay,2026-12-28T10:00:00Z"
  })
  void theFirstOccurrenceIsOneThatIsNotExcluded(String onExcluded, String next) {
    String calendar = "{`spans`:[{`date`:`2026-12-25`},{`weekDays`:[`saturday`,`sunday`]}]}";
    api.put(CALENDAR, onExcluded.equals("after") ? HOLIDAYS : calendar).assertStatus(201);
    String expected = onExcluded.equals("after") ? "2026-12-27T23:00:00Z" : next;

    String policy = "{`exclude`:`Holidays`,`onExcluded`:`" + onExcluded + "`}";
    api.put(JOBS + "a", daily(policy)).assertStatus(201);

    assertEquals(expected, next("a"));
    api.post(JOBS + "a/disable", "").assertStatus(200);
    api.post(JOBS + "a/enable", "").assertStatus(200);
    assertEquals(expected, next("a"));
    assertEquals(expected, get(JOBS + "a/occurrences").getJsonArray("occurrences").getString(0));
  }

  @Test
  void aCalendarInUseIsDeletedOnlyByForce() {
    api.put(CALENDAR, HOLIDAYS).assertStatus(201);
    api.put(JOBS + "a", daily("{`exclude`:`holidays`}")).assertStatus(201);
    api.put(JOBS + "b", daily("{`only`:`holidays`}")).assertStatus(201);

    Answer refused = api.delete(CALENDAR).assertStatus(409);

    assertEquals(
        "2 jobs name calendar 'holidays'; change them first, or delete it with ?force=true to let"
            + " them run without it.",
        refused.json().getJsonObject("error").getString("message"));
    api.delete(JOBS + "b").assertStatus(200);
    api.put(JOBS + "a", daily("{`exclude`:`holidays`}").replace("`exclude`", "`only`"))
        .assertStatus(200);
    assertTrue(
        api.delete(CALENDAR).assertStatus(409).body().contains("1 job names"), "only one is left");
    api.delete(CALENDAR + "?force=true").assertStatus(200);
    api.delete(CALENDAR).assertStatus(204);
    api.get(CALENDAR).assertStatus(404);
    api.patch(JOBS + "a", "{}").assertStatus(200);
  }

  /** The schedule would be refused if the job were new. */
  @Test
  void aJobThatWaitsForItsCalendarCanBeChanged() {
    api.put(CALENDAR, HOLIDAYS).assertStatus(201);
    String job = daily("{`exclude`:`holidays`}");
    api.put(JOBS + "a", job).assertStatus(201);
    String always = "{`spans`:[{`from`:`1970-01-01`,`to`:`9999-12-31`},{`date`:`9999-12-31`}]}";
    api.put(CALENDAR, always).assertStatus(200);

    api.patch(JOBS + "a", "{`priority`:null}").assertStatus(200);
    api.put(JOBS + "a", job.replace("127.0.0.1:9/", "127.0.0.1:9/new")).assertStatus(200);

    assertEquals("enabled", get(JOBS + "a").getString("state"));
    api.patch(JOBS + "a", "{`startTime`:`2026-12-25T11:00:00Z`}").assertStatus(400);
    api.put(JOBS + "b", job).assertStatus(400);
  }

  @Test
  void aJobThatNamesACalendarNoMoreDoesNotHoldIt() {
    api.put(CALENDAR, HOLIDAYS).assertStatus(201);
    api.put(JOBS + "a", daily("{`exclude`:`holidays`}")).assertStatus(201);
    api.patch(JOBS + "a", "{`calendars`:null}").assertStatus(200);

    assertFalse(get(JOBS + "a").containsKey("calendars"));
    api.delete(CALENDAR).assertStatus(200);
  }

  @Test
  void anExplanationTellsWhatIsExcluded() {
    api.put(CALENDAR, HOLIDAYS).assertStatus(201);
    String asked =
        "{`startTime`:`2026-12-25T10:00:00Z`,`recurrence`:{`frequency`:`day`},`top`:1,"
            + "`calendars`:{`exclude`:`holidays`}}";

    JsonObject explained = api.post("/explain", asked).assertStatus(200).json();

    assertEquals("2026-12-28T10:00:00Z", at(explained, "occurrences", 0));
    assertEquals("2026-12-25T10:00:00Z", at(explained, "excluded", 0));
    assertEquals("2026-12-27T10:00:00Z", at(explained, "excluded", 2));
    assertEquals(
        "Christmas Day", explained.getJsonArray("excluded").getJsonObject(0).getString("name"));
    assertTrue(explained.getString("words").endsWith(", except holidays"), explained::encode);
    api.post("/preview", asked.replace("holidays", "nothing")).assertStatus(400);
    assertEquals(
        "2026-12-28T10:00:00Z",
        api.post("/preview", asked).json().getJsonArray("occurrences").getString(0));
  }

  private static String at(JsonObject explained, String list, int index) {
    return explained.getJsonArray(list).getJsonObject(index).getString("at");
  }
}
