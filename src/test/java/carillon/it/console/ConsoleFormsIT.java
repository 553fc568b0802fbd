package carillon.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** Test of the console's forms for jobs and collections in a real browser. */
class ConsoleFormsIT extends ConsoleTestBase {
  @Test
  void aJobIsMadeWithTheFormAndSeenToFire() {
    data.put("/jobcollections/made", "{}");

    browser.open("#/c/made");
    browser.see("h1", "made");
    browser.press("n");
    browser.see("h1", "New job");
    browser.type("input[name=name]", "by-form");
    browser.type("input[name='action.request.uri']", "no address");
    browser.see(".bad-text", "no address");
    typeTarget("/ok");
    browser.click(".segments label", "Weekdays at");
    browser.see(".explained .words", "on Monday to Friday at 09:00 UTC");
    browser.click(".day-chip", "Fri");
    browser.see(".explained .words", "on Monday to Thursday at 09:00 UTC");
    browser.click(".segments label", "Monthly on");
    browser.choose("select[name=on]", "the day 31");
    browser.see(".explained .warning", "not every month has such a day");
    browser.choose("select[name=on]", "the last …");
    browser.choose("select[name=weekday]", "Friday");
    browser.see(".explained .words", "on the last Friday at 09:00 UTC");
    browser.click(".segments label", "All options");
    browser.choose("select[name='recurrence.frequency']", "every week");
    browser.click("fieldset label", "mon");
    browser.type("input[name='recurrence.schedule.hours']", "5, 17");
    browser.type("input[name='recurrence.schedule.minutes']", "0");
    browser.see(".saying", "every week on Monday at 05:00 and 17:00 UTC");
    browser.choose("select[name='recurrence.frequency']", "every second");
    browser.see(".saying", "every second, counted from each start");
    assertTrue(browser.see("textarea[name=json]", "").getAttribute("value").contains("\"second\""));
    browser.click("button.primary", "Create");
    browser.see("h1", "by-form");

    browser.press("g", "l");
    browser.see("table.live a.row", "made/by-form");
    browser.see("table.live td[data-label=code]", "200");
    browser.see("table.live td.message", "{\"ok\": true");
    browser.click("button", "Pause");
    browser.see("h1 .badge", "paused");
    browser.see("button", "new)");
    browser.click("table.live a.row", "made/by-form");
    browser.click("button", "Disable");
    browser.type("dialog input[name=note]", "ledger is repaired");
    confirm("Disable");
    browser.see("h1 .badge", "disabled");
    browser.see(".facts dd", "ledger is repaired");
    browser.see(".history .badge", "completed");
  }

  @Test
  void aDescriptionAndLabelsAreShownAndFindTheJob() {
    newJob("labelled");
    browser.type("input[name=name]", "job");
    typeTarget("/ok");
    browser.click("details.folded summary", "Description, labels");
    browser.type("textarea[name=description]", "Sends the bills");
    browser.type("textarea[name=labels]", "Team: billing");
    browser.see("label:has(textarea[name=labels]) .bad-text", "1 to 63");
    browser.type("textarea[name=labels]", "team: billing");
    browser.see(".saying", "once");
    browser.click("button.primary", "Create");

    browser.see(".about", "Sends the bills");
    browser.click(".about a.badge", "team=billing");
    browser.see("td.name a.row", "job");
    browser.see("td.name a.badge", "team=billing");
    browser.type("input[aria-label=Labels]", "team=sales");
    browser.press(Keys.ENTER);
    browser.see("td.quiet", "No job matches.");
    assertEquals("/#/c/labelled?label=team%3Dsales", browser.address());
  }

  @Test
  void timesArePickedByTheClocksOfTheJobAndSpansAreWrittenAsPeopleDo() {
    newJob("picked");
    browser.type("input[name=name]", "job");
    typeTarget("/ok");
    browser.click("details.folded summary", "timeout");
    browser.type("input[name='action.timeout']", "soon");
    browser.see("label:has(input[name='action.timeout']) .bad-text", "soon");
    browser.type("input[name='action.timeout']", "1m30s");
    seeJson("\"timeout\": \"PT1M30S\"");
    pick("startTime", "2030-01-31T08:00");
    seeJson("\"startTime\": \"2030-01-31T08:00:00Z\"");
    browser.type("input[name=timeZone]", "Europe/Berlin");
    browser.see(".saying", "once, on 2030-01-31 09:00");
    assertEquals("2030-01-31T09:00", value("startTime"));
    pick("startTime", "2030-01-31T08:00");
    seeJson("\"startTime\": \"2030-01-31T08:00:00\"");
    browser.click("button.primary", "Create");
    browser.see("h1", "job");

    browser.click("a.button", "Edit");
    browser.see("h1", "job");
    browser.see("input[name='action.timeout']", "");
    assertEquals("1 min 30 s", value("action.timeout"));
    assertEquals("2030-01-31T08:00", value("startTime"));
  }

  /**
   * Fills a field for date and time by script, since its keys depend on the language of the
   * browser.
   */
  private static void pick(String field, String time) {
    browser.script(
        "const field = document.getElementsByName(arguments[0])[0]; field.value = arguments[1];"
            + "field.dispatchEvent(new Event('input', {bubbles: true}))",
        field,
        time);
  }

  @Test
  void whatIsWrongIsMarkedAtItsFieldWhateverTheNameAndANameIsMadeUp() {
    newJob("marked");
    browser.type("input[name=name]", "no name");
    browser.type("input[name='action.request.uri']", "no address");
    browser.type("input[name=timeZone]", "Europe/Nowhere");
    browser.see("label:has(input[name=name]) .bad-text", "letters, digits");
    browser.see("label:has(input[name='action.request.uri']) .bad-text", "no address");
    browser.see("label:has(input[name=timeZone]) .bad-text", "Europe/Nowhere");
    browser.type("input[name=timeZone]", "Europe/Berlin");
    typeTarget("/ok");
    browser.script("document.querySelector('input[name=name]').value = ''");
    browser.type("input[name=name]", "x");
    browser.press(Keys.BACK_SPACE);
    browser.see(".saying", "once");
    browser.click("button.primary", "Create");

    browser.see(".toast", "created.");
    browser.see(".target", "/ok");
    assertTrue(browser.address().matches("/#/c/marked/j/[^/]{8,}"), browser.address());
  }

  @Test
  void aFieldThatNobodyHasComeToIsNotToldWrongBeforeItIsLeftOrTheJobMade() {
    newJob("untouched");
    browser.click(".segments label", "Weekdays at");
    browser.see(".explained .words", "on Monday to Friday at 09:00 UTC");
    browser.click(".segments label", "Monthly on");
    browser.see(".explained .words", "on the 1st at 09:00");
    browser.see("[role=status]", "as soon as the job is complete");
    browser.seeNo("form .bad-text", "");
    browser.click("button.primary", "Create");
    browser.see("label:has(input[name='action.request.uri']) .bad-text", "absolute http or https");
    browser.complaints(); // drops the answer 400
    browser.script("location.hash = '#/c/untouched'");
    confirm("Leave");
    browser.see(".empty h2", "There is no job yet.");
    browser.press("n");
    browser.click("input[name='action.request.uri']", "");
    browser.seeNo("form .bad-text", "");
    browser.press(Keys.TAB);
    browser.see("label:has(input[name='action.request.uri']) .bad-text", "absolute http or https");
  }

  @Test
  void aBodyOfJsonGoesWithItsTypeAndTheEmptyPauseIsTheOneThatIsMeant() {
    newJob("typed");
    browser.type("input[name=name]", "json");
    typeTarget("/ok");
    browser.type("textarea[name='action.request.body']", "{\"a\": 1}");
    browser.choose("select[name='action.retryPolicy.retryType']", "Fixed pause");
    seeJson("\"Content-Type\": \"application/json\"");
    String pause = "input[name='action.retryPolicy.retryInterval']";
    assertEquals("1 min", browser.see(pause, "").getAttribute("placeholder"));
    browser.see(".saying", "when submitted");
    browser.click("button.primary", "Create");
    browser.see("h1", "json");

    String job = data.get("/jobcollections/typed/jobs/json").body();
    assertTrue(job.contains("\"Content-Type\":\"application/json\""), job);
    assertTrue(job.contains("\"retryInterval\":\"PT1M\""), job);
  }

  @Test
  void anHttpCallIsOneKindWhateverTheWordThatIsStored() {
    putJob("kinds", "job", data.job("/ok", LATER).replace("\"http\"", "\"https\""));

    browser.open("#/c/kinds/j/job/edit");
    browser.see("select[name='action.type'] option:checked", "HTTP call");
    browser.seeNo("select[name='action.type'] option", "HTTPS");
    typeTarget("/ok?changed");
    browser.see(".saying", "once");
    browser.click("button.primary", "Save");
    browser.see(".toast", "job saved.");

    String job = data.get("/jobcollections/kinds/jobs/job").body();
    assertTrue(job.contains("\"type\":\"https\"") && job.contains("?changed"), job);
  }

  @Test
  void changedSettingsAreNotLeftWithoutAQuestion() {
    data.put("/jobcollections/unsaved", "{}");

    browser.open("#/c/unsaved/settings");
    browser.type("input[name=location]", "here");
    browser.click("h1 a", "unsaved");
    browser.see("dialog h2", "Leave without saving?");
    confirm("Leave");

    browser.see(".empty h2", "There is no job yet.");
  }

  @Test
  void aJobIsChangedAsJson() {
    put("changed", "job", LATER);

    browser.open("#/c/changed/j/job");
    browser.click("a.button", "Edit");
    browser.type("textarea[name=json]", data.job("/ok", ",\"startTime\":\"2031-02-03T04:05:06Z\""));
    browser.see(".saying", "once, on 2031-02-03 04:05:06 UTC");
    browser.click("button.primary", "Save");
    browser.see(".toast", "job saved.");

    browser.see(".occurrences", "2031-02-03 04:05:06");
    assertTrue(
        data.get("/jobcollections/changed/jobs/job").body().contains("2031-02-03T04:05:06Z"));
  }

  @Test
  void whatIsTypedIsKeptWhereSomebodyElseChangedTheJob() {
    put("contested", "job", LATER);
    browser.open("#/c/contested/j/job/edit");
    browser.see(".saying", "once, on 2030-01-01");
    put("contested", "job", ",\"startTime\":\"2031-01-01T00:00:00Z\"");
    typeTarget("/ok?mine");
    browser.see(".saying", "once, on 2030-01-01");
    browser.click("button.primary", "Save");

    browser.see(".conflict tr:has(td:first-child code)", "2031-01-01T00:00:00Z");
    browser.see(".conflict td", "startTime");
    browser.see(".conflict p strong", "operator");
    browser.see(".conflict p", "changed this job");
    browser.see(".conflict td", "?mine");
    browser.complaints(); // drops the answer 412
    assertEquals(data.target("/ok?mine"), value("action.request.uri"));
    browser.click(".conflict button", "Save mine over it");
    browser.see(".toast", "job saved.");

    String stored = data.get("/jobcollections/contested/jobs/job").body();
    assertTrue(stored.contains("?mine") && stored.contains("2030-01-01"), stored);
  }

  @Test
  void aLineThatIsNoHeaderIsNotStoredAsAnEmptyOne() {
    newJob("headers");
    typeTarget("/ok");
    browser.type("textarea[name='action.request.headers']", "X-Trace: 1\nX-Nothing");
    browser.see("label:has(textarea) .bad-text", "a name, a colon and a value");
    assertEquals(
        false, browser.see("form button.primary", "Create").isEnabled(), "cannot be created");
    browser.type("textarea[name='action.request.headers']", "X-Trace: 1\nX-Some: thing");
    browser.see(".saying", "once");
    seeJson("\"X-Some\": \"thing\"");
    browser.script("location.hash = '#/c/headers'");
    confirm("Leave");
  }

  @Test
  void headersThatAreHalfTypedStayAsTheyAreWhenABodyOfJsonIsLeft() {
    newJob("headers");
    typeTarget("/ok");
    browser.type("textarea[name='action.request.headers']", "X-Trace: 1\nAuthor");
    browser.type("textarea[name='action.request.body']", "{\"a\": 1}");
    browser.choose("select[name='action.retryPolicy.retryType']", "Fixed pause");
    seeJson("\"fixed\"");

    assertEquals("X-Trace: 1\nAuthor", value("action.request.headers"));
    seeJson("\"headers\": \"X-Trace: 1\\nAuthor\"");
    browser.script("location.hash = '#/c/headers'");
    confirm("Leave");
  }

  private static void seeJson(String text) {
    Await.until(text, Duration.ofSeconds(60), () -> String.valueOf(value("json")).contains(text));
  }

  @Test
  void collectionsAreMadeAndClosedAndDeleted() {
    browser.open("#/collections");
    browser.type("form.inline input[name=name]", "fresh");
    browser.click("form.inline button", "Create");
    browser.see(".empty h2", "There is no job yet.");
    browser.press("g", "c");
    browser.see("a.row", "fresh");
    browser.click("tr:has(a[href='#/c/fresh']) button", "Disable");
    browser.type("dialog input[name=note]", "audit");
    confirm("Disable");
    browser.see("tr:has(a[href='#/c/fresh']) .badge", "disabled");
    browser.see("tr:has(a[href='#/c/fresh']) .gate", "by operator (key ");
    browser.see("tr:has(a[href='#/c/fresh']) .gate", "): audit");
    browser.click("tr:has(a[href='#/c/fresh']) button", "Delete");
    confirm("Delete");

    browser.seeNo("a.row", "fresh");
  }

  @Test
  void aCollectionGetsLimitsTagsAndSignatures() {
    put("limited", "job", LATER);

    browser.open("#/c/limited");
    browser.click("a.button", "Settings");
    browser.type("input[name=maxJobCount]", "many");
    browser.click("button.primary", "Save");
    browser.see(".problem", "maxJobCount");
    browser.complaints(); // drops the answer 400
    browser.type("input[name=maxJobCount]", "7");
    browser.choose("select[name=frequency]", "minute");
    browser.type("input[name=interval]", "5");
    browser.type("textarea[name=tags]", "team: billing");
    browser.click("button.primary", "Save");
    browser.see(".save", "Saved.");
    browser.click("button", "Sign with a new secret");
    browser.see(".secret", "whsec_");
    browser.see(".badge", "signed");

    String stored = data.get("/jobcollections/limited").body();
    for (String part :
        List.of(
            "\"maxJobCount\":7",
            "\"interval\":5",
            "\"tags\":{\"team\":\"billing\"}",
            "\"secretCount\":1")) {
      assertTrue(stored.contains(part), stored);
    }
    browser.type("textarea[name=tags]", " ");
    browser.click("button.primary", "Save");
    browser.see(".save", "Saved.");
    assertFalse(data.get("/jobcollections/limited").body().contains("billing"));
  }

  @Test
  void aJobIsDuplicatedAndWhatIsNotSavedIsNotLeftWithoutAQuestion() {
    put("twins", "first", LATER);

    browser.open("#/c/twins/j/first");
    browser.click("a.button", "Duplicate");
    browser.see(".saying", "once, on 2030-01-01");
    browser.type("input[name=name]", "no name");
    browser.see(".bad-text", "letters, digits");
    browser.type("input[name=name]", "second");
    browser.click("h1 a", "twins");
    browser.see("dialog h2", "Leave without saving?");
    confirm("Cancel");
    browser.click("button.primary", "Create");
    browser.see("h1", "second");
    browser.see(".toast", "second created.");

    assertEquals(
        lessCreation(data.get("/jobcollections/twins/jobs/first")).replace("first", "second"),
        lessCreation(data.get("/jobcollections/twins/jobs/second")));
  }

  private static String lessCreation(HttpResponse<String> job) {
    return job.body().replaceFirst("\"createdTime\":\"[^\"]*\",", "");
  }

  @Test
  void aDialogKeepsTheFocusAndGivesItBack() {
    put("asks", "job", LATER);

    browser.open("#/c/asks/j/job");
    focus("Disable");
    browser.press(Keys.ENTER);
    browser.see("dialog h2", "Disable");
    for (int i = 0; i < 8; i++) {
      browser.press(Keys.TAB);
      assertEquals(
          0L,
          browser.script(
              "return [...document.querySelectorAll('#app *')].filter(e => e === document.activeElement).length"));
    }
    browser.press(Keys.ESCAPE);
    browser.seeNo("dialog", "");
    assertEquals("Disable", browser.script("return document.activeElement.textContent"));

    browser.press(Keys.ENTER);
    confirm("Disable");
    browser.see("h1 .badge", "disabled");
    Await.until(
        "the focus is on the page",
        Duration.ofSeconds(60),
        () -> "main".equals(browser.script("return document.activeElement.id")));
    browser.press("u");
    browser.see("h1 .badge", "enabled");
  }

  private static void focus(String button) {
    browser.see("main button", button);
    browser.script(
        "[...document.querySelectorAll('main button')]"
            + ".find(e => e.textContent === arguments[0]).focus()",
        button);
  }
}
