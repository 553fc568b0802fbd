package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.bus.Messages;
import carillon.job.Attempt;
import carillon.job.Claim;
import carillon.job.HistoryEntry;
import carillon.job.HistoryEntry.Status;
import carillon.job.JobName;
import carillon.support.JobJson;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the console asks the API for, and the console's own files. */
class ConsoleApiTest {
  private static final String JOBS = "/jobcollections/default/jobs/";
  private static final String DAILY = daily().json();

  private ApiServer api;

  private static JobJson daily() {
    return job().recurrence("{\"frequency\":\"day\",\"schedule\":{\"hours\":[5]}}");
  }

  private static JobJson job() {
    return JobJson.get("http://127.0.0.1:9/");
  }

  @BeforeEach
  void startWithACollection() {
    api = new ApiServer();
    api.send("PUT", "/jobcollections/default", "{}");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private void put(String name, String job) {
    HttpResponse<String> answer = api.send("PUT", JOBS + name, job);
    assertEquals(2, answer.statusCode() / 100, answer::body);
  }

  private JsonObject get(String path) {
    HttpResponse<String> answer = api.send("GET", path, null);
    assertEquals(200, answer.statusCode(), answer::body);
    return new JsonObject(answer.body());
  }

  private static List<String> names(JsonObject page) {
    JsonArray value = page.getJsonArray("value");
    return IntStream.range(0, value.size())
        .mapToObj(i -> value.getJsonObject(i).getJsonObject("job").getString("id"))
        .toList();
  }

  /** Writes the last entry of a history as the engine does. */
  private void lastOutcome(String job, String status) {
    String key = "default/default/default/" + job;
    api.redis.eval(
        "return tostring(redis.call('LPUSH', 'carillon:{"
            + JobName.partition(key, 4)
            + "}:history:"
            + key
            + "', '{\"end\":\"2026-11-20T18:00:00.000Z\",\"start\":\"2026-11-20T18:00:00Z\","
            + "\"due\":\"2026-11-20T18:00:00Z\",\"status\":\""
            + status
            + "\",\"action\":\"main\",\"occurrence\":1,\"retry\":0,\"execution\":\"\","
            + "\"message\":\"of status\"}'))");
  }

  // ---------------------------------------------------------------- search

  @Test
  void aSearchFindsAPartOfANameInAnyCase() {
    put("Invoice-1", DAILY);
    put("send-invoices", DAILY);
    put("other", DAILY);

    JsonObject page = get("/jobcollections/default/search?name=INVOICE");

    assertEquals(List.of("Invoice-1", "send-invoices"), names(page));
    assertEquals(
        new JsonObject().put("enabled", 3).put("disabled", 0).put("completed", 0).put("faulted", 0),
        page.getJsonObject("counts"));
    assertEquals(
        "every day at 05:00 UTC",
        page.getJsonArray("value").getJsonObject(0).getString("schedule"));
  }

  @Test
  void aSearchKnowsHowTheLastAttemptWent() {
    put("a", DAILY);
    put("b", DAILY);
    put("c", DAILY);
    put("d", DAILY);
    lastOutcome("a", "failed");
    lastOutcome("b", "failed");
    lastOutcome("b", "completed");
    lastOutcome("c", "skipped");

    assertEquals(List.of("a"), names(get("/jobcollections/default/search?lastOutcome=failed")));
    assertEquals(List.of("b"), names(get("/jobcollections/default/search?lastOutcome=completed")));
    assertEquals(List.of("c"), names(get("/jobcollections/default/search?lastOutcome=Skipped")));
    assertEquals(List.of("d"), names(get("/jobcollections/default/search?lastOutcome=none")));
    assertEquals(
        "failed",
        get("/jobcollections/default/search")
            .getJsonArray("value")
            .getJsonObject(0)
            .getString("lastOutcome"));
  }

  @Test
  void aSearchKnowsStates() {
    put("on", DAILY);
    put("off", daily().with("state", "disabled").json());

    assertEquals(List.of("off"), names(get("/jobcollections/default/search?state=disabled")));
    assertEquals(List.of(), names(get("/jobcollections/default/search?state=disabled&name=on")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "&name=job", "&lastOutcome=none", "&state=enabled&name=-"})
  void aSearchIsPagedThroughWithoutGapsOrRepeats(String filter) {
    List<String> all = IntStream.range(0, 50).mapToObj(i -> "job-" + (100 + i)).toList();
    all.forEach(name -> put(name, DAILY));

    List<String> found = new ArrayList<>();
    String next = "/jobcollections/default/search?$top=7" + filter;
    while (next != null) {
      JsonObject page = get(next);
      found.addAll(names(page));
      String link = page.getString("nextLink");
      next = link == null ? null : link.substring(link.indexOf("/jobcollections"));
    }

    assertEquals(all, found);
  }

  @ParameterizedTest
  @CsvSource({
    "state=paused, state: 'paused' must be one of",
    "lastOutcome=good, lastOutcome: 'good' must be one of",
    "$top=0, $top: '0' must be a whole number"
  })
  void aSearchRefusesWhatItDoesNotKnow(String query, String message) {
    HttpResponse<String> answer = api.send("GET", "/jobcollections/default/search?" + query, null);

    assertEquals(400, answer.statusCode());
    assertTrue(answer.body().contains(message), answer::body);
  }

  @Test
  void theRetiredServiceHadNoSearch() {
    HttpResponse<String> answer =
        api.send(
            "GET",
            "/subscriptions/default/resourceGroups/default/providers/Microsoft.Scheduler"
                + "/jobCollections/default/search?api-version=2016-03-01",
            null);

    assertEquals(404, answer.statusCode());
  }

  // ---------------------------------------------------------------- what is to come

  @Test
  void theNextOccurrencesAreThoseThatTheCountLeaves() {
    put(
        "thrice",
        job()
            .startTime("2026-11-20T20:00:00Z")
            .recurrence("{\"frequency\":\"hour\",\"interval\":3,\"count\":3}")
            .json());

    JsonObject outlook = get(JOBS + "thrice/occurrences");

    assertEquals("every 3 hours at minute 0, 3 times", outlook.getString("schedule"));
    assertEquals(
        new JsonArray()
            .add("2026-11-20T20:00:00Z")
            .add("2026-11-20T23:00:00Z")
            .add("2026-11-21T02:00:00Z"),
        outlook.getJsonArray("occurrences"));
    assertEquals(
        new JsonArray()
            .add(new JsonObject().put("date", "2026-11-20").put("count", 2))
            .add(new JsonObject().put("date", "2026-11-21").put("count", 1)),
        outlook.getJsonArray("days"));
  }

  @Test
  void aJobThatCountsFromItsStartsIsShownAsIfAllWereOnTime() {
    put("often", job().recurrence("{\"frequency\":\"minute\",\"interval\":5}").json());

    JsonObject outlook = get(JOBS + "often/occurrences?$top=2");

    assertEquals(
        new JsonArray().add("2026-11-20T18:00:00Z").add("2026-11-20T18:05:00Z"),
        outlook.getJsonArray("occurrences"));
    assertEquals(72, outlook.getJsonArray("days").getJsonObject(0).getInteger("count"));
    assertEquals(288, outlook.getJsonArray("days").getJsonObject(41).getInteger("count"));
  }

  @Test
  void nothingIsToComeOfAPausedJob() {
    put("off", daily().with("state", "disabled").json());

    JsonObject outlook = get(JOBS + "off/occurrences");

    assertEquals("every day at 05:00 UTC", outlook.getString("schedule"));
    assertTrue(outlook.getJsonArray("occurrences").isEmpty());
    assertTrue(outlook.getJsonArray("days").isEmpty());
  }

  // ---------------------------------------------------------------- validation

  private JsonObject validate(String name, String job) {
    HttpResponse<String> answer = api.send("POST", JOBS + name + "/validate", job);
    assertEquals(200, answer.statusCode(), answer::body);
    return new JsonObject(answer.body());
  }

  @Test
  void aValidJobIsToldWhatWouldComeOfItAndNotStored() {
    JsonObject outlook = validate("new", DAILY);

    assertEquals("2026-11-20T18:00:00Z", outlook.getJsonArray("occurrences").getString(0));
    assertEquals(404, api.send("GET", JOBS + "new", null).statusCode());
  }

  static List<String> refused() {
    return List.of(
        "{}",
        "{\"action\":{\"type\":\"http\"}}",
        "{\"recurrence\":{\"frequency\":\"day\"}}",
        job().with("unknown", 1).json(),
        job().recurrence("{\"frequency\":\"week\",\"schedule\":{\"monthDays\":[1]}}").json(),
        job().startTime("tomorrow").json(),
        "no json");
  }

  @ParameterizedTest
  @MethodSource("refused")
  void aRefusalHasTheWordsOfThePutThatItStandsFor(String job) {
    HttpResponse<String> put = api.send("PUT", JOBS + "new", job);

    assertEquals(400, put.statusCode());
    assertEquals(new JsonObject(put.body()), validate("new", job));
  }

  @Test
  void quotasAreHeldToo() {
    api.send(
        "PUT",
        "/jobcollections/default",
        "{\"quota\":{\"maxRecurrence\":{\"frequency\":\"hour\",\"interval\":1}}}");
    String job = job().every("minute").json();

    JsonObject refused = validate("new", job).getJsonObject("error");

    assertEquals("Conflict", refused.getString("code"));
    assertEquals(
        new JsonObject(api.send("PUT", JOBS + "new", job).body()).getJsonObject("error"), refused);
  }

  @Test
  void whatIsNotAboutTheJobStaysAFailure() {
    assertEquals(
        404, api.send("POST", "/jobcollections/none/jobs/new/validate", DAILY).statusCode());
    assertEquals(405, api.send("GET", JOBS + "new/validate", null).statusCode());
  }

  // ---------------------------------------------------------------- overview

  @Test
  void theOverviewCountsJobsAndWhatIsDue() {
    put("now", job().json());
    put("soon", job().startTime("2026-11-20T18:30:30Z").json());
    put("night", job().startTime("2026-11-21T00:00:00Z").json());
    put("off", daily().with("state", "disabled").json());
    api.send("PUT", "/jobcollections/other", "{\"state\":\"disabled\"}");

    JsonObject overview = get("/overview");

    assertEquals(2, overview.getInteger("collections"));
    assertEquals(3, overview.getJsonObject("jobs").getInteger("enabled"));
    assertEquals(1, overview.getJsonObject("jobs").getInteger("disabled"));
    JsonObject hour = overview.getJsonObject("due").getJsonObject("hour");
    assertEquals("2026-11-20T18:00:00Z", hour.getString("from"));
    assertEquals(60, hour.getJsonArray("counts").size());
    assertEquals(1, hour.getJsonArray("counts").getInteger(0));
    assertEquals(1, hour.getJsonArray("counts").getInteger(30));
    JsonArray day = overview.getJsonObject("due").getJsonObject("day").getJsonArray("counts");
    assertEquals(1, day.getInteger(24), "midnight");
    assertTrue(overview.getJsonArray("redis").getJsonObject(0).getLong("usedMemory") > 0);
    assertTrue(
        overview.getJsonArray("attention").encode().contains("Collection 'other' is disabled"));
  }

  @Test
  void theOverviewCountsTheJobsOfTheSubscriptionOrGroupThatIsAskedFor() {
    put("here", DAILY);
    for (String group : List.of("/groups/default/Team", "/groups/other/team")) {
      api.send("PUT", group + "/jobcollections/c", "{\"state\":\"disabled\"}");
      assertEquals(
          201, api.send("PUT", group + "/jobcollections/c/jobs/there", DAILY).statusCode());
    }

    for (String[] asked :
        new String[][] {
          {"", "default", "2"},
          {"?scope=Default", "default", "2"},
          {"?scope=default/team", "default/team", "1"},
          {"?scope=other", "other", "1"},
          {"?scope=none/at-all", "none/at-all", "0"},
        }) {
      JsonObject overview = get("/overview" + asked[0]);
      assertEquals(asked[1], overview.getString("scope"));
      assertEquals(asked[2], "" + overview.getJsonObject("jobs").getInteger("enabled"), asked[1]);
      assertEquals(
          3,
          overview.getJsonObject("due").getJsonObject("day").getJsonArray("counts").stream()
              .mapToInt(n -> (Integer) n)
              .sum(),
          "what is due is of all");
    }
    assertTrue(
        get("/overview").getJsonArray("attention").encode().contains("'Team/c' is disabled"));
    for (String wrong : List.of("*", "a/b/c", "a/", "", "%20")) {
      HttpResponse<String> refused = api.send("GET", "/overview?scope=" + wrong, null);
      assertEquals(400, refused.statusCode(), wrong);
      assertTrue(refused.body().contains("subscription/group"), refused.body());
    }
  }

  /** Redis holds what each node noted of each minute, in one line that people can read. */
  @Test
  void theOverviewTellsWhatAllNodesDidInTheLastHour() {
    String key = "'carillon:activity:2026-11-20T";
    for (String noted :
        List.of(
            "17:00:00Z', 'a', '9 9 9,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0'",
            "17:01:00Z', 'a', '1 0 1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0'",
            "18:00:00Z', 'a', '5 1 4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0'",
            "18:00:00Z', 'b', '2 3 0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0'",
            "18:00:00Z', 'c', 'of another version'")) {
      api.redis.eval("return tostring(redis.call('HSET', " + key + noted + "))");
    }

    JsonObject done = get("/overview").getJsonObject("done");

    assertEquals("2026-11-20T17:01:00Z", done.getString("from"));
    assertEquals(60, done.getJsonArray("completed").size());
    assertEquals(1, done.getJsonArray("completed").getInteger(0));
    assertEquals(7, done.getJsonArray("completed").getInteger(59));
    assertEquals(4, done.getJsonArray("failed").getInteger(59));
    assertEquals(0.001, done.getDouble("latenessP50"));
    assertEquals(0.025, done.getDouble("latenessP99"));
  }

  @Test
  void theOverviewIsGatheredOncePerFewSeconds() {
    assertEquals(0, get("/overview").getJsonObject("jobs").getInteger("enabled"));
    put("new", DAILY);

    api.moveTo(ApiServer.START.plusSeconds(3));

    assertEquals(1, get("/overview").getJsonObject("jobs").getInteger("enabled"));
  }

  // ---------------------------------------------------------------- live

  private static Messages.AttemptEnded finished(String job, HistoryEntry.Status status) {
    Attempt attempt =
        new Attempt(
            "default/default/default/" + job, ApiServer.START, 1, Attempt.Phase.MAIN, 1, 1, 0);
    HistoryEntry entry =
        new HistoryEntry(
            ApiServer.START,
            ApiServer.START.plusMillis(5),
            ApiServer.START,
            status,
            Attempt.Phase.MAIN,
            1,
            0,
            attempt.executionId(),
            "one line\nand </script> another");
    return new Messages.AttemptEnded(new Claim(attempt, "t"), "Default/" + job, Optional.of(entry));
  }

  /** Reads events from a stream until one has this name; returns its data. */
  private static String event(Iterator<String> lines, String name) {
    while (!lines.next().equals("event: " + name)) {}
    return lines.next().substring("data: ".length());
  }

  @Test
  void attemptsAreSentOnAsTheyEnd() {
    try (Stream<String> stream = api.stream("/console/executions?status=failed&job=MAIL")) {
      Iterator<String> lines = stream.iterator();
      assertEquals(": watching", lines.next());
      for (String job : List.of("mail-1", "other")) {
        Messages.ENDED.toAll(api.vertx.eventBus(), finished(job, Status.COMPLETED));
        Messages.ENDED.toAll(api.vertx.eventBus(), finished(job, Status.FAILED));
      }

      JsonArray attempts = new JsonArray(event(lines, "executions"));

      assertEquals(1, attempts.size());
      JsonObject attempt = attempts.getJsonObject(0);
      assertEquals("Default", attempt.getString("collection"));
      assertEquals("mail-1", attempt.getString("job"));
      assertEquals("failed", attempt.getString("status"));
      assertEquals("one line\nand </script> another", attempt.getString("message"));
    }
  }

  @Test
  void aBrowserIsToldHowManyLinesItLost() {
    try (Stream<String> stream = api.stream("/console/executions")) {
      Iterator<String> lines = stream.iterator();
      assertEquals(": watching", lines.next());
      for (int i = 0; i < 5000; i++) {
        Messages.ENDED.toAll(api.vertx.eventBus(), finished("mail", Status.COMPLETED));
      }
      long told = 0;
      long lost = 0;
      while (told + lost < 5000) {
        String name = lines.next();
        if (name.equals("event: executions")) {
          told += new JsonArray(lines.next().substring(6)).size();
        } else if (name.equals("event: lost")) {
          lost += Long.parseLong(lines.next().substring(6));
        }
      }

      assertEquals(5000, told + lost);
      assertTrue(lost > 0, "at most 200 are kept for a quarter of a second");
    }
  }

  @Test
  void aStreamEndsWithTheNode() {
    try (Stream<String> stream = api.stream("/console/executions")) {
      Iterator<String> lines = stream.iterator();
      assertEquals(": watching", lines.next());
      api.stopListening();

      while (lines.hasNext()) {
        lines.next();
      }
    }
  }

  @Test
  void aFilterThatMakesNoSenseIsRefused() {
    assertEquals(400, api.send("GET", "/console/executions?status=odd", null).statusCode());
  }

  // ---------------------------------------------------------------- the console's files

  @Test
  void aBrowserGetsThePageAndOthersTheProduct() {
    HttpResponse<String> page =
        api.send("GET", "/console/index.html", null, "Accept", "text/html,*/*;q=0.8");
    String policy = page.headers().firstValue("Content-Security-Policy").orElse("");

    assertTrue(page.body().contains("<div id=\"app\">"));
    assertTrue(policy.contains("default-src 'none'") && !policy.contains("unsafe"), policy);
    assertEquals("nosniff", page.headers().firstValue("X-Content-Type-Options").orElse(""));
    assertTrue(api.send("GET", "/", null, "Accept", "*/*").body().contains("\"openapi\""));
    assertTrue(api.send("GET", "/", null).body().contains("\"openapi\""));
    assertEquals(
        page.body(),
        api.sendRaw("GET / HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nConnection: close\r\n\r\n")
            .split("\r\n\r\n", 2)[1]);
  }

  @Test
  void filesAreSentAgainOnlyWhenTheyHaveChanged() {
    HttpResponse<String> first = api.send("GET", "/console/lit-html.js", null);
    String tag = first.headers().firstValue("ETag").orElseThrow();

    assertEquals(
        "text/javascript; charset=utf-8", first.headers().firstValue("Content-Type").orElse(""));
    assertFalse(first.body().isEmpty());
    assertEquals(
        304, api.send("GET", "/console/lit-html.js", null, "If-None-Match", tag).statusCode());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/console/none.js",
        "/console/..%2fopenapi.yaml",
        "/console/",
        "/console/app.js/x",
        "/console/App.js"
      })
  void nothingElseCanBeAskedFor(String path) {
    assertEquals(404, api.send("GET", path, null).statusCode());
    assertEquals(400, api.send("GET", "/console/%2e%2e%2flogback.xml", null).statusCode());
  }
}
