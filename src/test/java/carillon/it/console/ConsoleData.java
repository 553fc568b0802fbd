package carillon.it.console;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Example data for viewing the console: collections and jobs of a typical company, and their
 * targets. Some targets answer, some fail, one is slow.
 */
final class ConsoleData implements AutoCloseable {
  private static final List<String> TEAMS =
      List.of("billing", "reports", "maintenance", "notifications");
  private static final List<String> TASKS =
      List.of("invoice-reminder", "daily-summary", "cleanup-temp", "sync-stock", "weekly-digest");

  /** Number of jobs of a collection that is longer than any page. */
  private static final int MANY = 2000;

  private final Vertx vertx = Vertx.vertx();
  private final HttpServer targets;
  private final HttpClient client = HttpClient.newHttpClient();
  private final URI base;
  private final String key;
  private volatile boolean isRepaired;

  /**
   * Starts the targets.
   *
   * @param base address of Carillon
   * @param key an API key of it
   */
  ConsoleData(URI base, String key) throws Exception {
    this.base = base;
    this.key = key;
    targets =
        vertx
            .createHttpServer()
            .requestHandler(this::answer)
            .listen(0, "127.0.0.1")
            .await(10, TimeUnit.SECONDS);
  }

  private void answer(HttpServerRequest request) {
    if (request.path().equals("/repairable") && !isRepaired) {
      request.response().setStatusCode(503).end("not yet");
      return;
    }
    switch (request.path()) {
      case "/fail" ->
          request
              .response()
              .setStatusCode(500)
              .putHeader("Content-Type", "text/html")
              .end("<h1>Internal error</h1><script>alert('no')</script> database is away");
      case "/never" -> {} // never answers, until the attempt times out
      case "/slow" -> vertx.setTimer(700, id -> request.response().end("{\"took\": \"a while\"}"));
      default ->
          request
              .response()
              .putHeader("X-Request-Id", "r-1")
              .end("{\"ok\": true, \"at\": \"" + request.path() + "\"}");
    }
  }

  String target(String path) {
    return "http://127.0.0.1:" + targets.actualPort() + path;
  }

  /** Returns an HTTP job in native JSON. */
  String job(String path, String more) {
    return "{\"action\":{\"type\":\"http\",\"request\":{\"uri\":\""
        + target(path)
        + "\",\"method\":\"POST\",\"headers\":{\"Content-Type\":\"application/json\"},"
        + "\"body\":\"{\\\"run\\\": true}\"},"
        + "\"retryPolicy\":{\"retryType\":\"fixed\",\"retryInterval\":\"PT1S\",\"retryCount\":2}}"
        + more
        + "}";
  }

  /** Makes {@code /repairable} succeed from now on. */
  void repair() {
    isRepaired = true;
  }

  void put(String path, String body) {
    HttpResponse<String> answer = send("PUT", path, body);
    if (answer.statusCode() / 100 != 2) {
      throw new IllegalStateException(path + ": " + answer.body());
    }
  }

  void delete(String path) {
    send("DELETE", path, "");
  }

  void post(String path) {
    post(path, "");
  }

  void post(String path, String body) {
    send("POST", path, body);
  }

  HttpResponse<String> get(String path) {
    return send("GET", path, "");
  }

  /** Creates a key with one grant for a client of this name. */
  String key(String client, String grant) {
    HttpResponse<String> made =
        send("POST", "/keys", "{\"client\":\"" + client + "\",\"grants\":[\"" + grant + "\"]}");
    return made.body().replaceAll("(?s).*\"key\":\"([^\"]+)\".*", "$1");
  }

  private HttpResponse<String> send(String method, String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve(path))
            .header("Authorization", "Bearer " + key)
            .method(method, BodyPublishers.ofString(body))
            .build();
    try {
      return client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Stores some thousand jobs, a calendar, a flow and a key. A few jobs run now, most at times of
   * the day that people choose.
   */
  void fill() {
    Instant midnight = Instant.now().truncatedTo(ChronoUnit.DAYS);
    for (String team : TEAMS) {
      put("/jobcollections/" + team, "{}");
      for (int i = 0; i < 40; i++) {
        String name = TASKS.get(i % TASKS.size()) + "-" + String.format("%03d", i);
        put("/jobcollections/" + team + "/jobs/" + name, job("/ok", recurrence(i, midnight)));
      }
    }
    put(
        "/jobcollections/billing/jobs/charge-cards",
        job("/slow", ",\"recurrence\":{\"frequency\":\"second\",\"interval\":3}"));
    put(
        "/jobcollections/billing/jobs/export-ledger",
        job("/fail", ",\"recurrence\":{\"frequency\":\"second\",\"interval\":7}"));
    put(
        "/jobcollections/default/jobs/heartbeat",
        "{\"action\":{\"type\":\"redisStream\",\"redisStream\":{\"stream\":\"beats\",\"message\":\"b\"}},"
            + "\"recurrence\":{\"frequency\":\"second\",\"interval\":2}}");
    put("/jobcollections/default/jobs/once-and-done", job("/ok", ""));
    put("/jobcollections/default/jobs/once-and-failed", job("/fail", ""));
    put("/jobcollections/default/jobs/paused", job("/ok", ",\"state\":\"disabled\""));
    changeTwice("/jobcollections/billing/jobs/charge-cards");
    for (int i = 0; i < MANY; i++) {
      put(
          "/jobcollections/catalogue/jobs/sku-" + String.format("%04d", i),
          job("/ok", recurrence(i % 60, midnight)));
    }
    put("/jobcollections/empty", "{}");
    put(
        "/calendars/holidays",
        "{\"timeZone\":\"Europe/Berlin\",\"spans\":[{\"weekDays\":[\"saturday\",\"sunday\"]},"
            + "{\"date\":\"2035-12-25\",\"name\":\"Christmas Day\"}]}");
    put(
        "/jobcollections/billing/jobs/waits-for-retry",
        job("/fail", "").replace("\"PT1S\"", "\"PT1H\""));
    put("/jobcollections/billing/jobs/lasts", job("/never", ""));
    put("/flows/crm", "{\"match\":[\"api.crm.example\"],\"rate\":{\"limit\":100}}");
    key("deploy", "writer:default/default/billing");
  }

  /** Changes a job so that its history has marks. */
  private void changeTwice(String job) {
    post(job + "/disable");
    post(job + "/enable");
    put(
        job,
        job("/slow", ",\"recurrence\":{\"frequency\":\"second\",\"interval\":4},\"priority\":2"));
  }

  private static String recurrence(int i, Instant midnight) {
    String start = ",\"startTime\":\"" + midnight + "\",\"recurrence\":";
    return switch (i % 8) {
      case 0 -> start + "{\"frequency\":\"day\",\"schedule\":{\"hours\":[0],\"minutes\":[0]}}";
      case 1 ->
          start
              + "{\"frequency\":\"week\",\"interval\":2,\"schedule\":{\"weekDays\":[\"monday\",\"friday\"],"
              + "\"hours\":[5,17],\"minutes\":[0]}}";
      case 2 -> start + "{\"frequency\":\"hour\",\"schedule\":{\"minutes\":[0,30]}}";
      case 3 ->
          start + "{\"frequency\":\"month\",\"schedule\":{\"monthDays\":[-1],\"hours\":[23]}}";
      case 4 -> start + "{\"frequency\":\"minute\",\"interval\":" + (5 + i) + "}";
      case 5 ->
          start
              + "{\"frequency\":\"month\",\"schedule\":{\"monthlyOccurrences\":"
              + "[{\"day\":\"friday\",\"occurrence\":1}],\"hours\":[9],\"minutes\":[15]}}";
      case 6 ->
          start
              + "{\"frequency\":\"day\",\"schedule\":{\"hours\":[2,8,14,20],\"minutes\":["
              + i
              + "]},\"count\":50}";
      default ->
          start + "{\"frequency\":\"week\",\"schedule\":{\"weekDays\":[\"sunday\"],\"hours\":[3]}}";
    };
  }

  @Override
  public void close() {
    targets.close();
    vertx.close();
  }
}
