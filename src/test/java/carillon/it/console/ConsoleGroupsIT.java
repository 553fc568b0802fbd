package carillon.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Test of groups of collections in a real browser. */
class ConsoleGroupsIT extends ConsoleTestBase {
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

  /** A page keeps its group, even if the address has changed when it sends a request. */
  @Test
  void whatWasBegunInOneGroupIsNotSentToAnother() {
    String elsewhere = "/groups/prod/eu/jobcollections/same";
    data.put("/jobcollections/same", "{}");
    data.put(elsewhere, "{}");
    for (int i = 0; i < 40; i++) {
      String job = data.job("/ok", LATER);
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
    confirm("Disable 40 jobs");
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
    browser.see("dialog h2", "Delete n-39?");
    browser.script("history.back()");
    browser.seeAddress("#/g/prod/eu/c/same");
    browser.seeNo("dialog", "");

    browser.script("location.hash = '#/c/same/j/n-39'");
    browser.click("main button", "Disable");
    confirm("Disable");
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

  @Test
  void aPauseOfAGroupOrOfEverythingStandsOnEachPageUntilItIsResumed() {
    data.put("/groups/sales/asia/jobcollections/rest", "{}");
    browser.open("#/g/sales/asia/collections");
    browser.click("main button", "Pause the group …");
    browser.type("dialog input[name=note]", "INC-123");
    confirm("Pause");
    browser.see(".banner", "Group sales/asia is paused");
    browser.see(".banner", "until it is resumed, by ");
    browser.see(".banner", ": INC-123");
    browser.see("td.gate", "with its group");
    browser.click("td.actions a", "Settings");
    browser.see("main", "group sales/asia is paused by ");
    browser.open("#/runs");
    browser.see(".banner", "Group sales/asia is paused");
    browser.open("#/collections");
    browser.see("h1", "Collections");
    browser.seeNo(".banner", "");
    browser.open("#/");
    browser.click(".attention a", "Group 'sales/asia' is paused");
    browser.click(".banner button", "Resume");
    browser.seeNo(".banner", "");

    browser.open("#/");
    browser.click("main button", "Pause everything …");
    browser.script(
        """
        const from = document.querySelector('dialog input[name=from]');
        from.value = '2031-01-02T22:00';
        from.dispatchEvent(new Event('input'));
        """);
    confirm("Pause");
    browser.see(".banner.planned", "Everything will be paused from 2031-01-02 22:00:00 until");
    assertTrue(data.get("/pauses").body().contains("\"everything\""));
    browser.click(".banner button", "Cancel");
    browser.seeNo(".banner", "");
    assertEquals("{\"value\":[]}", data.get("/pauses").body().strip());
  }

  /** Records the path of each POST, and delays it. */
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
    data.put("/groups/prod/eu/jobcollections/told/jobs/job", data.job("/ok", LATER));
    put("told", "job", LATER);

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
}
