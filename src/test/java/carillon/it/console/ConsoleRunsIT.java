package carillon.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.support.Await;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** Test of the lists of attempts in a real browser, and of actions on failed ones. */
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
   * Delays answers for the collection {@code early} until {@code answer()}, which waits for them.
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
    browser.see("tr.cause td.name strong", "3 jobs");
    browser.click("tr.cause button.row", "Internal error");
    for (String name : List.of("one", "two", "goes-on")) {
      browser.see("a.row", "lost/" + name);
    }
    browser.click("th input[type=checkbox]", "");
    browser.click(".selection button", "Retry 3 jobs");
    browser.see("dialog h2", "Retry 3 jobs?");
    confirm("Retry 3 jobs");

    browser.see("td .badge", "retried");
    browser.seeNo(".selection", "");
    for (String name : List.of("one", "two", "goes-on")) { // keeps the order of the rows
      browser.see("tr:has(a[href='#/c/lost/j/" + name + "']) td.num a", "2");
    }
    browser.see("tr.cause td.num", "6");
    browser.click("tr:has(a[href='#/c/lost/j/one']) td.num a", "2");
    browser.seeAddress("#/runs?state=failed&collection=default%2Fdefault%2Flost&job=one");
    browser.see("a.row", "lost/one");
    browser.open("#/failed?collection=lost");
    browser.click("tr.cause button.row", "Internal error");
    browser.click("tr:has(a[href='#/c/lost/j/one']) button", "Retry");
    confirm("Retry");
    browser.see("td.num a", "3");
  }

  /** Otherwise a second retry would repeat calls that already succeeded. */
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
    browser.click("tr.cause button.row", "Internal error");
    browser.click("tr.cause button.row", "not yet");
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
    browser.click("tr.cause button.row", "Internal error");
    browser.see("a.row", "repaired/still");
    browser.seeNo("tr.cause button.row", "not yet");
    browser.see(".caption", "2 further jobs have succeeded since");
    browser.see(".caption", "2 jobs fail, for 1 cause.");
    browser.click(".caption button", "Show");
    browser.click("tr.cause button.row", "not yet");
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

  /** Counts the requests of the page. A hidden page does not refresh itself. */
  private static final String COUNTED =
      """
      Object.defineProperty(document, 'hidden', { get: () => true });
      const send = window.fetch;
      window.asked = [];
      window.fetch = (path, options) => { window.asked.push(String(path)); return send(path, options); };
      """;

  /** Opens the failures of a collection and records the requests. */
  private static void openCounted(String collection) {
    browser.open("?counted-" + collection + "#/audit");
    browser.see("h1", "Audit");
    browser.script(COUNTED);
    browser.script("location.hash = '#/failed?collection=" + collection + "'");
    browser.see("h1", "Failed");
  }

  private static long asked() {
    return (Long) browser.script("return asked.filter(path => !path.startsWith('/audit')).length");
  }

  private static void failMany(String collection, int jobs) {
    data.put("/jobcollections/" + collection, "{}");
    for (int i = 0; i < jobs; i++) {
      data.put("/jobcollections/" + collection + "/jobs/n-%03d".formatted(i), failing("/fail", ""));
    }
    Await.until(
        "all have failed",
        Duration.ofSeconds(60),
        () ->
            data.get("/executions/causes?jobs=0&collection=" + collection)
                .body()
                .contains("\"failingJobCount\":" + jobs));
  }

  @Test
  void manyJobsThatFailAlikeAreOneRowOfOneRequest() {
    failMany("alike", 45);
    putJob("alike", "gone-host", failing("/fail", "").replace("127.0.0.1", "localhost"));
    Await.until(
        "it has failed",
        Duration.ofSeconds(60),
        () -> data.get("/executions/causes?collection=alike").body().contains("gone-host"));

    openCounted("alike");

    browser.see("tr.cause td.name strong", "45 jobs");
    browser.see("tr.cause a.row", "alike/gone-host");
    assertEquals(1, asked());
    browser.click("tr.cause:has(strong) button.row", "Internal error");
    browser.see("tr.member a.row", "alike/n-000");
    browser.see("tr.member a.row", "alike/n-044");
    assertEquals(2, asked());
    browser.click("tr.cause td.actions button", "Retry 45 jobs");
    browser.see("dialog h2", "Retry 45 jobs?");
    confirm("Cancel");
  }

  @Test
  void aCauseOfFewJobsOpensWithoutAnotherRequest() {
    failMany("few", 2);

    openCounted("few");

    browser.see("tr.cause td.name strong", "2 jobs");
    browser.click("tr.cause button.row", "Internal error");
    browser.see("tr.member a.row", "few/n-001");
    assertEquals(1, asked());
  }

  @Test
  void withoutFailuresThePageAsksOnce() {
    data.put("/jobcollections/faultless", "{}");

    openCounted("faultless");

    browser.see("h2", "Nothing of this kind failed");
    assertEquals(1, asked());
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
