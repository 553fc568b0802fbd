package carillon.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.support.Await;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** Lists of attempts in a real browser, and what is done about those that failed. */
class ConsoleRunsIT extends ConsoleTestBase {
  @Test
  void whatRunsNowIsListed() {
    putJob("lasting", "waits", data.job("/never", ""));

    browser.open("#/runs?state=running");
    browser.see("a.row", "lasting/waits");
    browser.see("td.message", "in flight on");
    browser.see("th", "Began");
    data.delete("/jobcollections/lasting");
  }

  @Test
  void runsOfAnEarlierFilterThatComeLateAreNotShown() {
    putJob("early", "fails", failing("/fail", ""));
    putJob("newer", "fails", failing("/fail", ""));
    browser.open("?late#/destinations");
    browser.see("h1", "Destinations");
    browser.script(NO_ANSWER_OF_EARLY);
    browser.script("location.hash = '#/runs?collection=early'");
    browser.see("h1", "Runs");
    browser.type("input[aria-label=Collection]", "newer");
    browser.see("a.row", "newer/fails");

    browser.scriptAsync("answer().then(() => setTimeout(arguments[0], 200))");

    browser.seeNo("a.row", "early/fails");
    browser.see("a.row", "newer/fails");
  }

  /**
   * Keeps runs of the collection {@code early} back until {@code answer()}, which waits for them.
   */
  private static final String NO_ANSWER_OF_EARLY =
      """
      const send = window.fetch;
      let late;
      const answered = new Promise(done => { window.answer = () => { done(); return late; }; });
      window.fetch = (path, options) =>
        /collection=early/.test(path) ? late = answered.then(() => send(path, options)) : send(path, options);
      """;

  @Test
  void whatFailedIsListedOverAllJobsAndRetried() {
    putJob("broken", "once", failing("/fail", ""));

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
    confirm("Retry 3 jobs");

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
    confirm("Retry");
    browser.see("td.num a", "3");
  }

  /** Else a second retry would call again what has been repaired. */
  @Test
  void whatHasSucceededSinceItFailedIsNotAmongTheFailed() {
    putJob("repaired", "charged", failing("/repairable", ""));
    data.put(
        "/jobcollections/repaired/jobs/daily",
        failing("/repairable", ",\"recurrence\":{\"frequency\":\"day\"}"));
    putJob("repaired", "still", failing("/fail", ""));
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
    confirm("Retry");
    browser.click("tr:has(a[href$='/charged']) button", "Retry");
    confirm("Retry");

    browser.seeNo("a.row", "repaired/charged");
    browser.seeNo("a.row", "repaired/daily");
    browser.see("a.row", "repaired/still");
    browser.see("a.row", "repaired/alarms");
    browser.open("?again#/failed?collection=repaired");
    browser.see("a.row", "repaired/still");
    browser.seeNo("a.row", "repaired/charged");
    browser.see(".caption", "2 further jobs have succeeded since");
    browser.see(".caption", "2 of 4 jobs that failed still fail, in the newest");
    browser.click(".caption button", "Show");
    browser.see("tr:has(a[href$='/charged']) .badge", "succeeded since");
    browser.seeNo("tr:has(a[href$='/charged']) button", "Retry");
  }

  @Test
  void whatFailedIsSearchedByAPartOfTheAnswer() {
    putJob("answered", "away", failing("/fail", ""));
    data.put(
        "/jobcollections/answered/jobs/silent",
        failing("/never", "").replace("\"retryPolicy\"", "\"timeout\":\"PT1S\",\"retryPolicy\""));

    browser.open("#/failed?collection=answered");
    browser.see("a.row", "answered/away");
    browser.see("a.row", "answered/silent");
    browser.type("input[aria-label='Part of the answer']", "DATABASE");
    browser.seeAddress("message=DATABASE");
    browser.seeNo("a.row", "answered/silent");
    browser.see("a.row", "answered/away");
    browser.open("?none#/failed?collection=answered&message=nothing+like+it");
    browser.see("h2", "Nothing of this kind failed");
  }

  @Test
  void whatFailedIsDrawnBeforeItIsKnownWhatHasSucceededSince() {
    putJob("slowly", "still", failing("/fail", ""));
    putJob("slowly", "mended", failing("/fail", ""));
    browser.open("#/failed?collection=slowly");
    browser.see("a.row", "slowly/still");
    browser.see("a.row", "slowly/mended");
    putJob("slowly", "mended", data.job("/ok", ""));
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

  @Test
  void theFirstPageOfWhatFailedWaitsForNoOther() {
    data.put("/jobcollections/much", "{}");
    for (int i = 0; i < 110; i++) {
      data.put("/jobcollections/much/jobs/n-%03d".formatted(i), failing("/fail", ""));
    }
    Await.until(
        "all have failed",
        Duration.ofSeconds(60),
        () ->
            data.get("/executions?state=failed&collection=much&$top=100")
                .body()
                .contains("\"nextLink\""));

    browser.open("?much#/runs");
    browser.see("h1", "Runs");
    browser.script(NO_SECOND_PAGE);
    browser.script("location.hash = '#/failed?collection=much'");
    browser.see("a.row", "much/n-");
    browser.see(".caption", "100 jobs in the newest 100 failures; there are more.");
    browser.script("answer()");
    browser.see(".caption", "jobs in the newest 110 failures.");
  }

  private static final String NO_SECOND_PAGE =
      """
      const send = window.fetch;
      const answered = new Promise(done => { window.answer = done; });
      window.fetch = async (path, options) => {
        if (/skiptoken/.test(path)) await answered;
        return send(path, options);
      };
      """;

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

  private static void awaitHistory(String job, String text) {
    Await.until(
        text,
        Duration.ofSeconds(60),
        () -> data.get("/jobcollections/" + job + "/history").body().contains(text));
  }

  @Test
  void aHostThatIsCalledLeadsToItsRuns() {
    putJob("calling", "fails", failing("/fail", ""));
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
}
