package carillon.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.name.JobName;
import carillon.support.RedisServer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/**
 * Test of the console's job lists in a real browser: order, pages, columns, saved filters, and the
 * list of all collections.
 */
class ConsoleJobListIT extends ConsoleTestBase {
  private static final int JOBS = 60;

  /** Creates jobs of which the last by name runs first. */
  private static void putMany(String collection) {
    data.put("/jobcollections/" + collection, "{}");
    for (int i = 0; i < JOBS; i++) {
      put(
          collection,
          "n-%02d".formatted(i),
          ",\"startTime\":\"2030-01-01T00:%02d:00Z\"".formatted(59 - i));
    }
  }

  private static void seeFirst(String job) {
    browser.see("tbody tr:first-child a.row", job);
  }

  @Test
  void aHeaderOrdersTheWholeListAndTheAddressKeepsIt() {
    putMany("ordered");

    browser.open("#/c/ordered");
    browser.see(".pager", "1–50 of 60");
    assertEquals(
        "Sort the whole list by next", browser.see("th button", "Next").getAttribute("title"));
    browser.click("th button", "Next");
    browser.see("th[aria-sort=ascending]", "Next");
    browser.seeAddress("sort=next");
    seeFirst("n-59");
    browser.seeNo(".caption", "Only the rows");
    browser.click(".pager button", "More");
    browser.see(".pager", "51–60 of 60");
    seeFirst("n-09");
    browser.click("th button", "Next");
    browser.seeAddress("sort=-next");
    browser.see(".pager", "1–50 of 60");
    seeFirst("n-00");
    browser.click("tbody tr:first-child a.row", "n-00");
    browser.see("h1", "n-00");
    browser.script("history.back()");
    browser.see("th[aria-sort=descending]", "Next");
    seeFirst("n-00");
    browser.click("th button", "Next");
    browser.see("th[aria-sort=none]", "Next");
    browser.open("?again#/c/ordered?sort=-name");
    seeFirst("n-59");
    browser.open("?again#/c/ordered?sort=next&name=n-5");
    browser.see(".pager", "1–10 of 10");
    seeFirst("n-59");
    browser.open("?again#/c/ordered?name=n-");
    browser.see(".pager", "1–50 of more than 50");
  }

  @Test
  void jobsOfAllCollectionsAreFoundByAPartOfTheName() {
    put("found-a", "sync-stock", LATER);
    put("found-b", "daily-sync", LATER);
    put("found-b", "other", LATER + ",\"state\":\"disabled\"");

    browser.open("#/");
    browser.see("h1", "Overview");
    browser.press("/");
    browser.see("h1", "Find jobs");
    browser.see("h2", "Jobs of all collections");
    browser.type("input[type=search]", "SYNC");
    browser.see("a.row", "found-a/sync-stock");
    browser.see("a.row", "found-b/daily-sync");
    browser.see(".pager", "1–2 of 2");
    browser.seeNo("a.row", "found-b/other");
    browser.seeAddress("#/jobs?name=SYNC");
    browser.open("?again#/jobs?state=disabled");
    browser.see("a.row", "found-b/other");
    browser.click("a.row", "found-b/other");
    browser.seeAddress("#/c/found-b/j/other");
  }

  @Test
  void columnsAreChosenAndTheBrowserKeepsThem() {
    put("chosen", "job", LATER);

    browser.open("#/c/chosen");
    browser.see("th", "Schedule");
    browser.seeNo("th", "Created");
    browser.click("nav button", "Columns");
    browser.click("dialog label", "Schedule");
    browser.click("dialog label", "Created");
    browser.click("dialog label", "Recent");
    browser.click("dialog footer button", "Done");
    browser.seeNo("th", "Schedule");
    browser.open("?again#/c/chosen");
    browser.see("th", "Created");
    browser.seeNo("th", "Schedule");
    browser.seeNo("th", "Recent");
    browser.click("nav button", "Columns");
    browser.click("dialog footer button", "Reset");
    browser.press(Keys.ESCAPE);
    browser.see("th", "Schedule");
    browser.see("th", "Recent");
    browser.seeNo("th", "Created");
    browser.open("#/collections");
    browser.seeNo("nav button", "Columns");
  }

  @Test
  void aFilterIsSavedUnderANameAndIsALink() {
    put("saved", "rests", LATER + ",\"state\":\"disabled\"");
    put("saved", "waits", LATER);

    browser.open("#/c/saved");
    browser.click(".toolbar button", "Saved filters");
    browser.see("dialog p", "Filter or sort the list");
    browser.press(Keys.ESCAPE);
    browser.open("#/c/saved?state=disabled&sort=-next");
    browser.see("a.row", "rests");
    browser.click(".toolbar button", "Saved filters");
    browser.type("dialog input[name=filter]", "At rest");
    browser.click("dialog button.primary", "Save");
    browser.see("dialog li a", "At rest");
    browser.press(Keys.ESCAPE);
    browser.see(".toolbar button", "Saved filters (1)");

    browser.open("?again#/c/saved");
    browser.see("a.row", "waits");
    browser.click(".toolbar button", "Saved filters (1)");
    browser.click("dialog li a", "At rest");
    browser.seeAddress("#/c/saved?state=disabled&sort=-next");
    browser.see("a.row", "rests");
    browser.seeNo("a.row", "waits");
    browser.seeNo("dialog", "");
    browser.click(".toolbar button", "Saved filters (1)");
    browser.click("dialog li button", "Remove");
    browser.see("dialog p", "None yet");
    browser.press(Keys.ESCAPE);
    browser.seeNo(".toolbar button", "(1)");
  }

  /** The last jobs have only names in the index, which is enough to count them. */
  @Test
  void aListThatIsTooLongIsSortedOnItsPageAndSaysSo() {
    putMany("lengthy");
    Path redis = dir.resolve("data").resolve("redis.sock");
    List<String> added = IntStream.range(0, 10_000).mapToObj(i -> "z-" + i).toList();
    for (String name : added) {
      String key = "default/default/lengthy/" + name;
      RedisServer.list(
          redis,
          "ZADD carillon:{%d}:jobs:default/default/lengthy 0 enabled/%s"
              .formatted(JobName.partition(key, 64), name));
    }

    browser.open("#/c/lengthy?sort=next");
    browser.see(
        ".caption", "Only the rows on this page are sorted, not the whole list: the limit is");
    seeFirst("n-49");
    browser.see(".pager", "1–50 of 10,060");
    browser.see("th[aria-sort=ascending]", "Next");
    browser.open("?again#/c/lengthy?sort=next&state=disabled");
    browser.see("td", "No job matches");
    browser.seeNo(".caption", "Only the rows");
    List<String> refused = browser.complaints(); // the server refused to order it
    assertTrue(refused.stream().allMatch(one -> one.contains("orderby=next")), refused::toString);
    data.delete("/jobcollections/lengthy");
  }

  /** Overwrites a count of a job, as only a manual command can. */
  private static void damage(String collection, String job) {
    String key = "default/default/" + collection + "/" + job;
    RedisServer.list(
        dir.resolve("data").resolve("redis.sock"),
        "HSET carillon:{%d}:job:%s failures nonsense".formatted(JobName.partition(key, 64), key));
  }

  @Test
  void aListNamesTheDamagedJobsThatItLeavesOutAndTheirPagesDeleteThem() {
    put("hurt", "whole", LATER);
    put("hurt", "broken-a", LATER);
    put("hurt", "broken-b", LATER);
    damage("hurt", "broken-a");
    damage("hurt", "broken-b");

    browser.open("#/jobs?name=broken");
    browser.see(".hint", "2 jobs are damaged in Redis and left out of this list");
    browser.see(".hint a", "hurt/broken-b");
    browser.open("#/c/hurt");
    browser.see(".pager", "1–1 of 1");
    browser.see(".hint", "2 jobs are damaged in Redis and left out of this list");
    browser.click(".hint a", "broken-a");
    browser.see(".problem", "its field 'failures' holds 'nonsense'");
    browser.click(".head button.danger", "Delete");
    confirm("Delete");

    browser.seeAddress("#/c/hurt");
    browser.see(".hint", "1 job is damaged");
    browser.see(".hint a", "broken-b");
    data.delete("/jobcollections/hurt/jobs/whole");
    browser.open("?again#/c/hurt");
    browser.see(".hint a", "broken-b");
    browser.seeNo("h2", "There is no job yet");
    data.delete("/jobcollections/hurt");
    List<String> refused = browser.complaints(); // the page of a damaged job does not exist
    assertTrue(refused.stream().allMatch(one -> one.contains("/jobs/broken-a")), refused::toString);
  }
}
