package carillon.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKeyToken;
import carillon.support.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** Test of the console's pages about jobs, schedules and operation in a real browser. */
class ConsolePagesIT extends ConsoleTestBase {
  @Test
  void whoSignsInGetsToThePageThatHeAskedForAndMayNotDoMoreThanHisKey() {
    put("seen", "later", LATER);

    browser.open("#/c/seen/j/later");
    browser.see("h1", "later");
    browser.click("nav button", "Sign out");
    signIn(ApiKeyToken.random().reveal());
    browser.see(".problem", "does not accept this key");
    browser.complaints();
    signIn(data.key("auditor", "reader:default/default/seen"));

    browser.see(".saying", "once, on 2030-01-01");
    browser.seeNo("button", "Run now");
    browser.seeNo("nav a", "Destinations");
    browser.press("g", "o");
    browser.see("h1", "Overview");
    browser.see(".tile", "1");
    browser.press("g", "u");
    browser.see("h1", "Forecast");
    browser.see(".heatmap", "");
    assertEquals("", browser.script("return document.cookie"));
    browser.press("g", "c");
    browser.see("a.row", "seen");
    browser.seeNo("button", "Create");
    browser.click("nav button", "Sign out");
    signIn(KEY);
    browser.see("h1", "Collections");
    browser.see("nav a", "Destinations");
  }

  @Test
  void whatAKeyMayNotDoIsSaidAndNotOffered() {
    put("seen", "readonly", LATER);

    browser.open("?readonly#/collections");
    browser.click("nav button", "Sign out");
    signIn(data.key("onlooker", "reader:*"));
    browser.see("nav button", "Sign out");
    browser.complaints(); // drops the refusal before the sign-in
    try {
      browser.open("?keys#/keys");
      browser.see("[role=note]", "role admin for everything");
      assertFalse(browser.see(".actions button", "New key").isEnabled());
      browser.press("n");
      browser.seeNo("dialog", "");
      browser.open("?new#/c/seen/new");
      browser.see("[role=note]", "To create jobs in seen, a key needs the role writer");
      assertFalse(browser.see(".actions button", "Create").isEnabled());
      browser.seeNo("form input", "");
      browser.open("?edit#/c/seen/j/readonly/edit");
      browser.see("[role=note]", "To change jobs of seen, a key needs the role writer");
      assertFalse(browser.see(".actions button", "Save").isEnabled());
      assertEquals(List.of(), browser.complaints(), "nothing is asked for in vain");
      browser.open("?audit#/audit");
      browser.see(".problem", "'onlooker' is not allowed to do this");
      browser.seeNo("main", "No such change");
      browser.seeNo("main", "No change yet");
      browser.seeNo(".problem", "AuthorizationFailed");
      browser.complaints(); // drops the answer 403
    } finally {
      browser.click("nav button", "Sign out");
      signIn(KEY);
      browser.see("nav button", "Sign out");
      browser.complaints();
    }
  }

  @Test
  void addressesAsTheApiNamesThingsLeadToTheirPages() {
    put("guessed", "job", LATER);
    data.put("/groups/sales/eu/jobcollections/guessed", "{}");
    data.put("/flows/guessed", "{\"parallelism\":3}");
    data.put("/flows/other", "{\"parallelism\":4}");

    browser.open("?guessed#/collections/guessed?state=enabled");
    browser.seeAddress("#/c/guessed?state=enabled");
    browser.see("a.row", "job");
    browser.open("?guessed#/jobcollections/guessed/jobs/job");
    browser.seeAddress("#/c/guessed/j/job");
    browser.see("h1", "job");
    browser.open("?guessed#/groups/sales/eu/jobcollections/guessed");
    browser.seeAddress("#/g/sales/eu/c/guessed");
    browser.see(".empty h2", "There is no job yet.");
    browser.open("?guessed#/flows");
    browser.click("a.row", "guessed");
    browser.seeAddress("#/flows/guessed");
    browser.see("h1", "Flows guessed");
    browser.see("td", "3 in flight");
    browser.seeNo("td", "other");
    browser.open("?guessed#/nowhere");
    browser.see("h1", "Nothing is here");
    browser.see("p code", "#/c/orders/j/sync");
    data.delete("/flows/guessed");
    data.delete("/flows/other");
  }

  @Test
  void aFilterThatAPageDoesNotKnowIsTold() {
    put("unfiltered", "job", LATER);

    browser.open("?unknown#/c/unfiltered?q=nothing&state=enabled");
    browser.see("a.row", "job");
    browser.see(".ignored", "does not filter by q, only by name, state");
    browser.open("?known#/c/unfiltered?state=enabled");
    browser.see("a.row", "job");
    browser.seeNo(".ignored", "");
  }

  @Test
  void theOverviewTellsOfJobsAndWhatIsDue() {
    put("seen", "tomorrow", LATER);

    browser.open("#/");

    browser.see("h1", "Overview");
    browser.see(".tile", "enabled");
    browser.see(".card h2", "Jobs due in the next day");
    browser.see(".caption", "however often it runs afterwards");
    browser.see(".card h2", "Attempts by the minute");
    browser.see(".facts", "memory");
    browser.see("td .badge", "alive");
  }

  @Test
  void aJobTellsItsScheduleAndItsHistory() {
    put(
        "told",
        "fortnightly",
        ",\"startTime\":\"2026-01-01T00:00:00Z\",\"recurrence\":{\"frequency\":\"week\","
            + "\"interval\":2,\"schedule\":{\"weekDays\":[\"monday\",\"friday\"],"
            + "\"hours\":[5,17],\"minutes\":[0]}}");

    browser.open("#/c/told");
    browser.click("a.row", "fortnightly");
    browser.see(".saying", "every 2 weeks on Monday and Friday at 05:00 and 17:00 UTC");
    browser.see(".occurrences", "05:00:00");
    browser.see(".calendar", "Mon");
    browser.click("button", "Run now");

    browser.click(".history button.row", "");
    browser.see("tr.detail pre", "\"ok\": true");
    browser.click(".tabs button", "Request");
    browser.see("tr.detail pre", "/ok");
    browser.see("tr.detail pre", "\"run\": true");
    browser.see(".headers", "Carillon-Attempt");
    browser.click(".tabs button", "Headers");
    browser.see(".headers dd", "r-1");
    browser.see("td", "by hand");
  }

  @Test
  void theHistoryAsAPictureHasUnitsAndTellsTheAttemptThatHasTheFocus() {
    putJob("pictured", "job", data.job("/fail", ""));

    browser.open("#/c/pictured/j/job");
    browser.see("h1", "faulted");
    browser.see(".timeline figcaption", "down: how late it began");
    String units =
        (String) browser.script("return document.querySelector('.timeline .scale').textContent");
    assertTrue(units.matches("\\d+ m?s.*0\\d+ (s|min)"), units);
    browser.script("document.querySelector('.timeline button[tabindex=\"0\"]').focus()");
    browser.press(Keys.HOME);
    String told =
        (String)
            browser.script("return getComputedStyle(document.activeElement, '::after').content");
    assertTrue(told.contains("failed, took ") && told.contains(" late"), told);
    browser.press(Keys.ENTER);

    browser.see("tr.detail pre", "database is away");
    browser.see("tr.selected td", "#1");
  }

  @Test
  void jobsOfAPausedCollectionSayWhatTheyWaitForAndPromiseNoInstant() {
    put("resting", "weekly", ",\"recurrence\":{\"cron\":\"0 9 * * MON\"}");
    data.put("/jobcollections/resting/jobs/once", data.job("/ok", LATER));
    String note = "the order service is being moved to another data centre, ask Ada";
    data.post("/jobcollections/resting/disable", "{\"note\":\"" + note + "\"}");

    browser.open("#/c/resting");
    browser.see("td .held", "waits: collection resting is paused by");
    for (int width : new int[] {1280, 390}) {
      browser.size(width, 900);
      Object isWider =
          browser.script(
              "const box = document.querySelector('.card.scroll');"
                  + "return box.scrollWidth > box.clientWidth");
      assertEquals(false, isWider, "at " + width);
    }
    browser.size(1280, 900);
    browser.open("#/c/resting/j/weekly");
    browser.see(".hint", note);
    browser.see("dt", "waits");
    browser.seeNo("dt", "next");
    browser.see("p", "Without the pause it would run:");
    browser.see(".would .occurrences li:nth-child(10)", "09:00:00");
    browser.open("#/c/resting/j/once");
    browser.see(".hint", note);
    browser.seeNo("dt", "next");
    browser.seeNo(".occurrences", "");
    String end = Instant.now().plus(8, ChronoUnit.DAYS).toString();
    data.post("/jobcollections/resting/enable", "");
    data.post("/jobcollections/resting/disable", "{\"until\":\"" + end + "\"}");
    browser.open("?until#/c/resting/j/weekly");
    browser.see(".occurrences li:nth-child(8)", "09:00:00");
    browser.seeNo(".would", "");
  }

  @Test
  void aLongMessageOfAnAttemptIsShownInTwoLines() {
    putJob("wordy", "j", failing("/fail", ""));

    browser.open("#/runs?collection=wordy");
    browser.see("td.message", "database is away");
    Object isCut =
        browser.script(
            "const line = document.querySelector('td.message > div');"
                + "return line.scrollHeight > line.clientHeight || line.scrollWidth > line.clientWidth");
    assertEquals(false, isCut);
  }

  @Test
  void aDisabledJobSaysWhenItWouldRunAndOneThatRunsOftenHowOften() {
    String disabled = ",\"state\":\"disabled\",";
    put("paused", "weekly", disabled + "\"recurrence\":{\"cron\":\"0 9 * * MON\"}");
    put("paused", "often", disabled + "\"recurrence\":{\"cron\":\"* * * * *\"}");

    browser.open("#/c/paused/j/weekly");
    browser.see("p", "Paused; it would run:");
    browser.see(".would .occurrences li:nth-child(10)", "09:00:00");
    browser.see(".calendar.would tr:nth-child(2) td:first-child .count", "1");
    browser.see(".calendar.would tr:nth-child(6) td:first-child .count", "1");
    browser.seeNo(".calendar.would td:nth-child(2) .count", "");
    browser.open("#/c/paused/j/often");
    browser.see(".would .rhythm", "One every 1 min, up to 1,440 occurrences a day");
    browser.seeNo(".calendar", "");
    browser.click("a.button", "Edit");

    browser.see("[role=status] .rhythm", "One every 1 min, up to 1,440 occurrences a day");
    browser.seeNo(".calendar", "");
  }

  @Test
  void theRequestOfAnAttemptShowsNoSecretsAndSaysThatItIsTheJobAsItIsNow() {
    data.put("/jobcollections/asked", "{}");
    data.put(
        "/jobcollections/asked/jobs/once",
        data.job("/ok?sig=hush-of-url", "")
            .replace("{\"Content-Type\"", "{\"Authorization\":\"Bearer hush\",\"Content-Type\"")
            .replace("{\\\"run\\\": true}", "x".repeat(5000)));

    browser.open("#/c/asked/j/once");
    browser.click(".history button.row", "");
    browser.click(".tabs button", "Request");

    browser.see("tr.detail .caption", "now");
    browser.see("tr.detail pre", "sig=***");
    browser.see(".headers", "***");
    browser.see("tr.detail pre", "4,096 of 5,000 characters");
    assertFalse(String.valueOf(browser.script("return document.body.innerText")).contains("hush"));
  }

  @Test
  void theFilterOfWhatRunsNowIsInTheAddressAndComesBackWithIt() {
    put("watched", "seen-live", LATER);
    put("watched", "other", LATER);

    browser.open("?live#/live");
    browser.see("h1 .badge", "watching");
    browser.type("input[aria-label=Collection]", "watched");
    browser.type("input[placeholder^=Part]", "live");
    browser.choose("select[aria-label=Status]", "completed");
    browser.seeAddress("#/live?collection=watched&job=live&status=completed");
    browser.script("location.hash = '#/runs'");
    browser.see("h1", "Runs");
    browser.script("history.back()");
    browser.see("h1 .badge", "watching");
    assertEquals(
        List.of("watched", "live", "completed"),
        browser.script(
            "return [...document.querySelectorAll('.toolbar input, .toolbar select')]"
                + ".map(e => e.value)"));
    browser.seeNo(".ignored", "");
    data.post("/jobcollections/watched/jobs/other/run");
    data.post("/jobcollections/watched/jobs/seen-live/run");

    browser.see("table.live a.row", "watched/seen-live");
    browser.seeNo("table.live a.row", "watched/other");
  }

  @Test
  void whatATargetAnswersIsTextAndNothingElse() {
    putJob("hostile", "fails", failing("/fail", ""));

    browser.open("#/c/hostile/j/fails");
    browser.see("h1", "faulted");
    browser.click(".history button.row", "");

    browser.see("tr.detail pre", "<script>alert('no')</script>");
    assertEquals(0L, browser.script("return document.querySelectorAll('main script').length"));
  }

  @Test
  void theForecastLeadsToTheJobsOfAnHour() {
    put("planned", "hourly", ",\"recurrence\":{\"cron\":\"17 * * * *\"}");

    browser.open("#/forecast");
    browser.see("h1", "Forecast");
    browser.see(".heatmap.hours a.cell", "");
    browser.script("document.querySelectorAll('.heatmap.hours a.sum')[1].click()");
    browser.see("table a.row", "planned/hourly");
    browser.see("td.num", "24");
    browser.click("table a.row", "planned/hourly");

    browser.see("h1", "hourly");
  }

  @Test
  void aJobSaysWhichRetryIsToComeAndWhichFlowHoldsItBack() {
    data.put("/jobcollections/waits", "{}");
    data.put(
        "/jobcollections/waits/jobs/retried",
        data.job("/fail", "")
            .replace("PT1S", "PT1H")
            .replace("\"retryCount\":2", "\"retryCount\":5"));
    data.put("/flows/vendor", "{\"collections\":[\"waits\"],\"breaker\":{\"consecutive\":1}}");
    String passes =
        data.job("/fail", "").replace("\"retryPolicy\"", "\"flow\":\"vendor\",\"retryPolicy\"");

    browser.open("#/c/waits/j/retried");
    browser.see(".facts dt", "retry 1 of 5");
    browser.see(".facts dd", "in 59 min");
    data.put("/jobcollections/waits/jobs/opens", passes);
    browser.open("#/c/waits/j/opens");
    browser.see(".history .badge", "failed");
    data.put("/jobcollections/waits/jobs/held", passes);
    browser.open("#/c/waits/j/held");
    browser.see(".facts dd a", "flow vendor");
    browser.see("p", "its flow holds it back");
    browser.open("#/");
    browser.click(".attention a", "Breaker of flow 'vendor' is open");

    browser.seeAddress("#/flows/vendor");
    browser.see("td.gate .badge", "breaker open");
    browser.see("td", "breaker at 1 failure in a row");
    leaveAndDelete("/flows/vendor");
  }

  @Test
  void aJobIsDrawnBeforeItIsKnownWhatOfItWaits() {
    data.put("/jobcollections/waits", "{}");
    data.put("/jobcollections/waits/jobs/early", data.job("/fail", "").replace("PT1S", "PT1H"));

    browser.open("?drawn#/runs");
    browser.see("h1", "Runs");
    browser.script(NO_ANSWER_ABOUT_WAITING);
    browser.script("location.hash = '#/c/waits/j/early'");

    browser.see(".history .badge", "failed");
    browser.script("answer()");
    browser.see(".facts dt", "retry 1 of 2");
  }

  /** Delays the page's requests for waiting attempts until {@code answer()}. */
  private static final String NO_ANSWER_ABOUT_WAITING =
      """
      const send = window.fetch;
      const answered = new Promise(done => { window.answer = done; });
      window.fetch = async (path, options) => {
        if (/\\/waiting$|^\\/due|^\\/executions\\?state=retrying/.test(path)) await answered;
        return send(path, options);
      };
      """;

  @Test
  void theForecastShowsWhichOfItsFiguresAreNotComplete() {
    put("planned", "hourly", ",\"recurrence\":{\"cron\":\"17 * * * *\"}");

    browser.open("?partial#/runs");
    browser.see("h1", "Runs");
    browser.script(COMPLETE_FOR_TWO_HOURS);
    browser.script("location.hash = '#/forecast'");
    browser.see(".warning", "Complete until");
    browser.see(".warning", "Some 1,234 further jobs run then or later");
    browser.see("a.sum", "+");
    String cells = "return document.querySelectorAll('.heatmap.minutes a.cell%s').length";
    assertEquals(120L, browser.script(cells.formatted("[href*=forecast]:not(.partial)")));
    assertTrue((Long) browser.script(cells.formatted(".partial")) > 1000);
    assertEquals(
        true,
        browser.script(
            "return document.querySelector('a.cell.partial').title.endsWith('at least')"));
    browser.open("?whole#/forecast");
    browser.see(".caption", "all that will run");
    browser.seeNo(".warning", "");
  }

  /** Changes the answer of a forecast as if more jobs were stored than it covers. */
  private static final String COMPLETE_FOR_TWO_HOURS =
      """
      const send = window.fetch;
      window.fetch = async (path, options) => {
        const answer = await send(path, options);
        if (path !== '/forecast') return answer;
        const found = await answer.json();
        const until = new Date(Date.parse(found.day.from) + 120 * 60_000).toISOString();
        return new Response(JSON.stringify({...found, completeUntil: until, others: 1234}));
      };
      """;

  /** Leaves the page before the deletion, since its next refresh would report an error. */
  private static void leaveAndDelete(String path) {
    browser.open("?left#/collections");
    browser.see("h1", "Collections");
    data.delete(path);
  }

  @Test
  void aFlowIsPausedResumedAndItsLogIsShown() {
    data.put("/flows/crm", "{\"match\":[\"api.crm.example\"],\"rate\":{\"limit\":100}}");
    browser.open("#/flows");
    browser.see("td.name", "crm");
    browser.click("td.actions button", "Pause");
    browser.type("dialog input[name=note]", "ticket 4711");
    confirm("Pause");
    browser.see(".toast", "crm paused.");
    browser.see("td.gate", "ticket 4711");
    browser.click("td.actions button", "Resume");
    browser.see(".toast", "crm resumed.");
    browser.see("td.gate .badge", "calls pass");
    browser.click("td.actions button", "Log");

    browser.see("dialog td", "ticket 4711");
    browser.click("dialog header button", "✕");
    browser.seeNo("dialog td", "ticket 4711");
  }

  @Test
  void aFlowIsMadeAndItsLimitsAreChanged() {
    browser.open("#/flows");
    browser.see("h1", "Flows");
    browser.press("n");
    confirm("Save");
    browser.see("dialog .problem", "A flow needs a name.");
    browser.type("dialog input[name=flow]", "made");
    browser.type("dialog textarea", "{\"parallelism\": 3}");
    confirm("Save");
    browser.see("tr:has(button) td", "3 in flight");
    browser.click("tr:has(td.name) button", "Limits");
    browser.type("dialog textarea", "{\"parallelism\": 4}");
    confirm("Save");

    browser.see("tr:has(button) td", "4 in flight");
    assertTrue(data.get("/flows/made").body().contains("\"parallelism\":4"));
    leaveAndDelete("/flows/made");
  }

  @Test
  void limitsThatSomebodyElseChangedAreNotOverwrittenUnseen() {
    data.put("/flows/contested", "{\"parallelism\": 3}");
    browser.open("?contested#/flows");
    browser.click("tr:has(td.name) button", "Limits");
    browser.see("dialog textarea", "");
    data.put("/flows/contested", "{\"parallelism\": 30}");
    browser.type("dialog textarea", "{\"parallelism\": 4}");
    confirm("Save");

    browser.see("dialog [role=alert]", "changed after you opened it");
    browser.see("dialog pre.conflict", "\"parallelism\": 30");
    browser.complaints(); // drops the answer 412
    assertEquals("{\"parallelism\": 4}", value("limits"));
    assertTrue(data.get("/flows/contested").body().contains("\"parallelism\":30"));
    browser.click("dialog button", "Use the stored version");
    browser.seeNo("dialog pre.conflict", "");
    assertTrue(String.valueOf(value("limits")).contains("\"parallelism\": 30"));
    browser.type("dialog textarea", "{\"parallelism\": 5}");
    confirm("Save");
    browser.see("tr:has(button) td", "5 in flight");
    leaveAndDelete("/flows/contested");
  }

  @Test
  void aFlowIsSavedBeforeTheListOfFlowsIsThere() {
    browser.open("?early#/collections");
    browser.see("h1", "Collections");
    browser.script(SLOW_LIST_OF_FLOWS);
    browser.script("location.hash = '#/flows'");
    browser.see("h1", "Flows");
    browser.press("n");
    browser.type("dialog input[name=flow]", "early");
    browser.type("dialog textarea", "{\"parallelism\": 3}");
    confirm("Save");

    browser.see(".toast", "early saved.");
    browser.see("td.name", "early");
    browser.seeNo("dialog", "");
    leaveAndDelete("/flows/early");
  }

  /** Withholds the first answer of the list of flows permanently. */
  private static final String SLOW_LIST_OF_FLOWS =
      """
      const send = window.fetch;
      let isFirst = true;
      window.fetch = async (path, options) => {
        if (isFirst && path.startsWith('/flows?')) {
          isFirst = false;
          await new Promise(() => {});
        }
        return send(path, options);
      };
      """;

  @Test
  void aKeyIsMadeShownOnceAndRevoked() {
    browser.open("#/keys");
    browser.see("h1", "API keys");
    browser.press("n");
    browser.type("dialog input[name=client]", "by console");
    confirm("Create");
    browser.see("dialog .bad-text", "client");
    browser.complaints(); // drops the answer 400
    browser.type("dialog input[name=client]", "by-console");
    browser.choose("dialog select[name=role]", "operator");
    confirm("Create");
    String key = browser.see("dialog .secret", "ck_").getText();
    confirm("Done");
    assertEquals(200, statusWith(key));

    browser.see("tr:has(strong) td", "operator:default/default");
    browser.seeNo("main", key);
    browser.click("td.actions button", "Revoke");
    browser.see("dialog .body", "by-console");
    confirm("Revoke");

    browser.seeNo("td.name", "by-console");
    Await.until("the key is refused", Duration.ofSeconds(20), () -> statusWith(key) == 401);
  }

  private static int statusWith(String key) {
    try (ConsoleData client = new ConsoleData(carillon.base(), key)) {
      return client.get("/jobcollections").statusCode();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aCalendarIsUploadedReadAndDeletedThoughAJobNamesIt() throws IOException {
    Path file = dir.resolve("holidays.ics");
    Files.writeString(
        file,
        String.join(
            "\r\n",
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            "PRODID:test",
            "BEGIN:VEVENT",
            "UID:1",
            "DTSTAMP:20260101T000000Z",
            "SUMMARY:Christmas Day",
            "DTSTART;VALUE=DATE:20351225",
            "DTEND;VALUE=DATE:20351226",
            "END:VEVENT",
            "END:VCALENDAR",
            ""));

    browser.open("#/calendars");
    browser.see(".empty h2", "No calendar yet");
    browser.press("n");
    browser.type("dialog input[name=calendar]", "holidays");
    browser.see("dialog input[name=file]", "").sendKeys(file.toAbsolutePath().toString());
    browser.see("dialog .body", "holidays.ics is uploaded when you save");
    confirm("Save");
    browser.seeAddress("#/calendars/holidays");
    browser.see("td", "Christmas Day");
    put(
        "festive",
        "job",
        ",\"recurrence\":{\"frequency\":\"day\"},\"startTime\":\"2030-01-01T00:00:00Z\","
            + "\"calendars\":{\"exclude\":[\"holidays\"]}");
    browser.click("h1 a", "Calendars");
    browser.click("td.actions button", "Delete");
    confirm("Delete");
    confirm("Delete anyway");

    browser.see(".empty h2", "No calendar yet");
    assertEquals(404, data.get("/calendars/holidays").statusCode());
    browser.complaints(); // drops the refusal of the first deletion
  }

  @Test
  void nodesTellTheirHealthAndTheirMetrics() {
    browser.open("#/");
    browser.see("h1", "Overview");
    browser.press("g", "n");
    browser.see("td.gate .badge", "alive");
    browser.see(".attention", "heartbeat");
    browser.click("a.button", "Metrics of this node");
    browser.type("input[type=search]", "carillon_accepted");

    browser.see(".toolbar", "1 of");
    browser.see("summary", "Accepted job definitions");
  }
}
