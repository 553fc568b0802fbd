package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import carillon.access.ApiKeyToken;
import carillon.support.Await;
import carillon.support.Browser;
import carillon.support.CarillonProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The console in a real browser, on the packaged program. */
class ConsoleIT {
  private static final Path AXE = Path.of("src/test/clients/axe/node_modules/axe-core/axe.min.js");

  private static final String KEY = ApiKeyToken.random().reveal();

  @TempDir static Path dir;
  private static CarillonProcess carillon;
  private static ConsoleData data;
  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(Browser.isThere(), "chromium and chromedriver are not installed");
    carillon =
        CarillonProcess.start(
            dir,
            Map.of(
                "CARILLON_ACCESS_ACCEPT", "keys",
                "CARILLON_ACCESS_ADMIN_KEY", KEY,
                "CARILLON_EGRESS_LOOPBACK", "allow"));
    data = new ConsoleData(carillon.base(), KEY);
    browser = new Browser(carillon.base().toString());
    browser.open("#/");
    signIn(KEY);
    browser.complaints(); // that nobody had signed in
  }

  @AfterAll
  static void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (data != null) {
      data.close();
    }
    if (carillon != null) {
      carillon.close();
    }
  }

  private static void signIn(String key) {
    browser.see("h1", "Sign in");
    browser.type("input[name=key]", key);
    browser.click("button.primary", "Sign in");
  }

  /** Broken scripts, refused resources and violations of the content security policy are here. */
  @AfterEach
  void theBrowserHasNothingToComplainAbout() {
    assertEquals(List.of(), browser.complaints());
  }

  private static void put(String collection, String job, String more) {
    data.put("/jobcollections/" + collection, "{}");
    data.put("/jobcollections/" + collection + "/jobs/" + job, data.job("/ok", more));
  }

  @Test
  void whoSignsInGetsToThePageThatHeAskedForAndMayNotDoMoreThanHisKey() {
    put("seen", "later", ",\"startTime\":\"2030-01-01T00:00:00Z\"");

    browser.open("#/c/seen/j/later");
    browser.see("h1", "later");
    browser.click("nav button", "Sign out");
    signIn(ApiKeyToken.random().reveal());
    browser.see(".problem", "does not accept this key");
    browser.complaints();
    signIn(data.key("auditor", "reader:default/default/seen"));

    browser.see(".saying", "once, on 2030-01-01");
    browser.seeNo("button", "Run now");
    browser.seeNo("nav a", "Overview");
    assertEquals("", browser.script("return document.cookie"));
    browser.press("g", "c");
    browser.see("a.row", "seen");
    browser.seeNo("button", "Create");
    browser.click("nav button", "Sign out");
    signIn(KEY);
    browser.see("h1", "Collections");
    browser.see("nav a", "Overview");
  }

  @Test
  void theOverviewTellsOfJobsAndWhatIsDue() {
    put("seen", "tomorrow", ",\"startTime\":\"2030-01-01T00:00:00Z\"");

    browser.open("#/");

    browser.see("h1", "Overview");
    browser.see(".tile", "enabled");
    browser.see(".card h2", "Due in the next day");
    browser.see(".card h2", "Attempts by the minute");
    browser.see(".facts", "memory");
    browser.see("td .badge", "alive");
  }

  @Test
  void eachNumberOfTheOverviewLeadsToItsList() {
    put("linked", "rests", ",\"startTime\":\"2030-01-01T00:00:00Z\",\"state\":\"disabled\"");
    put("linked", "waits", ",\"startTime\":\"2030-01-01T00:00:00Z\"");
    data.put("/jobcollections/awake", "{}");

    browser.open("#/");
    browser.click(".tile", "disabled");
    browser.seeAddress("#/collections?state=disabled");
    browser.see("td.num a", "1");
    browser.seeNo("a.row", "awake");
    browser.click("a.row", "linked");
    browser.seeAddress("#/c/linked?state=disabled");
    browser.see("a.row", "rests");
    browser.seeNo("a.row", "waits");

    put("linked", "soon", ",\"recurrence\":{\"frequency\":\"minute\"}");
    browser.open("#/");
    browser.click(".caption a", "due");
    browser.see("h1", "Forecast");
    browser.see("table a.row", "linked/soon");
    browser.open("#/");
    browser.click(".caption a", "attempt");
    browser.seeAddress("#/runs?since=60");
    browser.see(".toolbar input:checked + span", "1 h");
    browser.click(".toolbar .segments label", "15 min");
    browser.seeAddress("#/runs?since=15");
    browser.see(".toolbar input:checked + span", "15 min");
    browser.open("#/");
    browser.click("td a.row", "local");
    browser.see("h1", "Nodes");
  }

  @Test
  void theReferenceShowsAnOperationUnderItsAddress() {
    browser.open("docs#putJob");

    browser.see("nav a[href='#putJob']", "Creates or replaces a job");
    browser.see("#putJob h3", "Creates or replaces a job");
    browser.see("#putJob td code", "If-Match");
    browser.see("#putJob pre", "retryPolicy");
    browser.see("#schema-Job td code", "timeZone");
    browser.type("nav input", "explain");
    browser.see("#explain code", "/explain");
    browser.seeNo("#putJob", "");
  }

  /** Compares the page with the description: each parameter, and each schema of a body. */
  private static final String MISSING_IN_REFERENCE =
      """
      const done = arguments[0];
      fetch('/openapi.json').then(answer => answer.json()).then(api => {
        const at = value => value?.$ref ? value.$ref.slice(2).split('/').reduce((o, name) => o[name], api) : value;
        const missing = [];
        for (const [url, path] of Object.entries(api.paths)) {
          for (const method of ['get', 'put', 'post', 'patch', 'delete'].filter(one => path[one])) {
            const operation = path[method];
            const card = document.getElementById(operation.operationId);
            const parameters = [...(path.parameters ?? []), ...(operation.parameters ?? [])].map(at);
            for (const { name, in: place, schema } of parameters) {
              const row = card.querySelector(`tr[data-in="${place}"][data-name="${CSS.escape(name)}"]`);
              const [, type, meaning] = [...row?.children ?? []].map(cell => cell.innerText.trim());
              const byDefault = at(schema).default;
              if (!type || !meaning || byDefault !== undefined && !meaning.includes(`default ${byDefault}`)) {
                missing.push(`${operation.operationId}: ${place} ${name}: ${type}: ${meaning}`);
              }
            }
            for (const body of [operation.requestBody, ...Object.values(operation.responses)].map(at)) {
              for (const { schema } of Object.values(body?.content ?? {})) {
                const link = schema?.$ref && `#schema-${schema.$ref.split('/').pop()}`;
                if (link && !(card.querySelector(`a[href="${link}"]`) && document.querySelector(link))) {
                  missing.push(`${operation.operationId}: ${link}`);
                }
              }
            }
          }
        }
        done(missing.join('\\n'));
      });
      """;

  @Test
  void theReferenceShowsEachParameterAndLinksTheSchemaOfEachBody() {
    browser.open("docs");
    browser.see("nav a[href='#putJob']", "Creates or replaces a job");

    assertEquals("", browser.scriptAsync(MISSING_IN_REFERENCE));
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
  void aJobIsMadeWithTheFormAndSeenToFire() {
    data.put("/jobcollections/made", "{}");

    browser.open("#/c/made");
    browser.see("h1", "made");
    browser.press("n");
    browser.see("h1", "New job");
    browser.type("input[name=name]", "by-form");
    browser.type("input[name='action.request.uri']", "no address");
    browser.see(".bad-text", "no address");
    browser.type("input[name='action.request.uri']", data.target("/ok"));
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
    browser.click("dialog footer button", "Disable 1 job");
    browser.see("h1 .badge", "disabled");
    browser.see(".facts dd", "ledger is repaired");
    browser.see(".history .badge", "completed");
  }

  @Test
  void timesArePickedByTheClocksOfTheJobAndSpansAreWrittenAsPeopleDo() {
    data.put("/jobcollections/picked", "{}");

    browser.open("#/c/picked/new");
    browser.type("input[name=name]", "job");
    browser.type("input[name='action.request.uri']", data.target("/ok"));
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

  @Test
  void whatIsWrongIsMarkedAtItsFieldWhateverTheNameAndANameIsMadeUp() {
    data.put("/jobcollections/marked", "{}");

    browser.open("#/c/marked/new");
    browser.type("input[name=name]", "no name");
    browser.type("input[name='action.request.uri']", "no address");
    browser.type("input[name=timeZone]", "Europe/Nowhere");
    browser.see("label:has(input[name=name]) .bad-text", "letters, digits");
    browser.see("label:has(input[name='action.request.uri']) .bad-text", "no address");
    browser.see("label:has(input[name=timeZone]) .bad-text", "Europe/Nowhere");
    browser.type("input[name=timeZone]", "Europe/Berlin");
    browser.type("input[name='action.request.uri']", data.target("/ok"));
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
  void aBodyOfJsonGoesWithItsTypeAndTheEmptyPauseIsTheOneThatIsMeant() {
    data.put("/jobcollections/typed", "{}");

    browser.open("#/c/typed/new");
    browser.type("input[name=name]", "json");
    browser.type("input[name='action.request.uri']", data.target("/ok"));
    browser.type("textarea[name='action.request.body']", "{\"a\": 1}");
    browser.choose("select[name='action.retryPolicy.retryType']", "Fixed pause");
    seeJson("\"Content-Type\": \"application/json\"");
    String pause = "input[name='action.retryPolicy.retryInterval']";
    assertEquals("1 min", browser.see(pause, "").getAttribute("placeholder"));
    browser.see(".saying", "at once");
    browser.click("button.primary", "Create");
    browser.see("h1", "json");

    String job = data.get("/jobcollections/typed/jobs/json").body();
    assertTrue(job.contains("\"Content-Type\":\"application/json\""), job);
    assertTrue(job.contains("\"retryInterval\":\"PT1M\""), job);
  }

  /** Fills a field for date and time: keys for that depend on the language of the browser. */
  private static void pick(String field, String time) {
    browser.script(
        "const field = document.getElementsByName(arguments[0])[0]; field.value = arguments[1];"
            + "field.dispatchEvent(new Event('input', {bubbles: true}))",
        field,
        time);
  }

  private static Object value(String field) {
    return browser.script("return document.getElementsByName(arguments[0])[0].value", field);
  }

  private static void seeJson(String text) {
    Await.until(text, Duration.ofSeconds(60), () -> String.valueOf(value("json")).contains(text));
  }

  @Test
  void changedSettingsAreNotLeftWithoutAQuestion() {
    data.put("/jobcollections/unsaved", "{}");

    browser.open("#/c/unsaved/settings");
    browser.type("input[name=location]", "here");
    browser.click("h1 a", "unsaved");
    browser.see("dialog h2", "Leave without saving?");
    browser.click("dialog footer button", "Leave");

    browser.see(".empty h2", "There is no job yet.");
  }

  @Test
  void aJobIsChangedAsJson() {
    put("changed", "job", ",\"startTime\":\"2030-01-01T00:00:00Z\"");

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
    put("contested", "job", ",\"startTime\":\"2030-01-01T00:00:00Z\"");
    browser.open("#/c/contested/j/job/edit");
    browser.see(".saying", "once, on 2030-01-01");
    put("contested", "job", ",\"startTime\":\"2031-01-01T00:00:00Z\"");
    browser.type("input[name='action.request.uri']", data.target("/ok?mine"));
    browser.see(".saying", "once, on 2030-01-01");
    browser.click("button.primary", "Save");

    browser.see(".conflict tr:has(td:first-child code)", "2031-01-01T00:00:00Z");
    browser.see(".conflict td", "startTime");
    browser.see(".conflict td", "?mine");
    browser.complaints(); // of the answer 412
    assertEquals(data.target("/ok?mine"), value("action.request.uri"));
    browser.click(".conflict button", "Save mine over it");
    browser.see(".toast", "job saved.");

    String stored = data.get("/jobcollections/contested/jobs/job").body();
    assertTrue(stored.contains("?mine") && stored.contains("2030-01-01"), stored);
  }

  @Test
  void aLineThatIsNoHeaderIsNotStoredAsAnEmptyOne() {
    data.put("/jobcollections/headers", "{}");

    browser.open("#/c/headers/new");
    browser.type("input[name='action.request.uri']", data.target("/ok"));
    browser.type("textarea[name='action.request.headers']", "X-Trace: 1\nX-Nothing");
    browser.see("label:has(textarea) .bad-text", "a name, a colon and a value");
    assertEquals(
        false, browser.see("form button.primary", "Create").isEnabled(), "cannot be created");
    browser.type("textarea[name='action.request.headers']", "X-Trace: 1\nX-Some: thing");
    browser.see(".saying", "once");
    seeJson("\"X-Some\": \"thing\"");
    browser.script("location.hash = '#/c/headers'");
    browser.click("dialog footer button", "Leave");
  }

  @Test
  void headersThatAreHalfTypedStayAsTheyAreWhenABodyOfJsonIsLeft() {
    data.put("/jobcollections/headers", "{}");

    browser.open("#/c/headers/new");
    browser.type("input[name='action.request.uri']", data.target("/ok"));
    browser.type("textarea[name='action.request.headers']", "X-Trace: 1\nAuthor");
    browser.type("textarea[name='action.request.body']", "{\"a\": 1}");
    browser.choose("select[name='action.retryPolicy.retryType']", "Fixed pause");
    seeJson("\"fixed\"");

    assertEquals("X-Trace: 1\nAuthor", value("action.request.headers"));
    seeJson("\"headers\": \"X-Trace: 1\\nAuthor\"");
    browser.script("location.hash = '#/c/headers'");
    browser.click("dialog footer button", "Leave");
  }

  @Test
  void whatRunsNowIsListed() {
    data.put("/jobcollections/lasting", "{}");
    data.put("/jobcollections/lasting/jobs/waits", data.job("/never", ""));

    browser.open("#/runs?state=running");
    browser.see("a.row", "lasting/waits");
    browser.see("td.message", "in flight on");
    browser.see("th", "Began");
    data.delete("/jobcollections/lasting");
  }

  @Test
  void whatATargetAnswersIsTextAndNothingElse() {
    data.put("/jobcollections/hostile", "{}");
    data.put("/jobcollections/hostile/jobs/fails", failing("/fail", ""));

    browser.open("#/c/hostile/j/fails");
    browser.see("h1", "faulted");
    browser.click(".history button.row", "");

    browser.see("tr.detail pre", "<script>alert('no')</script>");
    assertEquals(0L, browser.script("return document.querySelectorAll('main script').length"));
  }

  @Test
  void whatFailedIsListedOverAllJobsAndRetried() {
    data.put("/jobcollections/broken", "{}");
    data.put("/jobcollections/broken/jobs/once", failing("/fail", ""));

    browser.open("#/runs?state=failed&collection=broken");
    browser.see("td .badge", "failed");
    browser.see("td .bad-text", "500");
    browser.click("a.row", "broken/once");
    browser.see("h1", "faulted");
    browser.click("button", "Retry");

    browser.seeAddress("#/c/broken/j/once");
    browser.see(".facts", "2");
  }

  @Test
  void whatFailedIsSelectedAndRetriedWithItsCount() {
    data.put("/jobcollections/lost", "{}");
    for (String name : List.of("one", "two")) {
      data.put("/jobcollections/lost/jobs/" + name, failing("/fail", ""));
    }
    data.put(
        "/jobcollections/lost/jobs/goes-on",
        failing("/fail", ",\"recurrence\":{\"frequency\":\"day\"}"));

    browser.open("#/failed?collection=lost");
    for (String name : List.of("one", "two", "goes-on")) {
      browser.see("a.row", "lost/" + name);
    }
    browser.click("th input[type=checkbox]", "");
    browser.click(".selection button", "Retry 3 jobs");
    browser.see("dialog h2", "Retry 3 jobs?");
    browser.click("dialog footer button", "Retry 3 jobs");

    browser.see("td .badge", "retried");
    browser.seeNo(".selection", "");
    for (String name : List.of("one", "two", "goes-on")) { // then the order of the rows stays
      browser.see("tr:has(a[href='#/c/lost/j/" + name + "']) td.num a", "2");
    }
    browser.click("tr:has(a[href='#/c/lost/j/one']) td.num a", "2");
    browser.seeAddress("#/runs?state=failed&collection=default%2Fdefault%2Flost&job=one");
    browser.see("a.row", "lost/one");
    browser.open("#/failed?collection=lost");
    browser.click("tr:has(a[href='#/c/lost/j/one']) button", "Retry");
    browser.click("dialog footer button", "Retry 1 job");
    browser.see("td.num a", "3");
  }

  /** Else a second retry would call again what has been repaired. */
  @Test
  void whatHasSucceededSinceItFailedIsNotAmongTheFailed() {
    data.put("/jobcollections/repaired", "{}");
    data.put("/jobcollections/repaired/jobs/charged", failing("/repairable", ""));
    data.put(
        "/jobcollections/repaired/jobs/daily",
        failing("/repairable", ",\"recurrence\":{\"frequency\":\"day\"}"));
    data.put("/jobcollections/repaired/jobs/still", failing("/fail", ""));
    data.put(
        "/jobcollections/repaired/jobs/alarms",
        failing("/fail", "")
            .replace(
                "\"retryPolicy\"",
                "\"errorAction\":{\"type\":\"http\",\"request\":{\"method\":\"GET\",\"uri\":\""
                    + data.target("/ok")
                    + "\"}},\"retryPolicy\""));

    browser.open("#/failed?collection=repaired");
    for (String name : List.of("charged", "still", "daily", "alarms")) {
      browser.see("a.row", "repaired/" + name);
    }
    data.repair();
    browser.click("tr:has(a[href$='/daily']) button", "Retry");
    browser.click("dialog footer button", "Retry 1 job");
    browser.click("tr:has(a[href$='/charged']) button", "Retry");
    browser.click("dialog footer button", "Retry 1 job");

    browser.seeNo("a.row", "repaired/charged");
    browser.seeNo("a.row", "repaired/daily");
    browser.see("a.row", "repaired/still");
    browser.see("a.row", "repaired/alarms");
    browser.open("?again#/failed?collection=repaired");
    browser.see("a.row", "repaired/still");
    browser.seeNo("a.row", "repaired/charged");
    browser.see(".caption", "2 further jobs have succeeded since");
    browser.click(".caption button", "Show");
    browser.see("tr:has(a[href$='/charged']) .badge", "succeeded since");
    browser.seeNo("tr:has(a[href$='/charged']) button", "Retry");
  }

  @Test
  void whatFailedIsDrawnBeforeItIsKnownWhatHasSucceededSince() {
    data.put("/jobcollections/slowly", "{}");
    data.put("/jobcollections/slowly/jobs/still", failing("/fail", ""));
    data.put("/jobcollections/slowly/jobs/mended", failing("/fail", ""));
    browser.open("#/failed?collection=slowly");
    browser.see("a.row", "slowly/still");
    browser.see("a.row", "slowly/mended");
    data.put("/jobcollections/slowly/jobs/mended", data.job("/ok", ""));
    awaitHistory("slowly/jobs/mended", "completed");

    browser.open("?slowly#/runs");
    browser.see("h1", "Runs");
    browser.script(NO_ANSWER_OF_STILL);
    browser.script("location.hash = '#/failed?collection=slowly'");
    browser.see("a.row", "slowly/still");
    browser.see("tr:has(a[href$='/mended']) .badge", "succeeded since");
    browser.seeNo("tr:has(a[href$='/mended']) button", "Retry");
    browser.script("answer()");
    browser.seeNo("a.row", "slowly/mended");
    browser.see("a.row", "slowly/still");
  }

  private static void awaitHistory(String job, String text) {
    Await.until(
        text,
        Duration.ofSeconds(60),
        () -> data.get("/jobcollections/" + job + "/history").body().contains(text));
  }

  /** Keeps the histories of jobs named {@code still} back until {@code answer()}; delays others. */
  private static final String NO_ANSWER_OF_STILL =
      """
      const send = window.fetch;
      const answered = new Promise(done => { window.answer = done; });
      window.fetch = async (path, options) => {
        if (/\\/still\\/history/.test(path)) await answered;
        else if (/\\/history/.test(path)) await new Promise(done => setTimeout(done, 500));
        return send(path, options);
      };
      """;

  /** A job whose executions are given up at once where they fail. */
  private static String failing(String path, String more) {
    return data.job(path, more).replace("\"retryCount\":2", "\"retryCount\":0");
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
    data.put("/flows/vendor", "{\"match\":[\"vendor.invalid\"],\"breaker\":{\"consecutive\":1}}");
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

    browser.seeAddress("#/flows");
    data.delete("/flows/vendor");
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

  /** Keeps back, until {@code answer()}, what a page asks of what waits. */
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
    browser.see("a.sum", "+");
    String cells = "return document.querySelectorAll('.heatmap.minutes a.cell%s').length";
    assertEquals(120L, browser.script(cells.formatted("[href*=forecast]:not(.partial)")));
    assertTrue((Long) browser.script(cells.formatted(".partial")) > 1000);
    assertEquals(
        true,
        browser.script(
            "return document.querySelector('a.cell.partial').title.endsWith('at least')"));
    browser.open("?whole#/forecast");
    browser.see(".caption", "which are all that are to run");
    browser.seeNo(".warning", "");
  }

  /** Answers a forecast as if more jobs were stored than it looks at. */
  private static final String COMPLETE_FOR_TWO_HOURS =
      """
      const send = window.fetch;
      window.fetch = async (path, options) => {
        const answer = await send(path, options);
        if (path !== '/forecast') return answer;
        const found = await answer.json();
        const until = new Date(Date.parse(found.day.from) + 120 * 60_000).toISOString();
        return new Response(JSON.stringify({...found, completeUntil: until}));
      };
      """;

  @Test
  void aHostThatIsCalledLeadsToItsRuns() {
    data.put("/jobcollections/calling", "{}");
    data.put("/jobcollections/calling/jobs/fails", failing("/fail", ""));
    String host = URI.create(data.target("/")).getAuthority();

    browser.open("#/runs?state=failed&collection=calling");
    browser.see("td .badge", "failed");
    browser.press("g", "h");
    browser.see("h1", "Destinations");
    browser.choose("select[name=by]", "most failures");
    browser.seeAddress("by=failed");
    browser.see("tr:has(svg.spark) .bad-text", "");
    browser.click("a.row", host);

    browser.seeAddress("#/runs?destination=" + host.replace(":", "%3A"));
    browser.see("a.row", "calling/fails");
  }

  @Test
  void aListShowsHowTheLastAttemptsOfEachJobWent() {
    data.put("/jobcollections/drawn", "{}");
    data.put("/jobcollections/drawn/jobs/fails", failing("/fail", ""));
    put("drawn", "never", ",\"startTime\":\"2030-01-01T00:00:00Z\"");

    Await.until(
        "the attempt has ended",
        Duration.ofSeconds(60),
        () -> data.get("/jobcollections/drawn/jobs/fails/history").body().contains("failed"));

    browser.open("#/c/drawn");
    browser.see("tr:has(a[href$='fails']) svg.spark .is-failed", "");
    assertEquals(
        "Last 1 attempt: 1 failed",
        browser.see("tr:has(a[href$='fails']) svg.spark", "").getAttribute("aria-label"));
    browser.seeNo("tr:has(a[href$='never']) svg.spark", "");
  }

  @Test
  void aListIsSortedWithinItsPageAndTellsWhereItIs() {
    data.put("/jobcollections/sorted", "{}");
    for (int i = 0; i < 60; i++) {
      put(
          "sorted",
          "n-%02d".formatted(i),
          ",\"startTime\":\"2030-01-01T00:%02d:00Z\"".formatted(59 - i));
    }

    browser.open("#/c/sorted");
    browser.see(".pager", "1–50 of 60");
    browser.click("th button", "Next");
    browser.see("tbody tr:first-child a.row", "n-49");
    browser.see("th[aria-sort=ascending]", "Next");
    browser.see(".caption", "Only the rows on this page are sorted");
    assertTrue(
        browser
            .see("th button", "Next")
            .getAttribute("title")
            .startsWith("Sorts the rows on this"));
    browser.click(".pager button", "More");
    browser.see(".pager", "51–60 of 60");
    browser.see("tbody tr:first-child a.row", "n-59");
    browser.click("th button", "Next");
    browser.seeAddress("sort=-next");
    browser.see("tbody tr:first-child a.row", "n-50");
    browser.click("th button", "Next");
    browser.click(".pager button", "Back");
    browser.see("tbody tr:first-child a.row", "n-00");
    browser.open("?again#/c/sorted?sort=-next&name=n-5");
    browser.see("tbody tr:first-child a.row", "n-50");
    browser.open("#/c/sorted?sort=next&name=n-5");
    browser.see("tbody tr:first-child a.row", "n-59");
    browser.seeNo(".caption", "Only the rows");
    assertEquals("Sort by next", browser.see("th button", "Next").getAttribute("title"));
  }

  @Test
  void rowsOfAHistoryAreReachedByKeys() {
    put("walked", "job", ",\"recurrence\":{\"frequency\":\"second\",\"interval\":1,\"count\":2}");
    browser.open("#/c/walked/j/job");
    browser.see("h1", "completed");
    browser.see(".history tbody tr:nth-of-type(2)", "");

    browser.press("j");
    browser.press(Keys.ENTER);
    browser.see("tr.detail", "");
    browser.press("j");
    assertEquals(
        browser.see("tbody tr:last-child button.row", ""),
        browser.script("return document.activeElement"));
    browser.press("k");
    browser.press(Keys.ENTER);
    browser.seeNo("tr.detail", "");
  }

  @Test
  void jobsAreSearchedSelectedAndDeletedWithTheirCount() {
    for (String name : List.of("mail-1", "mail-2", "mail-3", "other")) {
      put("many", name, ",\"startTime\":\"2030-01-01T00:00:00Z\"");
    }

    browser.open("#/c/many");
    browser.see("a.row", "other");
    browser.press("/");
    browser.type("input[type=search]", "MAIL");
    browser.seeAddress("name=MAIL"); // each search, also for the first letters, ends the selection
    browser.seeNo("a.row", "other");
    browser.click("th input[type=checkbox]", "");
    browser.click(".selection button", "Disable");
    browser.click("dialog footer button", "Disable 3 jobs");
    browser.see("td .badge", "disabled");
    browser.click("th input[type=checkbox]", "");
    browser.click(".selection button", "Delete");
    browser.see("dialog h2", "Delete 3 jobs?");
    browser.click("dialog footer button", "Delete 3 jobs");

    browser.see("td", "No job matches.");
    assertEquals(404, data.get("/jobcollections/many/jobs/mail-1").statusCode());
    assertEquals(200, data.get("/jobcollections/many/jobs/other").statusCode());
  }

  @Test
  void anotherGroupIsReachedByItsName() {
    browser.open("#/collections");
    browser.see("h1", "Collections");
    browser.click("details.aside summary", "Other groups");
    browser.type("input[name=place]", "sales/europe");
    browser.click("form.place button", "Go");
    browser.see(".empty h2", "There is no collection yet.");
    browser.type("form.inline input[name=name]", "orders");
    browser.click("form.inline button", "Create");
    browser.see(".empty h2", "There is no job yet.");
    data.put("/groups/sales/europe/jobcollections/orders/jobs/sync", data.job("/ok", ""));
    browser.press("g", "c");
    browser.click("a.row", "orders");
    browser.click("a.row", "sync");

    browser.see("h1", "sync");
    assertEquals("/#/g/sales/europe/c/orders/j/sync", browser.address());

    browser.press("g", "o");
    browser.see("form.scope", "all groups of the subscription");
    browser.type("input[name=of]", "sales/europe");
    browser.click("form.scope button", "Show");
    browser.see("form.scope", "Jobs of the group");
    assertEquals("/#/g/sales/europe/?of=sales%2Feurope", browser.address());
  }

  /** A page keeps to its group, whatever the address says by the time that it sends. */
  @Test
  void whatWasBegunInOneGroupIsNotSentToAnother() {
    String elsewhere = "/groups/prod/eu/jobcollections/same";
    data.put("/jobcollections/same", "{}");
    data.put(elsewhere, "{}");
    for (int i = 0; i < 40; i++) {
      String job = data.job("/ok", ",\"startTime\":\"2030-01-01T00:00:00Z\"");
      data.put("/jobcollections/same/jobs/n-%02d".formatted(i), job);
      data.put(elsewhere + "/jobs/n-%02d".formatted(i), job);
    }

    browser.open("?other#/g/prod/eu/c/same");
    browser.see("a.row", "n-00");
    browser.script(SLOW_POSTS);
    browser.script("location.hash = '#/c/same'");
    browser.see("a.row[href='#/c/same/j/n-00']", "");
    browser.click("th input[type=checkbox]", "");
    browser.click(".selection button", "Disable");
    browser.click("dialog footer button", "Disable 40 jobs");
    browser.see("dialog [role=status]", "of 40 disabled");
    browser.script("history.back()");
    browser.seeAddress("#/g/prod/eu/c/same");
    browser.seeNo("dialog", "");
    assertEquals("", browser.script("return sent.filter(p => p.includes('/groups/')).join(' ')"));
    browser.see(".toast", "Stopped: ");
    assertTrue((Long) browser.script("return sent.length") < 40);

    browser.open("?fresh#/g/prod/eu/c/same");
    browser.see("a.row", "n-00");
    browser.script("location.hash = '#/c/same/j/n-39'");
    browser.click("main button", "Delete");
    browser.see("dialog h2", "Delete 1 job?");
    browser.script("history.back()");
    browser.seeAddress("#/g/prod/eu/c/same");
    browser.seeNo("dialog", "");

    browser.script("location.hash = '#/c/same/j/n-39'");
    browser.click("main button", "Disable");
    browser.click("dialog footer button", "Disable 1 job");
    browser.see(".toast", "n-39 disabled.");
    browser.script("location.hash = '#/g/prod/eu/c/same'");
    browser.seeAddress("#/g/prod/eu/c/same");
    browser.click(".toast button", "Undo");
    browser.see(".toast", "Undone.");
    assertFalse(
        data.get("/jobcollections/same/jobs/n-39").body().contains("\"disabled\""), "undone");
    assertTrue(
        data.get(elsewhere + "/search?state=disabled").body().contains("\"disabled\":0"),
        "the other group is as it was");
  }

  /** Notes where each POST goes, and lets it take a while. */
  private static final String SLOW_POSTS =
      """
      const send = window.fetch;
      window.sent = [];
      window.fetch = async (path, options) => {
        if (options?.method === 'POST') {
          sent.push(path);
          await new Promise(done => setTimeout(done, 300));
        }
        return send(path, options);
      };
      """;

  @Test
  void aPageSaysInWhichGroupItIsUnlessThatIsTheDefault() {
    data.put("/groups/prod/eu/jobcollections/told", "{}");
    data.put(
        "/groups/prod/eu/jobcollections/told/jobs/job",
        data.job("/ok", ",\"startTime\":\"2030-01-01T00:00:00Z\""));
    put("told", "job", ",\"startTime\":\"2030-01-01T00:00:00Z\"");

    for (String page :
        List.of("/c/told", "/c/told/j/job", "/c/told/j/job/edit", "/c/told/settings")) {
      browser.open("#/g/prod/eu" + page);
      browser.see("h1 a.group", "prod/eu");
      String title = String.valueOf(browser.script("return document.title"));
      assertTrue(title.endsWith(" – prod/eu – Carillon"), title);
      browser.open("#" + page);
      browser.see("h1 a.crumb", "");
      browser.seeNo("h1", "prod/eu");
      assertFalse(String.valueOf(browser.script("return document.title")).contains("prod/eu"));
    }
    browser.open("#/g/prod/eu/c/told/j/job");
    browser.click("h1 a.group", "prod/eu");
    browser.seeAddress("#/g/prod/eu/collections");
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
    browser.click("dialog footer button", "Disable");
    browser.see("tr:has(a[href='#/c/fresh']) .badge", "disabled");
    browser.click("tr:has(a[href='#/c/fresh']) button", "Delete");
    browser.click("dialog footer button", "Delete");

    browser.seeNo("a.row", "fresh");
  }

  @Test
  void aFlowIsPausedResumedAndItsLogIsShown() {
    data.put("/flows/crm", "{\"match\":[\"api.crm.example\"],\"rate\":{\"limit\":100}}");
    browser.open("#/flows");
    browser.see("td.name", "crm");
    browser.click("td.actions button", "Pause");
    browser.type("dialog input[name=note]", "ticket 4711");
    browser.click("dialog footer button", "Pause");
    browser.see("td.gate", "ticket 4711");
    browser.click("td.actions button", "Resume");
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
    browser.click("dialog footer button", "Save");
    browser.see("dialog .problem", "A flow needs a name.");
    browser.type("dialog input[name=flow]", "made");
    browser.type("dialog textarea", "{\"parallelism\": 3}");
    browser.click("dialog footer button", "Save");
    browser.see("tr:has(button) td", "3 in flight");
    browser.click("tr:has(td.name) button", "Limits");
    browser.type("dialog textarea", "{\"parallelism\": 4}");
    browser.click("dialog footer button", "Save");

    browser.see("tr:has(button) td", "4 in flight");
    assertTrue(data.get("/flows/made").body().contains("\"parallelism\":4"));
    data.delete("/flows/made");
  }

  @Test
  void limitsThatSomebodyElseChangedAreNotOverwrittenUnseen() {
    data.put("/flows/contested", "{\"parallelism\": 3}");
    browser.open("?contested#/flows");
    browser.click("tr:has(td.name) button", "Limits");
    browser.see("dialog textarea", "");
    data.put("/flows/contested", "{\"parallelism\": 30}");
    browser.type("dialog textarea", "{\"parallelism\": 4}");
    browser.click("dialog footer button", "Save");

    browser.see("dialog [role=alert]", "changed after you opened it");
    browser.see("dialog pre.conflict", "\"parallelism\": 30");
    browser.complaints(); // of the answer 412
    assertEquals("{\"parallelism\": 4}", value("limits"));
    assertTrue(data.get("/flows/contested").body().contains("\"parallelism\":30"));
    browser.click("dialog button", "Take what is stored");
    browser.seeNo("dialog pre.conflict", "");
    assertTrue(String.valueOf(value("limits")).contains("\"parallelism\": 30"));
    browser.type("dialog textarea", "{\"parallelism\": 5}");
    browser.click("dialog footer button", "Save");
    browser.see("tr:has(button) td", "5 in flight");
    data.delete("/flows/contested");
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
    browser.click("dialog footer button", "Save");

    browser.see(".toast", "early saved.");
    browser.see("td.name", "early");
    browser.seeNo("dialog", "");
    data.delete("/flows/early");
  }

  /** Keeps the first answer of the list of flows back for good. */
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
    browser.press("n");
    browser.type("dialog input[name=client]", "by console");
    browser.click("dialog footer button", "Create");
    browser.see("dialog .bad-text", "client");
    browser.complaints(); // of the answer 400
    browser.type("dialog input[name=client]", "by-console");
    browser.choose("dialog select[name=role]", "operator");
    browser.click("dialog footer button", "Create");
    String key = browser.see("dialog .secret", "ck_").getText();
    browser.click("dialog footer button", "Done");
    assertEquals(200, statusWith(key));

    browser.see("tr:has(strong) td", "operator:default/default");
    browser.seeNo("main", key);
    browser.click("td.actions button", "Revoke");
    browser.see("dialog .body", "by-console");
    browser.click("dialog footer button", "Revoke");

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
  void theAuditTellsWhoChangedAJobAndHow() {
    put("audited", "job", ",\"startTime\":\"2030-01-01T00:00:00Z\"");
    put("audited", "job", ",\"startTime\":\"2031-01-01T00:00:00Z\"");

    browser.open("#/audit?of=default/default/audited/job");
    browser.see("td .badge", "job stored");
    browser.click("table.audit button.link", "");
    browser.see("tr.detail pre[aria-label=Before]", "2030-01-01");
    browser.see("tr.detail pre[aria-label=After]", "2031-01-01");
    browser.type("input[aria-label='By whom']", "nobody at all");
    browser.see(".empty h2", "No such change");
    browser.type("input[aria-label='By whom']", "operator");
    browser.see("td .badge", "job stored");
    browser.seeAddress("by=operator");
    browser.click("a.row", "audited/job");

    browser.see("h1", "job");
  }

  @Test
  void aCollectionGetsLimitsTagsAndSignatures() {
    put("limited", "job", ",\"startTime\":\"2030-01-01T00:00:00Z\"");

    browser.open("#/c/limited");
    browser.click("a.button", "Settings");
    browser.type("input[name=maxJobCount]", "many");
    browser.click("button.primary", "Save");
    browser.see(".problem", "maxJobCount");
    browser.complaints(); // of the answer 400
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
    browser.click("dialog footer button", "Save");
    browser.seeAddress("#/calendars/holidays");
    browser.see("td", "Christmas Day");
    put(
        "festive",
        "job",
        ",\"recurrence\":{\"frequency\":\"day\"},\"startTime\":\"2030-01-01T00:00:00Z\","
            + "\"calendars\":{\"exclude\":[\"holidays\"]}");
    browser.click("h1 a", "Calendars");
    browser.click("td.actions button", "Delete");
    browser.click("dialog footer button", "Delete");
    browser.click("dialog footer button", "Delete all the same");

    browser.see(".empty h2", "No calendar yet");
    assertEquals(404, data.get("/calendars/holidays").statusCode());
    browser.complaints(); // the refusal of the first deletion
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
    browser.see("summary", "Definitions of jobs that were accepted");
  }

  @Test
  void aPhoneGetsToEveryPageByItsMenu() {
    browser.size(390, 844);
    try {
      browser.open("#/collections");
      browser.see("h1", "Collections");
      browser.seeNo("nav a", "Audit");
      browser.click("nav button", "Collections");
      browser.click("nav a", "Audit");

      browser.see("h1", "Audit");
      browser.seeNo("nav a", "API keys");
      assertEquals(
          0L,
          browser.script(
              "return document.documentElement.scrollWidth - document.documentElement.clientWidth"));
    } finally {
      browser.size(1280, 900);
    }
  }

  @Test
  void timesAreInTheZoneOfTheViewerOrInUtcAsHeLikes() {
    put("zoned", "job", ",\"startTime\":\"2030-01-01T00:00:00Z\"");
    browser.zone("Europe/Berlin");
    try {
      browser.open("#/c/zoned/j/job");
      assertEquals(
          true,
          browser
              .see(".occurrences time", "2030-01-01 01:00:00")
              .getAttribute("title")
              .startsWith("2030-01-01 01:00:00 CET, in "));
      browser.click("nav button", "Local");
      browser.see(".occurrences", "2030-01-01 00:00:00");
      browser.open("?again#/c/zoned/j/job");
      browser.see(".occurrences", "2030-01-01 00:00:00");
      browser.click("nav button", "UTC");
      browser.see(".occurrences", "2030-01-01 01:00:00");
    } finally {
      browser.zone("UTC");
    }
  }

  @Test
  void whatWasDisabledIsEnabledAgainByUndo() {
    put("undone", "one", ",\"startTime\":\"2030-01-01T00:00:00Z\"");
    put("undone", "rests", ",\"startTime\":\"2030-01-01T00:00:00Z\",\"state\":\"disabled\"");

    browser.open("#/c/undone");
    browser.click("th input[type=checkbox]", "");
    browser.click(".selection button", "Disable");
    browser.click("dialog footer button", "Disable 2 jobs");
    browser.see(".toast", "2 jobs disabled.");
    assertTrue(isDisabled("one"));
    browser.click(".toast button", "Undo");

    browser.see(".toast", "Undone.");
    assertFalse(isDisabled("one"));
    assertTrue(isDisabled("rests"), "was disabled before");
  }

  private static boolean isDisabled(String job) {
    return data.get("/jobcollections/undone/jobs/" + job).body().contains("\"disabled\"");
  }

  @Test
  void aJobIsDuplicatedAndWhatIsNotSavedIsNotLeftWithoutAQuestion() {
    put("twins", "first", ",\"startTime\":\"2030-01-01T00:00:00Z\"");

    browser.open("#/c/twins/j/first");
    browser.click("a.button", "Duplicate");
    browser.see(".saying", "once, on 2030-01-01");
    browser.type("input[name=name]", "no name");
    browser.see(".bad-text", "letters, digits");
    browser.type("input[name=name]", "second");
    browser.click("h1 a", "twins");
    browser.see("dialog h2", "Leave without saving?");
    browser.click("dialog footer button", "Cancel");
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
  void rowsAreDenseOrRoomyAndTheKeysAreShown() {
    put("rows", "job", ",\"startTime\":\"2030-01-01T00:00:00Z\"");
    browser.open("#/c/rows");
    browser.see("a.row", "job");
    String height =
        "return Math.round(document.querySelector('main tbody tr').getBoundingClientRect().height)";
    browser.see("td.name", "POST http");
    assertEquals(40L, browser.script(height));
    browser.click("nav button", "Dense");
    browser.see("td.name", "POST http");
    assertTrue((Long) browser.script(height) > 50);
    browser.open("?again#/c/rows");
    browser.click("nav button", "Roomy");
    browser.see("nav button", "Dense");
    browser.press("?");

    browser.see("dialog kbd", "k");
    browser.see("dialog dd", "API keys");
    browser.click("dialog header button", "✕");
  }

  @Test
  void theTabKeyReachesWhateverCanBePressedAndShowsWhereItIs() {
    put("tabbed", "job", ",\"recurrence\":{\"frequency\":\"day\",\"count\":2}");

    for (String hash : List.of("#/", "#/collections", "#/c/tabbed", "#/c/tabbed/j/job")) {
      browser.open("?tabbed" + hash);
      browser.see("main .card", "");
      browser.see("main a[href]", "");
      if (hash.endsWith("/job")) {
        browser.click(".history button.row", "");
      }
      browser.script("window.reached = new Set(); document.activeElement.blur()");
      Object hidden = "";
      Object unreached = List.of(hash);
      for (int tab = 0;
          tab < MAX_TABS && hidden.equals("") && !unreached.equals(List.of());
          tab++) {
        browser.press(Keys.TAB);
        hidden = browser.script(NOTE_FOCUS);
        unreached = browser.script(stops() + ".filter(e => !reached.has(e))" + TOLD);
      }

      assertEquals("", hidden, hash + ": it has the focus and does not show it");
      assertEquals(List.of(), unreached, hash);
    }
  }

  /** More than any page has to press; parts of it may come later than others. */
  private static final int MAX_TABS = 400;

  private static final String TOLD = ".map(e => e.outerHTML.slice(0, 120))";

  /** Notes what has the focus; answers it when nothing around it is outlined. */
  private static final String NOTE_FOCUS =
      "const e = document.activeElement; reached.add(e);"
          + "const isOutlined = s => s.outlineStyle !== 'none' && s.outlineWidth !== '0px';"
          + "return e === document.body || isOutlined(getComputedStyle(e))"
          + " || isOutlined(getComputedStyle(e, '::after'))"
          + " || (e.nextElementSibling && isOutlined(getComputedStyle(e.nextElementSibling)))"
          + " ? '' : e.outerHTML.slice(0, 120)";

  /** What can be pressed or filled in, as far as it is shown. */
  private static String stops() {
    return "return [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]"
        + ".filter(e => !e.disabled && e.tabIndex >= 0 && e.checkVisibility() && e.type !== 'radio')";
  }

  @Test
  void aDialogKeepsTheFocusAndGivesItBack() {
    put("asks", "job", ",\"startTime\":\"2030-01-01T00:00:00Z\"");

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
    browser.click("dialog footer button", "Disable 1 job");
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

  @Test
  void everybodyCanUseEveryPageInLightAndDark() throws IOException {
    assumeTrue(Files.exists(AXE), "npm ci has not been run in src/test/clients/axe");
    data.put(
        "/groups/usable/usable/calendars/weekends", "{\"spans\":[{\"weekDays\":[\"sunday\"]}]}");
    put("usable", "twice", ",\"recurrence\":{\"frequency\":\"day\",\"count\":2}");
    put("usable", "workdays", ",\"recurrence\":{\"cron\":\"0 9 * * MON-FRI\"}");
    String axe = Files.readString(AXE);
    for (String hash :
        List.of(
            "#/",
            "#/collections",
            "#/c/usable",
            "#/c/usable/j/twice",
            "#/c/usable/j/workdays/edit",
            "#/c/usable/new",
            "#/c/usable/settings",
            "#/runs",
            "#/failed",
            "#/forecast",
            "#/destinations",
            "#/flows",
            "#/calendars",
            "#/g/usable/usable/calendars/weekends",
            "#/nodes",
            "#/metrics",
            "#/keys",
            "#/audit",
            "#/live",
            "docs#putJob")) {
      browser.open(hash.startsWith("#") ? "?usable" + hash : hash);
      browser.see("main .card", "");
      browser.size(390, 844);
      assertEquals(List.of(), tooWide(), hash);
      browser.size(1280, 900);
      if (hash.startsWith("docs")) {
        browser.type("nav input", "putJob"); // the whole takes axe minutes
        browser.see("#putJob", "");
        browser.seeNo("#listJobs", "");
      }
      if (hash.endsWith("/twice")) {
        browser.click(".history button.row", "");
      }
      for (String scheme : List.of("light", "dark")) {
        browser.prefer(scheme);
        assertEquals("", findings(axe), hash + " in " + scheme);
      }
      assertEquals(List.of(), unusualText(), hash);
    }
    browser.prefer("light");
  }

  /** What makes a page wider than a phone; tables may be, where they scroll for themselves. */
  private static Object tooWide() {
    return browser.script(
        "const width = document.documentElement.clientWidth;"
            + "if (document.documentElement.scrollWidth <= width) return [];"
            + "return [...document.querySelectorAll('body *')]"
            + ".filter(e => e.getBoundingClientRect().right > width && !e.closest('.scroll'))"
            + ".map(e => e.outerHTML.slice(0, 120))");
  }

  /** Text in another size than the five, or another weight than the three. */
  private static Object unusualText() {
    return browser.script(
        "const sizes = ['12px', '13px', '15px', '20px', '28px'], weights = ['400', '500', '600'];"
            + "return [...document.querySelectorAll('body *')]"
            + ".filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim() !== ''))"
            + ".filter(e => !['SCRIPT', 'NOSCRIPT', 'OPTION'].includes(e.tagName))"
            + ".map(e => [e, getComputedStyle(e)])"
            + ".filter(([e, s]) => !sizes.includes(s.fontSize) || !weights.includes(s.fontWeight))"
            + ".map(([e, s]) => e.outerHTML.slice(0, 80) + ' ' + s.fontSize + ' ' + s.fontWeight)");
  }

  /** Those that keep somebody from using the page. */
  private static String findings(String axe) {
    browser.script(axe);
    Object found =
        browser.scriptAsync(
            "const done = arguments[0];"
                + "axe.run({resultTypes: ['violations']}).then(r => done(r.violations"
                + ".filter(v => v.impact === 'serious' || v.impact === 'critical')"
                + ".map(v => v.id + ': ' + v.nodes.map(n => n.target + ' ' + n.failureSummary).join('; '))"
                + ".join('\\n')), e => done('axe failed: ' + e))");
    return String.valueOf(found);
  }

  @Test
  void aThemeIsChosenAndKept() {
    browser.open("#/");
    browser.click("nav button", "System");
    browser.click("nav button", "Light");
    browser.see("nav button", "Dark");
    browser.open("?again#/");
    browser.see("nav button", "Dark");

    assertEquals("dark", browser.script("return document.documentElement.dataset.theme"));
    assertTrue(browser.script("localStorage.clear(); return true").equals(true));
  }
}
