package carillon.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Test of the console's lists in a real browser, and of actions on many selected jobs. */
class ConsoleListsIT extends ConsoleTestBase {
  @Test
  void eachNumberOfTheOverviewLeadsToItsList() {
    put("linked", "rests", ",\"startTime\":\"2030-01-01T00:00:00Z\",\"state\":\"disabled\"");
    put("linked", "waits", LATER);
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
  void aListShowsHowTheLastAttemptsOfEachJobWent() {
    putJob("drawn", "fails", failing("/fail", ""));
    put("drawn", "never", LATER);

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
  void jobsAreSearchedSelectedAndDeletedWithTheirCount() {
    for (String name : List.of("mail-1", "mail-2", "mail-3", "other")) {
      put("many", name, LATER);
    }

    browser.open("#/c/many");
    browser.see("a.row", "other");
    browser.press("/");
    browser.type("input[type=search]", "MAIL");
    browser.seeAddress("name=MAIL"); // each search, also for the first letters, ends the selection
    browser.seeNo("a.row", "other");
    browser.click("th input[type=checkbox]", "");
    browser.click(".selection button", "Disable");
    confirm("Disable 3 jobs");
    browser.see("td .badge", "disabled");
    browser.click("th input[type=checkbox]", "");
    browser.click(".selection button", "Delete");
    browser.see("dialog h2", "Delete 3 jobs?");
    confirm("Delete 3 jobs");

    browser.see("td", "No job matches.");
    assertEquals(404, data.get("/jobcollections/many/jobs/mail-1").statusCode());
    assertEquals(200, data.get("/jobcollections/many/jobs/other").statusCode());
  }

  /** The console searches only the index if enough names begin with the searched text. */
  @Test
  void aSearchShowsFirstWhatBeginsWithIt() {
    for (String name : List.of("a-pay", "Pay-1", "pay-2", "repay", "other")) {
      put("begins", name, LATER);
    }
    for (int i = 0; i < 60; i++) {
      put("begins", "so-%02d".formatted(i), LATER);
    }

    browser.open("?begins#/c/begins?name=pAY");
    browser.see("a.row", "repay");
    browser.seeNo(".toolbar [role=status]", "searching");
    assertEquals(
        "Pay-1 pay-2 a-pay repay",
        browser.script(
            "return [...document.querySelectorAll('a.row')].map(a => a.textContent).join(' ')"));
    browser.open("?all#/c/begins?name=so");
    browser.see(".pager", "1–50");
    assertEquals(
        "",
        browser.script(
            "return performance.getEntriesByType('resource').map(one => one.name)"
                + ".filter(name => name.includes('name=so')).join(' ')"));
    browser.click(".pager button", "More");
    browser.see(".pager", "51–60");
    browser.seeNo(".pager button", "More");
  }

  /** Otherwise a list would show the state of an hour ago as the current one. */
  @Test
  void aListTellsWhatHasChangedSince() {
    put("changing", "goes", LATER);
    put("changing", "stays", LATER);
    browser.open("#/c/changing");
    browser.see("a.row", "goes");
    browser.click("th input[type=checkbox]", "");
    browser.see(".selection", "2 jobs selected");

    put("changing", "comes", LATER);
    data.delete("/jobcollections/changing/jobs/goes");
    put("changing", "stays", ",\"startTime\":\"2030-01-01T00:00:00Z\",\"state\":\"disabled\"");

    browser.see("a.row", "comes");
    browser.seeNo("a.row", "goes");
    browser.see("tr:has(a[href$='stays']) .badge", "disabled");
    browser.see(".selection", "1 job selected");
    browser.open("#/collections");
    browser.see("a.row", "changing");
    data.put("/jobcollections/changed-since", "{}");
    browser.see("a.row", "changed-since");
  }

  @Test
  void aListComesBackAfterItsNodeWasAway() {
    put("away", "job", LATER);
    browser.open("?away#/runs");
    browser.see("h1", "Runs");
    browser.script(
        "const send = window.fetch; window.away = true;"
            + "window.fetch = (...asked) => window.away ? Promise.reject(new TypeError('away')) : send(...asked)");
    for (String page : List.of("#/c/away", "#/collections")) {
      browser.script("window.away = true; location.hash = arguments[0]", page);
      browser.see(".problem", "Carillon does not answer.");
      browser.script("window.away = false");
      browser.see("a.row", page.endsWith("away") ? "job" : "away");
      browser.seeNo(".problem", "");
    }
  }

  @Test
  void whatRunsNowIsSaidOfAJobAndInItsList() {
    putJob("busy", "Lasts", data.job("/never", ""));

    browser.open("#/c/busy");
    browser.see("tr:has(a[href$='Lasts']) .badge", "running");
    browser.click("a.row", "Lasts");
    browser.see("h1 .badge", "running");
    browser.see(".facts dt", "running");
    browser.seeNo(".facts dt", "next");
    leaveAndDelete("busy");
  }

  @Test
  void aListNamesTheFlowThatHoldsAJobBack() {
    data.put("/flows/closed", "{\"collections\":\"behind\",\"parallelism\":1}");
    data.post("/flows/closed/pause");
    putJob(
        "behind",
        "job",
        data.job("/ok", "").replace("{\"action\":{", "{\"action\":{\"flow\":\"closed\","));

    browser.open("#/c/behind");
    browser.see("td[data-label=next] a", "flow closed");
    leaveAndDelete("behind");
    data.delete("/flows/closed");
  }

  /** A due job that waits for its retry is not shown as due. */
  @Test
  void aWaitingRetryStandsInThePlaceOfWhatIsDue() {
    putJob("again", "job", data.job("/fail", "").replace("\"PT1S\"", "\"PT1H\""));
    browser.open("#/c/again/j/job");

    browser.see(".facts dt", "retry 1 of 2");
    browser.seeNo(".facts dt", "next");
    browser.open("#/c/again");
    browser.see("td[data-label=next]", "retry in 59 min");
  }

  private static void leaveAndDelete(String collection) {
    browser.open("?left#/audit");
    browser.see("h1", "Audit");
    data.delete("/jobcollections/" + collection);
  }

  @Test
  void whatIsDeletedCannotBeEnabledAgainByUndo() {
    put("withdrawn", "job", LATER);
    browser.open("#/collections");
    browser.click("tr:has(a[href$='withdrawn']) button", "Disable");
    confirm("Disable");
    browser.see(".toast button", "Undo");
    browser.click("tr:has(a[href$='withdrawn']) button", "Delete");
    confirm("Delete");

    browser.see(".toast", "withdrawn deleted.");
    browser.seeNo(".toast button", "Undo");
  }

  @Test
  void aRunOverManyJobsTellsEachThatFailed() {
    for (int i = 0; i < 12; i++) {
      put("partly", "n-%02d".formatted(i), LATER);
    }
    browser.open("?partly#/c/partly");
    browser.see("a.row", "n-11");
    browser.click("th input[type=checkbox]", "");
    browser.script(
        "const send = window.fetch; window.fetch = (path, options) => /n-0[0-8]\\/disable/.test(path)"
            + " ? Promise.resolve(new Response(JSON.stringify({error: {code: 'Busy', message: 'is busy'}}), {status: 503})) : send(path, options)");
    browser.click(".selection button", "Disable");
    confirm("Disable 12 jobs");

    browser.see("dialog [role=status]", "3 of 12 disabled, 9 failed");
    browser.see("dialog .failures li:nth-child(9)", "is busy");
    browser.see("dialog .body button", "Copy");
    confirm("Close");
    browser.seeNo("dialog", "");
  }

  @Test
  void theAuditTellsWhoChangedAJobAndHow() {
    put("audited", "job", LATER);
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
  void whatWasDisabledIsEnabledAgainByUndo() {
    put("undone", "one", LATER);
    put("undone", "rests", ",\"startTime\":\"2030-01-01T00:00:00Z\",\"state\":\"disabled\"");

    browser.open("#/c/undone");
    browser.click("th input[type=checkbox]", "");
    browser.click(".selection button", "Disable");
    confirm("Disable 2 jobs");
    browser.see(".toast", "2 jobs disabled.");
    assertTrue(isDisabled("undone/jobs/one"));
    browser.click(".toast:last-child button", "Undo");

    browser.see(".toast", "Undone.");
    assertFalse(isDisabled("undone/jobs/one"));
    assertTrue(isDisabled("undone/jobs/rests"), "was disabled before");
  }

  @Test
  void theKeyForUndoTakesBackWhatWasDoneLast() {
    for (String name : List.of("before", "last")) {
      put("latest", name, LATER);
      browser.open("#/c/latest/j/" + name);
      browser.see("h1", name);
      browser.click("main button", "Disable");
      confirm("Disable");
      browser.see(".toast", name + " disabled.");
      browser.see("h1 .badge", "disabled");
    }
    browser.press("u");

    browser.see("h1 .badge", "enabled");
    assertTrue(isDisabled("latest/jobs/before"), "it was disabled before the last");
  }

  private static boolean isDisabled(String job) {
    return data.get("/jobcollections/" + job).body().contains("\"disabled\"");
  }
}
