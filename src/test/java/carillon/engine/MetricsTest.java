package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKeyToken;
import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.RedisServer;
import carillon.support.Scrape;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the metrics of a whole node, and of their documentation. */
class MetricsTest extends NodeFixture {
  private static final Pattern ROW =
      Pattern.compile("\\| `(\\w+)` \\| (\\w+) \\|([^|]*)\\| ([^|]*) \\|");
  private static final Pattern USED =
      Pattern.compile("\\b(?:carillon|jvm|process)_[a-z_]+(?=[\\s{)\\[,\"]|$)");

  private final CallbackServer target = new CallbackServer();

  private void startNode(Map<String, String> more) {
    Map<String, String> settings = new TreeMap<>(more);
    settings.put("CARILLON_METRICS_DESTINATIONS", "1");
    start(settings);
  }

  @AfterEach
  void stopTarget() {
    target.close();
  }

  private Scrape scrape() {
    HttpResponse<String> answer = send("GET", "/metrics", "");
    assertEquals(200, answer.statusCode(), answer.body());
    return Scrape.of(answer.body());
  }

  private int put(String name, String uri, String more) {
    return put("default", name, uri, more);
  }

  private int put(String collection, String name, String uri, String more) {
    String job =
        "{`action`:{`type`:`http`,`request`:{`uri`:`%s`,`method`:`GET`}%s}}".formatted(uri, more);
    String path = "/jobcollections/" + collection + "/jobs/" + name;
    return send("PUT", path, job.replace('`', '"')).statusCode();
  }

  private static String retries(int count) {
    return ",`retryPolicy`:{`retryType`:`fixed`,`retryInterval`:`PT0.001S`,`retryCount`:"
        + count
        + "}";
  }

  @Test
  void aKeyOfSomeCollectionsSeesTheSeriesOfTheseOnly() {
    ApiKeyToken admin = ApiKeyToken.random();
    startNode(
        Map.of("CARILLON_ACCESS_ACCEPT", "keys", "CARILLON_ACCESS_ADMIN_KEY", admin.reveal()));
    String[] all = {"Authorization", "Bearer " + admin.reveal()};
    String[] team = {"Authorization", "Bearer " + key("reader:orders", all)};
    String job = "{\"action\":{\"type\":\"http\",\"request\":{\"uri\":\"%s\"}}}";
    for (String collection : List.of("orders", "zebra")) {
      String path = "/jobcollections/" + collection + "/jobs/j";
      assertEquals(201, send("PUT", path, job.formatted(target.url("/")), all).statusCode());
    }

    Await.until("calls", () -> send("GET", "/metrics", "", all).body().contains("default/zebra"));
    Await.until("call", () -> send("GET", "/metrics", "", team).body().contains("default/orders"));
    List<String> lines = send("GET", "/metrics", "", team).body().lines().toList();

    assertTrue(
        lines.stream().allMatch(line -> line.startsWith("#") || line.contains("default/orders")),
        lines::toString);
  }

  private String key(String grant, String... admin) {
    String client = "{\"client\":\"team\",\"grants\":[\"" + grant + "\"]}";
    return new JsonObject(send("POST", "/keys", client, admin).body()).getString("key");
  }

  private void awaitExecutions(int completed, int faulted) {
    Await.until(
        "executions",
        () -> {
          Scrape now = scrape();
          return now.value("carillon_executions_total{outcome=\"completed\"}") == completed
              && now.value("carillon_executions_total{outcome=\"faulted\"}") == faulted;
        });
  }

  @Test
  void whatHappensIsCounted() {
    startNode(Map.of());
    String secret = "http://user:canary@127.0.0.1:1/?sig=canary";
    put("fine", target.url("/"), "");
    put("refused", "http://127.0.0.1:1/?city=canary", retries(2));
    put("later", "http://127.0.0.1:2/", retries(0));
    assertEquals(400, put("userinfo", secret, ""));
    assertEquals(400, put("metadata", "http://169.254.169.254/", ""));
    send("GET", "/nothing", "");

    awaitExecutions(1, 2);
    Scrape seen = scrape();

    assertEquals(3, seen.value("carillon_accepted_total"));
    assertEquals(1, seen.value("carillon_attempts_total{action=\"http\",outcome=\"completed\"}"));
    assertEquals(4, seen.value("carillon_attempts_total{action=\"http\",outcome=\"failed\"}"));
    assertEquals(5, seen.value("carillon_claimed_total"));
    assertEquals(2, seen.value("carillon_retries_total"));
    assertEquals(3, seen.value("carillon_lateness_seconds_count"));
    assertEquals(5, seen.value("carillon_attempt_duration_seconds_count{action=\"http\"}"));
    assertEquals(1, seen.value("carillon_egress_refusals_total{at=\"submission\"}"));
    assertEquals(
        3,
        seen.value(
            "carillon_api_requests_total{dialect=\"native\",method=\"PUT\",resource=\"job\",status=\"2xx\"}"));
    assertEquals(
        1,
        seen.value(
            "carillon_api_requests_total{dialect=\"none\",method=\"GET\",resource=\"unknown\",status=\"4xx\"}"));
    double named =
        seen.sum("carillon_destination_failures_total{destination=\"127.0.0.1:1\"}")
            + seen.sum("carillon_destination_failures_total{destination=\"127.0.0.1:2\"}");
    double others = seen.value("carillon_destination_failures_total{destination=\"other\"}");
    assertEquals(4, named + others);
    assertTrue(named > 0 && others > 0, "one destination has a label: " + named + ", " + others);
    assertTrue(seen.value("carillon_redis_command_seconds_count") > 10, "commands to Redis");
    assertFalse(seen.text().contains("canary"), seen.text());
  }

  @Test
  void attemptsAndExecutionsAreCountedByCollectionUpToABound() {
    startNode(Map.of("CARILLON_METRICS_COLLECTIONS", "1"));
    put("fine", target.url("/"), "");
    awaitExecutions(1, 0);
    put("wrong", "http://127.0.0.1:1/", retries(1));
    put("sales", "wrong", "http://127.0.0.1:1/", retries(0));

    awaitExecutions(1, 2);
    Scrape seen = scrape();

    assertEquals(1, ofCollection(seen, "attempts", "completed"));
    assertEquals(2, ofCollection(seen, "attempts", "failed"));
    assertEquals(1, ofCollection(seen, "executions", "completed"));
    assertEquals(1, ofCollection(seen, "executions", "faulted"));
    assertEquals(0, ofCollection(seen, "executions", "interrupted"));
    String own = "_count{collection=\"default/default/default\"}";
    assertEquals(2, seen.value("carillon_collection_lateness_seconds" + own));
    assertEquals(3, seen.value("carillon_collection_attempt_duration_seconds" + own));
    String other = "{collection=\"other\",outcome=\"faulted\"}";
    assertEquals(1, seen.value("carillon_collection_executions_total" + other));
    assertFalse(seen.text().contains("default/default/sales"), seen.text());
  }

  private static double ofCollection(Scrape seen, String what, String outcome) {
    String labels = "{collection=\"default/default/default\",outcome=\"" + outcome + "\"}";
    return seen.value("carillon_collection_" + what + "_total" + labels);
  }

  @Test
  void theTimeThatAttemptsTakeIsCountedByDestination() {
    startNode(Map.of());
    put("first", target.url("/"), "");
    awaitExecutions(1, 0);
    put("second", target.url("/"), "");
    put("refused", "http://127.0.0.1:1/", retries(2));

    awaitExecutions(2, 1);
    Scrape seen = scrape();

    String name = "carillon_destination_attempt_duration_seconds_count";
    String first = URI.create(target.url("/")).getAuthority();
    assertEquals(2, seen.value(name + "{destination=\"" + first + "\"}"));
    assertEquals(3, seen.value(name + "{destination=\"other\"}"));
  }

  @Test
  void everyWayToSubmitAJobIsCounted() {
    startNode(Map.of());
    String later = "{`in`:`1h`,`action`:{`request`:{`uri`:`http://127.0.0.1:1/`}}}";
    String call = "{`url`:`http://127.0.0.1:1/`,`in`:`1h`}";
    String jobs = "/jobcollections/default/jobs";

    assertEquals(201, submit("PUT", jobs + "/j", later));
    assertEquals(200, submit("PATCH", jobs + "/j", "{`in`:`2h`}"));
    assertEquals(201, submit("POST", jobs, later));
    assertEquals(201, submit("POST", "/call", call));
    assertEquals(201, submit("POST", "/jobcollections/default/call", call));
    assertEquals(400, submit("POST", "/call", "{}"));

    assertEquals(5, scrape().value("carillon_accepted_total"));
  }

  private int submit(String method, String path, String body) {
    return send(method, path, body.replace('`', '"')).statusCode();
  }

  @Test
  void anExecutionThatIsNotRepeatedAfterCrashesIsInterrupted() {
    startNode(Map.of());
    assertEquals(0, scrape().value("carillon_executions_total{outcome=\"interrupted\"}"));
    assertEquals(201, put("j", target.url("/"), ""));
    awaitExecutions(1, 0);
    String crashed =
        "run:default/default/default/j at=2026-11-20T12:00:00Z occurrence=0 main=1 revision=1 crashes=9";
    String due = Engine.KEYS.due(Engine.KEYS.partition("default/default/default/j"));

    RedisServer.shared().perform(List.of("ZADD", due, "1", crashed));

    Await.until(
        "an interrupted execution",
        () -> scrape().value("carillon_executions_total{outcome=\"interrupted\"}") == 1);
    assertEquals(0, scrape().value("carillon_executions_total{outcome=\"faulted\"}"));
    assertEquals(1, ofCollection(scrape(), "executions", "interrupted"));
    assertEquals(1, target.calls().size());
  }

  @Test
  void theBacklogIsWhatWaitsInRedis() {
    startNode(Map.of());
    String startTime = "`startTime`:`" + Instant.now().plus(Duration.ofDays(1)) + "`,";
    for (int i = 0; i < 3; i++) {
      String job =
          "{%s`action`:{`type`:`http`,`request`:{`uri`:`http://example.org/`,`method`:`GET`}}}"
              .formatted(startTime);
      assertEquals(
          201,
          send("PUT", "/jobcollections/default/jobs/j" + i, job.replace('`', '"')).statusCode());
    }

    // Values read a moment ago are shown again for two seconds.
    Await.until("three waiting", () -> scrape().value("carillon_due_waiting") == 3);

    assertEquals(0, scrape().value("carillon_due_backlog"));
    assertEquals(0, scrape().value("carillon_due_oldest_seconds"));
  }

  @Test
  void pausesOfGroupsAndOfEverythingAreCountedOnceTheyHaveBegun() {
    startNode(Map.of());
    String from = "{\"from\":\"" + Instant.now().plus(Duration.ofDays(1)) + "\"}";
    assertEquals(200, send("POST", "/pause", from).statusCode());
    assertEquals(200, send("POST", "/groups/default/sales/pause", "{}").statusCode());

    Await.until("one pause", () -> scrape().value("carillon_paused_scopes") == 1);
  }

  @Test
  void whoAsksForOpenMetricsGetsIt() {
    startNode(Map.of());

    HttpResponse<String> open =
        send("GET", "/metrics", "", "Accept", "application/openmetrics-text; version=1.0.0");
    HttpResponse<String> plain = send("GET", "/metrics", "");

    assertEquals(
        "application/openmetrics-text; version=1.0.0; charset=utf-8",
        open.headers().firstValue("Content-Type").orElse(""));
    assertTrue(open.body().endsWith("# EOF\n"), open.body());
    assertEquals(
        "text/plain; version=0.0.4; charset=utf-8",
        plain.headers().firstValue("Content-Type").orElse(""));
  }

  @Test
  void metricsCanBeSwitchedOff() {
    startNode(Map.of("CARILLON_METRICS_ENABLED", "false"));

    HttpResponse<String> answer = send("GET", "/metrics", "");

    assertEquals(404, answer.statusCode());
    assertTrue(answer.body().contains("metrics.enabled"), answer.body());
  }

  /** Lets calls of a flow fail until its breaker opens and some calls wait. */
  private void stopAFlow() {
    String flow = "{`match`:`127.0.0.1`,`breaker`:{`consecutive`:1}}";
    assertEquals(201, send("PUT", "/flows/f", flow.replace('`', '"')).statusCode());
    AtomicInteger jobs = new AtomicInteger();
    Await.until(
        "a run that waits",
        () -> {
          put("j" + jobs.incrementAndGet(), "http://127.0.0.1:1/", retries(0));
          return scrape().families("carillon_flow_").size() == 3;
        });
  }

  @Test
  void whatIsWrittenOfMetricsIsTrue() throws IOException {
    startNode(Map.of());
    send("GET", "/health", "");
    stopAFlow();
    Scrape seen = scrape();

    Map<String, String> described = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of("src/docs/metrics.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        String labels = row.group(3).replaceAll("[`,]", " ").trim().replaceAll(" +", ",");
        described.put(row.group(1), row.group(2) + " [" + labels + "] " + row.group(4));
      }
    }

    Map<String, String> shown = new TreeMap<>();
    seen.families("carillon_")
        .forEach(f -> shown.put(f, seen.type(f) + " [" + seen.labels(f) + "] " + seen.help(f)));
    assertEquals(shown, described);
  }

  @Test
  void dashboardAndAlertsUseMetricsThatThereAre() throws IOException {
    startNode(Map.of());
    send("GET", "/health", "");
    Scrape seen = scrape();

    for (String file : List.of("conf/grafana-dashboard.json", "conf/prometheus-alerts.yaml")) {
      TreeSet<String> used = new TreeSet<>();
      try (Stream<String> lines = Files.lines(Path.of(file))) {
        lines
            .filter(line -> line.contains("expr") || line.contains("rate("))
            .forEach(line -> USED.matcher(line).results().forEach(use -> used.add(use.group())));
      }

      assertTrue(used.size() > 10, file + " uses " + used);
      used.removeIf(seen::has);
      assertEquals(new TreeSet<>(), used, file);
    }
  }
}
