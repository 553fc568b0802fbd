package carillon.it.console;

import carillon.support.Browser;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Program that takes screenshots of every page of the console, light, dark and as narrow as a
 * phone, for review. Arguments: the address of a Carillon, an API key of it, the folder for the
 * pictures, and {@code fill} to store jobs first.
 */
final class ConsoleShots {
  private static final int SETTLE_SECONDS = 2;
  private static final String OVERFLOWS =
      "return document.documentElement.scrollWidth > document.documentElement.clientWidth";

  private static final int MAX_HEIGHT = 2400;

  /** Separates the address in an entry from the action on the page. */
  private static final String ACT = " then ";

  private ConsoleShots() {}

  public static void main(String[] arguments) throws Exception {
    URI base = URI.create(arguments[0]);
    Path folder = Files.createDirectories(Path.of(arguments[2]));
    try (ConsoleData data = new ConsoleData(base, arguments[1])) {
      if (arguments.length > 3) {
        data.fill();
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(20));
      }
      try (Browser browser = new Browser(base.toString())) {
        shoot(browser, folder, "sign-in", "#/");
        browser.type("input[name=key]", arguments[1]);
        browser.click("button.primary", "Sign in");
        browser.see("h1", "Overview");
        for (Map.Entry<String, String> page : pages().entrySet()) {
          shoot(browser, folder, page.getKey(), page.getValue());
        }
        browser.complaints().forEach(System.out::println);
      }
    }
  }

  private static Map<String, String> pages() {
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("overview", "#/");
    pages.put("collections", "#/collections");
    pages.put("jobs", "#/c/billing");
    pages.put("job", "#/c/billing/j/export-ledger");
    pages.put(
        "changes",
        "#/c/billing/j/charge-cards" + ACT + "document.querySelector('.tick input').click()");
    pages.put("many", "#/c/catalogue?name=sku");
    pages.put("many-sorted", "#/c/catalogue?sort=next");
    pages.put("new", "#/c/billing/new");
    pages.put("edit", "#/c/reports/j/daily-summary-001/edit");
    pages.put("forecast", "#/forecast");
    pages.put("failed", "#/failed");
    pages.put("destinations", "#/destinations");
    pages.put("live", "#/live");
    pages.put("weekly", "#/c/reports/j/daily-summary-001");
    pages.put("failing", "#/c/billing?lastOutcome=failed");
    pages.put("empty", "#/c/empty");
    pages.put("settings", "#/c/billing/settings");
    pages.put("runs", "#/runs");
    pages.put("sorted", "#/c/billing?sort=-failed");
    pages.put("faulted-collections", "#/collections?state=faulted");
    pages.put("reference", "docs#putJob");
    pages.put("flows", "#/flows");
    pages.put(
        "flow",
        "#/flows"
            + ACT
            + "[...document.querySelectorAll('td button')].find(one => one.textContent === 'Limits …').click()");
    pages.put("retry", "#/c/billing/j/waits-for-retry");
    pages.put("waiting", "#/c/billing?name=s");
    pages.put("found", "#/jobs?name=daily");
    pages.put("calendars", "#/calendars");
    pages.put("calendar", "#/calendars/holidays");
    pages.put("nodes", "#/nodes");
    pages.put("metrics", "#/metrics");
    pages.put("keys", "#/keys");
    pages.put("audit", "#/audit");
    return pages;
  }

  private static void shoot(Browser browser, Path folder, String name, String hash) {
    browser.prefer("light");
    browser.size(1280, 1000);
    open(browser, hash);
    picture(browser, 1280, 1000, folder.resolve(name + "-light.png"));
    browser.prefer("dark");
    picture(browser, 1280, 1000, folder.resolve(name + "-dark.png"));
    browser.prefer("light");
    browser.size(390, 844);
    open(browser, hash);
    picture(browser, 390, 844, folder.resolve(name + "-phone.png"));
  }

  private static void open(Browser browser, String page) {
    String[] parts = page.split(ACT, 2);
    String hash = parts[0];
    browser.open(hash.startsWith("#") ? "?" + System.nanoTime() + hash : hash);
    settle();
    if (parts.length > 1) {
      browser.script(parts[1]);
      settle();
    }
    browser.script("document.querySelector('.history button.row')?.click()");
    if (Boolean.TRUE.equals(browser.script(OVERFLOWS))) {
      System.out.println(hash + " is wider than the window");
    }
  }

  private static void settle() {
    LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(SETTLE_SECONDS));
  }

  /** Takes a picture of the whole page, up to the maximum height of a picture. */
  private static void picture(Browser browser, int width, int height, Path file) {
    Object whole = browser.script("return document.documentElement.scrollHeight");
    browser.size(width, Math.min(MAX_HEIGHT, Math.max(height, ((Long) whole).intValue())));
    browser.screenshot(file);
  }
}
