package carillon.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import carillon.load.Load;
import carillon.load.MachineInfo;
import carillon.load.Percentiles;
import carillon.load.SendRate;
import carillon.load.Table;
import carillon.support.Await;
import carillon.support.Browser;
import carillon.support.CarillonProcess;
import carillon.support.RedisServer;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Test of the time that pages of the console take with many jobs. It measures from the click until
 * the rows are painted, and the API requests behind it. The build runs a small test. The system
 * properties {@code console.jobs} and {@code console.rounds} set its size.
 */
@Tag("alone")
class ConsoleTimesIT {
  private static final int JOBS = Integer.getInteger("console.jobs", 20_000);
  private static final int ROUNDS = Integer.getInteger("console.rounds", 2);
  private static final int WARM_UP = (ROUNDS + 1) / 2;
  private static final int FAILING = 600;
  private static final int CONNECTIONS = 32;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration STORING = Duration.ofMinutes(30);

  /** Time after which the node's cached data for an overview or a forecast has expired. */
  private static final Duration GATHERED = Duration.ofMillis(5500);

  /** Limit far above the goal, as the machine of a build is shared. */
  private static final double MAX_MEDIAN_MS = 3000;

  /** Condition for a page of failures, which has a row for each cause. */
  private static final String CAUSE = "document.querySelector('main tbody tr.cause') !== null";

  private static final String ROWS =
      "document.querySelectorAll('main tbody tr:has(a.row)').length >= 50";

  @TempDir private Path dir;
  private RedisServer redis;
  private CarillonProcess node;
  private Browser browser;

  /**
   * Page to measure.
   *
   * @param from address before the page
   * @param act script that leads to the page
   * @param isThere condition for a drawn page
   * @param isGathered whether the node caches the answer for a while
   */
  private record Page(String from, String act, String isThere, boolean isGathered) {
    private static Page at(String address, String isThere, boolean isGathered) {
      return new Page("#/nothing", "location.hash = '" + address + "'", isThere, isGathered);
    }
  }

  /**
   * Measurement of one visit.
   *
   * @param painted ms until the page was painted
   * @param slowest ms of the slowest request behind it
   * @param requests number of requests behind it
   */
  private record Look(double painted, double slowest, long requests) {}

  @BeforeEach
  void start() {
    assumeTrue(Browser.isThere(), "chromium and chromedriver are not installed");
    redis = RedisServer.start();
    node =
        CarillonProcess.start(
            dir,
            Map.of(
                "CARILLON_REDIS_URI", redis.uri().toString(), "CARILLON_EGRESS_LOOPBACK", "allow"));
    browser = new Browser(node.base().toString());
  }

  @AfterEach
  void stop() {
    if (browser != null) {
      browser.close();
      node.close();
      redis.close();
    }
  }

  @Test
  void pagesAreThereSoonWithManyJobs() throws Exception {
    store();
    browser.beforeEachPage(NOTE_WHEN_ROWS_ARE_PAINTED);
    Map<String, List<Look>> looks = new LinkedHashMap<>();
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      Map<String, Look> found = new LinkedHashMap<>();
      found.put("jobs, the console opened there", opened());
      pages().forEach((name, page) -> found.put(name, look(page)));
      if (round >= 0) {
        found.forEach(
            (name, look) -> looks.computeIfAbsent(name, n -> new ArrayList<>()).add(look));
      }
    }
    assertEquals(List.of(), browser.complaints());
    tell(looks);
    looks.forEach(
        (name, all) ->
            assertTrue(
                median(all, Look::painted) < MAX_MEDIAN_MS, () -> name + " is slow: " + all));
  }

  private static Map<String, Page> pages() {
    Map<String, Page> pages = new LinkedHashMap<>();
    pages.put("jobs", Page.at("#/c/many", ROWS, false));
    pages.put(
        "jobs: the next page",
        new Page(
            "#/c/many",
            "[...document.querySelectorAll('.pager button')].at(-1).click()",
            first(50),
            false));
    pages.put("jobs: in one state", Page.at("#/c/many?state=enabled", ROWS, false));
    pages.put(
        "jobs: the beginning of a name, early",
        Page.at("#/c/many?name=" + name(0).substring(0, name(0).length() - 2), ROWS, false));
    pages.put(
        "jobs: the beginning of a name, late",
        Page.at(
            "#/c/many?name=" + name(JOBS - 1).substring(0, name(JOBS - 1).length() - 2),
            ROWS,
            false));
    pages.put("runs", Page.at("#/runs", ROWS, false));
    pages.put("failed", Page.at("#/failed", CAUSE, false));
    String tiles = "document.querySelector('.tiles') !== null";
    pages.put("overview, gathered anew", Page.at("#/", tiles, true));
    pages.put("overview", Page.at("#/", tiles, false));
    String cells = "document.querySelectorAll('.heatmap').length === 3";
    pages.put("forecast, gathered anew", Page.at("#/forecast", cells, true));
    pages.put("forecast", Page.at("#/forecast", cells, false));
    return pages;
  }

  private static String first(int number) {
    return "document.querySelector('main tbody a.row')?.textContent === '" + name(number) + "'";
  }

  /** Opens the console from a bookmark. */
  private Look opened() {
    browser.open("?" + System.nanoTime() + "#/c/many");
    Await.until(
        "rows are painted",
        PATIENCE,
        () -> Boolean.TRUE.equals(browser.script("return window.painted !== undefined")));
    return read(browser.script("return window.painted"));
  }

  private Look look(Page page) {
    browser.script("location.hash = '" + page.from + "'");
    browser.see("h1", page.from.equals("#/nothing") ? "Nothing is here" : "many");
    if (page.from.equals("#/c/many")) {
      Await.until(
          "the first page is there",
          PATIENCE,
          () -> Boolean.TRUE.equals(browser.script("return " + first(0) + " && " + ROWS)));
    }
    if (page.isGathered) {
      LockSupport.parkNanos(GATHERED.toNanos());
    }
    return read(browser.scriptAsync(LOOK.formatted(page.isThere, page.act)));
  }

  private static Look read(Object answer) {
    List<?> figures = (List<?>) answer;
    return new Look(
        ((Number) figures.get(0)).doubleValue(),
        ((Number) figures.get(1)).doubleValue(),
        ((Number) figures.get(2)).longValue());
  }

  /** Measures after the frame that shows the new content. */
  private static final String PAINTED =
      """
      const painted = (begun, then) => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          const asked = performance.getEntriesByType('resource').filter(one => one.initiatorType === 'fetch' && one.startTime >= begun);
          then([performance.now() - begun, Math.max(0, ...asked.map(one => one.duration)), asked.length]);
        };
        port2.postMessage(0);
      });
      """;

  /** Runs an action and returns when the page is painted; takes the condition and the action. */
  private static final String LOOK =
      PAINTED
          + """
          const done = arguments[0];
          const begun = performance.now();
          performance.clearResourceTimings();
          const drawn = new MutationObserver(() => {
            if (!(%s)) return;
            drawn.disconnect();
            painted(begun, done);
          });
          drawn.observe(document.getElementById('app'), { subtree: true, childList: true, characterData: true });
          %s;
          """;

  private static final String NOTE_WHEN_ROWS_ARE_PAINTED =
      PAINTED
          + """
          const drawn = new MutationObserver(() => {
            if (!(%s)) return;
            drawn.disconnect();
            painted(0, figures => { window.painted = figures; });
          });
          drawn.observe(document, { subtree: true, childList: true });
          """
              .formatted(ROWS);

  /** Stores jobs: a tenth of them daily, all others much later, and some that fail. */
  private void store() throws Exception {
    node.send("PUT", "/jobcollections/many", "{}");
    node.send("PUT", "/jobcollections/broken", "{}");
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Vertx vertx = Vertx.vertx();
    try {
      Load load = new Load(vertx, node.base(), CONNECTIONS);
      store(load, JOBS, i -> put("many", name(i), job(i, now)));
      store(load, FAILING, i -> put("broken", "fails-" + i, document("http://127.0.0.1:9/", "")));
    } finally {
      vertx.close().await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    Await.until(
        "jobs fail",
        PATIENCE,
        () -> node.get("/executions?state=failed&$top=100").body().contains("\"nextLink\""));
  }

  private static void store(Load load, int count, IntFunction<Buffer> requests) throws Exception {
    Load.Work work = new Load.Work(SendRate.count(count), requests, (index, sent, answered) -> {});
    load.run(work).await(STORING.toSeconds(), TimeUnit.SECONDS);
  }

  private static String name(int number) {
    return "job-%07d".formatted(number);
  }

  private static String job(int number, Instant now) {
    if (number % 10 != 0) {
      return document(
          "http://127.0.0.1:9/",
          ",\"startTime\":\"" + Instant.parse("2035-01-01T00:00:00Z").plusSeconds(number) + "\"");
    }
    Instant start = now.plus(Duration.ofHours(2)).plusSeconds(number / 10 % 86_400);
    return document(
        "http://127.0.0.1:9/",
        ",\"startTime\":\"" + start + "\",\"recurrence\":{\"frequency\":\"day\"}");
  }

  private static String document(String target, String more) {
    return "{\"action\":{\"type\":\"http\",\"request\":{\"method\":\"POST\",\"uri\":\""
        + target
        + "\"},\"retryPolicy\":{\"retryType\":\"none\"}}"
        + more
        + "}";
  }

  private static Buffer put(String collection, String job, String document) {
    return Buffer.buffer(
        "PUT /jobcollections/%s/jobs/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(collection, job, document.length(), document));
  }

  private static void tell(Map<String, List<Look>> looks) {
    Table table =
        new Table(
            List.of(
                "page",
                "painted, median ms",
                "worst",
                "requests",
                "the slowest of them, median ms",
                "worst"));
    looks.forEach(
        (name, all) ->
            table.add(
                List.of(
                    name,
                    ms(median(all, Look::painted)),
                    ms(worst(all, Look::painted)),
                    Long.toString((long) median(all, Look::requests)),
                    ms(median(all, Look::slowest)),
                    ms(worst(all, Look::slowest)))));
    System.out.printf(
        "%,d jobs, %d looks at each page, %d processors, load %.1f%n",
        JOBS,
        ROUNDS,
        MachineInfo.processors(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    table.markdown().forEach(System.out::println);
  }

  private static String ms(double value) {
    return Long.toString(Math.round(value));
  }

  private static double median(List<Look> looks, ToDoubleFunction<Look> figure) {
    return percentiles(looks, figure).at(50) / 1000.0;
  }

  private static double worst(List<Look> looks, ToDoubleFunction<Look> figure) {
    return percentiles(looks, figure).max() / 1000.0;
  }

  private static Percentiles percentiles(List<Look> looks, ToDoubleFunction<Look> figure) {
    return Percentiles.of(
        looks.stream().mapToLong(look -> Math.round(figure.applyAsDouble(look) * 1000)).toArray());
  }
}
