package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.bus.Messages;
import carillon.support.RedisServer;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiTest {
  private static final String ACTION =
      "\"action\":{\"type\":\"http\",\"request\":{\"uri\":\"http://127.0.0.1:9/\",\"method\":\"GET\"}}";
  private static final String ANSWERED_ACTION =
      "\"action\":{\"request\":{\"uri\":\"http://127.0.0.1:9/\",\"method\":\"GET\"},\"type\":\"http\"}";
  private static final String ONCE = "{" + ACTION + "}";
  private static final String DAILY = "{" + ACTION + ",\"recurrence\":{\"frequency\":\"day\"}}";
  private static final String C = "/jobcollections/c";
  private static final String J = C + "/jobs/j";
  private static final String ARM =
      "/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Scheduler/jobCollections";
  private static final String VERSION = "?api-version=2016-03-01";

  private ApiServer api;

  @BeforeEach
  void startWithACollection() {
    api = new ApiServer();
    api.send("PUT", C, "{}");
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private static void assertAnswer(int status, String body, HttpResponse<String> answer) {
    assertEquals(body, answer.body());
    assertEquals(status, answer.statusCode());
  }

  private static void assertError(
      int status, String code, String message, HttpResponse<String> answer) {
    assertAnswer(
        status, "{\"error\":{\"code\":\"" + code + "\",\"message\":\"" + message + "\"}}", answer);
    assertEquals(
        "application/json; charset=utf-8", answer.headers().firstValue("Content-Type").orElse(""));
  }

  private static String etag(HttpResponse<String> answer) {
    return answer.headers().firstValue("ETag").orElseThrow();
  }

  @Test
  void aJobIsCreatedThenReplaced() {
    HttpResponse<String> created = api.send("PUT", J, ONCE);
    HttpResponse<String> replaced = api.send("PUT", J, DAILY);
    HttpResponse<String> read = api.send("GET", J, null);

    assertAnswer(
        201,
        "{\"id\":\"j\","
            + ANSWERED_ACTION
            + ",\"state\":\"enabled\",\"status\":"
            + "{\"nextExecutionTime\":\"2026-11-20T18:00:00Z\",\"executionCount\":0,"
            + "\"failureCount\":0,\"faultedCount\":0}}",
        created);
    assertEquals(200, replaced.statusCode());
    assertNotEquals(etag(created), etag(replaced));
    assertAnswer(200, replaced.body(), read);
    assertEquals(etag(replaced), etag(read));
  }

  @Test
  void namesAreFoundInAnyCaseAndAnsweredInTheirOwn() {
    api.send("PUT", "/jobcollections/Big", "{}");
    api.send("PUT", "/jobcollections/big/jobs/Daily", ONCE);

    HttpResponse<String> answer = api.send("GET", "/JOBCOLLECTIONS/BIG/JOBS/DAILY", null);

    assertTrue(answer.body().startsWith("{\"id\":\"Daily\""), answer.body());
  }

  @Test
  void aJobKeepsTheCaseItsNameFirstHadWhenItIsReplaced() {
    api.send("PUT", C + "/jobs/Daily", DAILY);

    HttpResponse<String> replaced = api.send("PUT", C + "/jobs/daily", ONCE);

    assertTrue(replaced.body().startsWith("{\"id\":\"Daily\""), replaced.body());
    assertEquals(replaced.body(), api.send("GET", C + "/jobs/DAILY", null).body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"jobs", "history", "run", "a.b-c_d"})
  void aJobMayBeNamedLikeAWordOfThePath(String name) {
    assertEquals(201, api.send("PUT", C + "/jobs/" + name, ONCE).statusCode());
    assertEquals(200, api.send("GET", C + "/jobs/" + name, null).statusCode());
    assertEquals(200, api.send("GET", C + "/jobs/" + name + "/history", null).statusCode());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "..%2f..%2fadmin",
        "%2e%2e",
        "a%00b",
        "a%0d%0aDEL%20x",
        "a%7Db%7Bc",
        "a%20b",
        "%25%32%65",
        "cafe%CC%81",
        "%E2%80%AEgpj.exe",
        "%ff"
      })
  void aBadNameIsRefused(String name) {
    HttpResponse<String> answer = api.send("PUT", C + "/jobs/" + name, ONCE);

    assertEquals(400, answer.statusCode());
    assertTrue(answer.body().startsWith("{\"error\":{\"code\":\"BadRequest\""), answer.body());
  }

  @Test
  void whatIsAcceptedIsAnnouncedToTheTimer() throws Exception {
    BlockingQueue<Messages.Look> looks = new LinkedBlockingQueue<>();
    Messages.LOOK.consume(api.vertx.eventBus(), looks::add);

    api.send("PUT", J, ONCE);
    Messages.Look put = looks.poll(30, TimeUnit.SECONDS);
    api.moveTo(ApiServer.START.plusSeconds(60));
    api.send("POST", J + "/run", null);
    Messages.Look run = looks.poll(30, TimeUnit.SECONDS);

    assertEquals(ApiServer.START, put.at());
    assertEquals(new Messages.Look(put.partition(), ApiServer.START.plusSeconds(60)), run);
  }

  @Test
  void theServiceNamesAJobThatIsPosted() {
    HttpResponse<String> answer = api.send("POST", C + "/jobs", ONCE);

    String location = answer.headers().firstValue("Location").orElseThrow();
    assertEquals(201, answer.statusCode());
    assertEquals(200, api.send("GET", location, null).statusCode());
  }

  @Test
  void aDisabledJobWaitsForNothing() {
    HttpResponse<String> answer = api.send("PUT", J, "{" + ACTION + ",\"state\":\"Disabled\"}");

    assertAnswer(201, "{\"id\":\"j\"," + ANSWERED_ACTION + ",\"state\":\"disabled\"}", answer);
    assertEquals(
        ":0",
        api.redis.ask(
            "EXISTS carillon:{0}:due carillon:{1}:due carillon:{2}:due carillon:{3}:due"));
  }

  @Test
  void enableAndDisableAreIdempotentAndCountFromNow() {
    api.send("PUT", J, DAILY);
    Instant later = ApiServer.START.plus(Duration.ofHours(5));

    HttpResponse<String> disabled = api.send("POST", J + "/disable", null);
    HttpResponse<String> disabledAgain = api.send("POST", J + "/disable", null);
    api.moveTo(later);
    HttpResponse<String> enabled = api.send("POST", J + "/enable", null);
    HttpResponse<String> enabledAgain = api.send("POST", J + "/enable", null);

    assertAnswer(200, "", disabled);
    assertEquals(etag(disabled), etag(disabledAgain));
    assertNotEquals(etag(disabled), etag(enabled));
    assertEquals(etag(enabled), etag(enabledAgain));
    assertTrue(api.send("GET", J, null).body().contains("\"nextExecutionTime\":\"" + later + "\""));
  }

  @Test
  void aJobWithoutOccurrencesLeftStaysDisabled() {
    api.send(
        "PUT",
        J,
        "{\"startTime\":\"2026-11-20T18:00:00Z\",\"state\":\"disabled\","
            + ACTION
            + ",\"recurrence\":{\"frequency\":\"day\",\"endTime\":\"2026-11-21\"}}");
    api.moveTo(ApiServer.START.plus(Duration.ofDays(9)));

    assertError(
        409,
        "Conflict",
        "Job 'j' has no occurrence left; change its recurrence.",
        api.send("POST", J + "/enable", null));
  }

  @Test
  void patchMergesAndComputesTheNextOccurrenceAnew() {
    api.send("PUT", J, DAILY);

    HttpResponse<String> patched =
        api.send(
            "PATCH",
            J,
            "{\"StartTime\":\"2026-11-20T20:00:00+01:00\",\"recurrence\":{\"count\":3}}",
            "Content-Type",
            "application/merge-patch+json");
    HttpResponse<String> removed = api.send("PATCH", J, "{\"recurrence\":null,\"startTime\":null}");

    assertTrue(
        patched
            .body()
            .contains("\"recurrence\":{\"frequency\":\"day\",\"count\":3,\"interval\":1}"),
        patched.body());
    assertTrue(
        patched.body().contains("\"nextExecutionTime\":\"2026-11-20T19:00:00Z\""), patched.body());
    assertFalse(removed.body().contains("recurrence"), removed.body());
  }

  @Test
  void aPatchedStateChangesTheState() {
    api.send("PUT", J, DAILY);

    HttpResponse<String> disabled = api.send("PATCH", J, "{\"state\":\"disabled\"}");
    HttpResponse<String> other = api.send("PATCH", J, "{\"recurrence\":{\"interval\":2}}");
    HttpResponse<String> enabled = api.send("PATCH", J, "{\"state\":\"Enabled\"}");

    assertTrue(disabled.body().contains("\"state\":\"disabled\""));
    assertTrue(other.body().contains("\"state\":\"disabled\""));
    assertTrue(enabled.body().contains("\"state\":\"enabled\",\"status\":{\"nextExecutionTime\""));
  }

  @Test
  void allJobsOfACollectionAreDisabledAndEnabledAtOnce() {
    IntStream.range(0, 250).forEach(i -> api.send("PUT", C + "/jobs/j" + i, DAILY));
    api.send("PUT", "/jobcollections/d", "{}");
    api.send("PUT", "/jobcollections/d/jobs/other", DAILY);

    HttpResponse<String> disabled = api.send("PATCH", C + "/jobs", "{\"state\":\"Disabled\"}");
    long stillEnabled = count(C + "/jobs?$filter=state%20eq%20enabled");
    long nowDisabled = count(C + "/jobs?$filter=state%20eq%20disabled");
    HttpResponse<String> enabled = api.send("PATCH", C + "/jobs?$top=1", "{\"state\":\"enabled\"}");

    assertEquals(100, ids(disabled).size());
    assertFalse(disabled.body().contains("\"state\":\"enabled\""), disabled.body());
    assertEquals(0, stillEnabled);
    assertEquals(250, nowDisabled);
    assertEquals(List.of("j0"), ids(enabled));
    assertTrue(
        enabled.body().contains("\"nextExecutionTime\":\"2026-11-20T18:00:00Z\""), enabled.body());
    assertEquals(250, count(C + "/jobs?$filter=state%20eq%20enabled"));
    assertEquals(1, count("/jobcollections/d/jobs?$filter=state%20eq%20enabled"));
  }

  /** Follows the list to its end. */
  private long count(String path) {
    HttpResponse<String> page = api.send("GET", path, null);
    long found = ids(page).size();
    return page.body().endsWith("\"nextLink\":null}") ? found : found + count(nextLink(page));
  }

  @Test
  void whatCannotChangeItsStateIsLeftAloneWhereAllAreChanged() {
    String over =
        ",\"startTime\":\"2026-11-20T18:00:00Z\",\"recurrence\":{\"frequency\":\"day\",\"endTime\":\"2026-11-21T00:00:00Z\"}}";
    api.send("PUT", J, "{" + ACTION + ",\"state\":\"disabled\"" + over);
    api.send("PUT", C + "/jobs/k", "{" + ACTION + ",\"state\":\"disabled\"}");
    api.send("PUT", C + "/jobs/done", ONCE);
    finish("done");
    api.moveTo(Instant.parse("2026-11-22T00:00:00Z"));

    HttpResponse<String> answer = api.send("PATCH", C + "/jobs", "{\"state\":\"enabled\"}");

    assertEquals(200, answer.statusCode());
    assertEquals(1, count(C + "/jobs?$filter=state%20eq%20disabled"));
    assertEquals(1, count(C + "/jobs?$filter=state%20eq%20enabled"));
    assertTrue(api.send("GET", C + "/jobs/done", null).body().contains("\"completed\""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                  | state: is missing",
        "{\"state\":\"completed\"}            | state: 'completed' is set by the scheduler only; use enabled or disabled",
        "{\"state\":\"disabled\",\"action\":{}} | action: this property is not known here; check its spelling",
      })
  void allJobsCanOnlyBeGivenAState(String body, String message) {
    assertError(400, "BadRequest", message, api.send("PATCH", C + "/jobs", body));
    assertEquals(
        404, api.send("PATCH", "/jobcollections/x/jobs", "{\"state\":\"disabled\"}").statusCode());
  }

  /** As the dispatcher leaves an enabled job of the collection c behind. */
  private void finish(String job) {
    for (int partition = 0; partition < 4; partition++) {
      String slot = "carillon:{" + partition + "}:";
      String key = slot + "job:default/default/c/" + job;
      if (api.redis.ask("EXISTS " + key).equals(":1")) {
        api.redis.ask("HSET " + key + " state completed");
        api.redis.ask("ZREM " + slot + "jobs:default/default/c enabled/" + job);
        api.redis.ask("ZADD " + slot + "jobs:default/default/c 0 completed/" + job);
      }
    }
  }

  @Test
  void aFinalJobOnlyLivesAgainByPut() {
    api.send("PUT", J, ONCE);
    finish("j");

    assertError(
        409,
        "Conflict",
        "Job 'j' is completed and cannot be changed; PUT it again.",
        api.send("PATCH", J, "{}"));
    assertEquals(409, api.send("POST", J + "/enable", null).statusCode());
    assertEquals(409, api.send("POST", J + "/run", null).statusCode());
    assertEquals(200, api.send("PUT", J, ONCE).statusCode());
    assertEquals(200, api.send("PATCH", J, "{}").statusCode());
  }

  @Test
  void theTraceOfASubmissionIsKeptUntilAnotherTakesItsPlace() {
    String first = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    String second = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

    HttpResponse<String> put =
        api.send("PUT", J, DAILY, "Content-Type", "application/json", "traceparent", first);
    assertFalse(put.body().contains("traceparent"), put.body());
    assertTrue(storedJob().contains("\"traceparent\":\"" + first + "\""), storedJob());

    api.send("PATCH", J, "{\"recurrence\":{\"interval\":2}}", "Content-Type", "application/json");
    assertTrue(storedJob().contains("\"traceparent\":\"" + first + "\""), storedJob());

    api.send("PATCH", J, "{}", "Content-Type", "application/json", "traceparent", second);
    assertTrue(storedJob().contains("\"traceparent\":\"" + second + "\""), storedJob());

    api.send("PUT", J, DAILY, "Content-Type", "application/json", "traceparent", "nonsense");
    assertFalse(storedJob().contains("traceparent"), storedJob());
  }

  /** The definition as Redis holds it; as a status reply, which is one line. */
  private String storedJob() {
    for (int partition = 0; partition < 4; partition++) {
      String key = "carillon:{" + partition + "}:job:default/default/c/j";
      if (api.redis.ask("EXISTS " + key).equals(":1")) {
        return api.redis.ask(
            "EVAL \"return {ok=redis.call('HGET',KEYS[1],'definition')}\" 1 " + key);
      }
    }
    throw new AssertionError("there is no such job");
  }

  @Test
  void writesObeyTheirConditions() {
    assertEquals(412, api.send("PUT", J, ONCE, "If-Match", "*").statusCode());
    HttpResponse<String> created = api.send("PUT", J, ONCE, "If-None-Match", "*");
    assertEquals(201, created.statusCode());
    assertEquals(412, api.send("PUT", J, ONCE, "If-None-Match", "*").statusCode());
    assertEquals(412, api.send("PUT", J, ONCE, "If-Match", "\"1\"").statusCode());
    assertEquals(412, api.send("PUT", J, ONCE, "If-Match", "x").statusCode());
    assertEquals(412, api.send("PATCH", J, "{}", "If-Match", "\"1\"").statusCode());
    assertEquals(412, api.send("DELETE", J, null, "If-Match", "\"1\"").statusCode());
    assertEquals(400, api.send("PUT", J, ONCE, "If-None-Match", "\"1\"").statusCode());
    HttpResponse<String> replaced = api.send("PUT", J, ONCE, "If-Match", etag(created));
    assertEquals(200, replaced.statusCode());
    assertEquals(200, api.send("DELETE", J, null, "If-Match", etag(replaced)).statusCode());
  }

  @Test
  void whatTheClientHasAlreadyIsNotSentAgain() {
    String etag = etag(api.send("PUT", J, ONCE));

    HttpResponse<String> known = api.send("GET", J, null, "If-None-Match", "\"1\", W/" + etag);
    HttpResponse<String> changed = api.send("GET", J, null, "If-None-Match", "\"1\"");

    assertAnswer(304, "", known);
    assertEquals(etag, etag(known));
    assertEquals(200, changed.statusCode());
  }

  @Test
  void whatIsMissingIsSaidToBe() {
    String collection =
        "The Resource 'Microsoft.Scheduler/jobcollections/x' under resource group 'default' was not found.";

    assertError(404, "NotFound", "Job 'j' cannot be found.", api.send("GET", J, null));
    assertError(404, "NotFound", "Job 'j' cannot be found.", api.send("DELETE", J, null));
    assertError(404, "NotFound", "Job 'j' cannot be found.", api.send("POST", J + "/run", null));
    assertError(404, "NotFound", "Job 'j' cannot be found.", api.send("GET", J + "/history", null));
    assertError(
        404, "ResourceNotFound", collection, api.send("PUT", "/jobcollections/x/jobs/j", ONCE));
    assertError(
        404, "ResourceNotFound", collection, api.send("GET", "/jobcollections/x/jobs", null));
    assertError(404, "ResourceNotFound", collection, api.send("GET", "/jobcollections/x", null));
    assertError(404, "NotFound", "Nothing is at '/x'.", api.send("GET", "/x", null));
    assertAnswer(204, "", api.send("DELETE", "/jobcollections/x", null));
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /jobcollections/c/jobs/j, 'GET, PUT, PATCH, DELETE'",
    "TRACE, /jobcollections/c/jobs/j, 'GET, PUT, PATCH, DELETE'",
    "DELETE, /jobcollections/c/jobs, 'GET, POST, PATCH'",
    "GET, /jobcollections/c/jobs/j/run, POST",
    "PUT, /jobcollections/c/enable, POST",
    "PUT, /jobcollections, GET",
    "PUT, /jobcollections/c/jobs/j/history, GET",
    "GET, /preview, POST",
  })
  void aMethodThatIsNotAllowedIsAnsweredWithThoseThatAre(String method, String path, String allow) {
    HttpResponse<String> answer = api.send(method, path, null);

    assertError(
        405,
        "MethodNotAllowed",
        "The method '" + method + "' is not allowed here; use " + allow + ".",
        answer);
    assertEquals(allow, answer.headers().firstValue("Allow").orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/x-www-form-urlencoded",
        "text/plain",
        "multipart/form-data; boundary=x",
        "application/json; charset=utf-16"
      })
  void aBodyThatIsNotJsonIsNotRead(String type) {
    assertError(
        415,
        "UnsupportedMediaType",
        "The body must be JSON in UTF-8; send 'Content-Type: application/json'.",
        api.send("PUT", J, ONCE, "Content-Type", type));
  }

  @Test
  void aCompressedBodyIsNotRead() {
    assertEquals(415, api.send("PUT", J, ONCE, "Content-Encoding", "gzip").statusCode());
    assertEquals(
        201,
        api.send(
                "PUT",
                J,
                ONCE,
                "Content-Encoding",
                "identity",
                "Content-Type",
                "Application/JSON; Charset=UTF-8")
            .statusCode());
  }

  @Test
  void aBodyThatIsTooLargeIsNotRead() {
    assertError(
        413,
        "RequestEntityTooLarge",
        "The body is larger than the 262144 bytes allowed.",
        api.send("PUT", J, " ".repeat(262_145)));
    assertTrue(
        api.sendRaw("PUT " + J + " HTTP/1.1\r\nHost: h\r\nContent-Length: 10737418240\r\n\r\n")
            .startsWith("HTTP/1.1 413 "));
    assertTrue(
        api.sendRaw(
                "PUT "
                    + J
                    + " HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n40001\r\n"
                    + " ".repeat(0x40001)
                    + "\r\n")
            .startsWith("HTTP/1.1 413 "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
        "PUT /jobcollections/c/jobs/x HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n",
        "PUT /jobcollections/c/jobs/x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
        "PUT /jobcollections/c/jobs/x HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
        "PUT /jobcollections/c/jobs/x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : h\r\n\r\n",
        "hello\r\n\r\n"
      })
  void aRequestThatCouldBeReadInTwoWaysIsRefused(String request) {
    String answer = api.sendRaw(request);

    assertTrue(answer.matches("(?s)HTTP/1\\.[01] 400 .*"), answer);
    assertTrue(answer.contains("{\"error\":{\"code\":\"BadRequest\""), answer);
    assertEquals(1, answer.split("HTTP/1", -1).length - 1, answer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1\r\nabc\r\n", "xyz\r\nabc\r\n"})
  void aBodyThatBreaksOffEndsTheConnection(String chunks) {
    String head = "PUT " + J + " HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";

    assertEquals("", api.sendRaw(head + chunks));
    assertEquals(404, api.send("GET", J, null).statusCode());
  }

  @Test
  void aRequestThatIsTooLongIsRefused() {
    String longLine = api.sendRaw("GET /" + "a".repeat(5000) + " HTTP/1.1\r\nHost: h\r\n\r\n");
    String longHeader =
        api.sendRaw("GET / HTTP/1.1\r\nHost: h\r\nX: " + "a".repeat(9000) + "\r\n\r\n");

    assertTrue(longLine.contains(" 414 "), longLine);
    assertTrue(longHeader.contains(" 431 "), longHeader);
  }

  @Test
  void jobsAreListedInPagesInTheOrderOfTheirNames() {
    api.send("PUT", C + "/jobs/J2", "{" + ACTION + ",\"state\":\"disabled\"}");
    IntStream.of(0, 1, 3, 4).forEach(i -> api.send("PUT", C + "/jobs/j" + i, ONCE));

    HttpResponse<String> first = api.send("GET", C + "/jobs?$top=2&$skip=1", null);
    HttpResponse<String> second = api.send("GET", nextLink(first), null);
    HttpResponse<String> disabled =
        api.send("GET", C + "/jobs?$filter=state%20eq%20'Disabled'", null);

    assertEquals(List.of("j1", "J2"), ids(first));
    assertEquals(List.of("j3", "j4"), ids(second));
    assertTrue(second.body().endsWith("],\"nextLink\":null}"), second.body());
    assertEquals(List.of("J2"), ids(disabled));
    assertEquals(400, api.send("GET", C + "/jobs?$filter=x", null).statusCode());
    assertEquals(400, api.send("GET", C + "/jobs?$top=101", null).statusCode());
  }

  @Test
  void aContinuationKeepsTheQuestionAndNamesTheProxy() {
    IntStream.range(0, 3).forEach(i -> api.send("PUT", C + "/jobs/j" + i, ONCE));
    String path = C + "/jobs?$filter=state%20eq%20enabled&api-version=x&$top=2";

    HttpResponse<String> forwarded =
        api.send(
            "GET",
            path,
            null,
            "X-Forwarded-Proto",
            "https, http",
            "X-Forwarded-Host",
            "jobs.example:8443");
    HttpResponse<String> nonsense =
        api.send("GET", path, null, "X-Forwarded-Proto", "gopher", "X-Forwarded-Host", "a/b?c");

    String rest = "?$filter=state%20eq%20enabled&api-version=x&$top=2&$skiptoken=j1\"}";
    assertTrue(
        forwarded.body().endsWith("\"nextLink\":\"https://jobs.example:8443" + C + "/jobs" + rest),
        forwarded.body());
    assertTrue(
        nonsense.body().endsWith("http://127.0.0.1:" + api.port() + C + "/jobs" + rest),
        nonsense.body());
  }

  @Test
  void aListGoesOnWhereItWasAlsoWhenJobsComeAndGo() {
    IntStream.range(0, 6).forEach(i -> api.send("PUT", C + "/jobs/j" + i, ONCE));

    HttpResponse<String> first = api.send("GET", C + "/jobs?$top=3", null);
    api.send("DELETE", C + "/jobs/j0", null);
    api.send("DELETE", C + "/jobs/j2", null);
    api.send("PUT", C + "/jobs/a", ONCE);
    api.send("PUT", C + "/jobs/j33", ONCE);
    HttpResponse<String> second = api.send("GET", nextLink(first), null);

    assertEquals(List.of("j0", "j1", "j2"), ids(first));
    assertEquals(List.of("j3", "j33", "j4"), ids(second));
  }

  @Test
  void collectionsAreSkippedWithinTheirGroup() {
    for (String group : List.of("g0", "g1", "g10")) {
      for (int i = 0; i < 4; i++) {
        api.send("PUT", ARM.replace("g1", group) + "/c" + i + VERSION, "{\"properties\":{}}");
      }
    }

    HttpResponse<String> page = api.send("GET", ARM + VERSION + "&$skip=1&$top=2", null);
    HttpResponse<String> rest = api.send("GET", nextLink(page), null);
    HttpResponse<String> beyond = api.send("GET", ARM + VERSION + "&$skip=4", null);
    HttpResponse<String> all =
        api.send(
            "GET",
            "/subscriptions/s1/providers/Microsoft.Scheduler/jobCollections"
                + VERSION
                + "&$skip=11",
            null);

    assertEquals(List.of("c1", "c2"), names(page));
    assertEquals(List.of("c3"), names(rest));
    assertEquals(List.of(), names(beyond));
    assertEquals(1, names(all).size());
    assertTrue(all.body().contains("resourceGroups/g10/"), all.body());
  }

  private static List<String> names(HttpResponse<String> list) {
    return Pattern.compile("\"name\":\"([^\"]*)\"")
        .matcher(list.body())
        .results()
        .map(name -> name.group(1))
        .toList();
  }

  private static List<String> ids(HttpResponse<String> list) {
    return Pattern.compile("\\{\"id\":\"([^\"]*)\"")
        .matcher(list.body())
        .results()
        .map(id -> id.group(1))
        .toList();
  }

  private String nextLink(HttpResponse<String> list) {
    Matcher link =
        Pattern.compile("\"nextLink\":\"http://127\\.0\\.0\\.1:" + api.port() + "([^\"]*)\"")
            .matcher(list.body());
    assertTrue(link.find(), list.body());
    return link.group(1);
  }

  @Test
  void historyIsListedInPagesNewestFirst() {
    api.send("PUT", J, DAILY);
    for (int partition = 0; partition < 4; partition++) {
      if (api.redis
          .ask("EXISTS carillon:{" + partition + "}:job:default/default/c/j")
          .equals(":1")) {
        for (int n = 1; n <= 3; n++) {
          api.redis.ask(
              "LPUSH carillon:{" + partition + "}:history:default/default/c/j " + entry(n));
        }
      }
    }

    HttpResponse<String> first = api.send("GET", J + "/history?$top=2", null);
    HttpResponse<String> second = api.send("GET", nextLink(first), null);
    HttpResponse<String> failed =
        api.send("GET", J + "/history?$filter=status%20eq%20Failed", null);
    HttpResponse<String> one = api.send("GET", J + "/history/" + ids(second).get(0), null);

    assertEquals(2, ids(first).size());
    assertTrue(first.body().contains("\"repeatCount\":3"), first.body());
    assertEquals(1, ids(second).size());
    assertTrue(second.body().endsWith("],\"nextLink\":null}"), second.body());
    assertEquals(1, ids(failed).size());
    assertTrue(second.body().contains(one.body()), one.body());
    assertEquals(404, api.send("GET", J + "/history/1:2", null).statusCode());
  }

  private static String entry(int n) {
    return "{\\\"end\\\":\\\"2026-11-20T18:00:0N.000Z\\\",\\\"start\\\":\\\"2026-11-20T18:00:0NZ\\\",\\\"due\\\":\\\"2026-11-20T18:00:0NZ\\\",\\\"status\\\":\\\"S\\\",\\\"action\\\":\\\"main\\\",\\\"occurrence\\\":N,\\\"retry\\\":0,\\\"execution\\\":\\\"e\\\",\\\"message\\\":\\\"m\\\"}"
        .replace("\\", "")
        .replace("\"S\"", n == 2 ? "\"failed\"" : "\"completed\"")
        .replace("N", Integer.toString(n))
        .transform(json -> "\"" + json.replace("\"", "\\\"") + "\"");
  }

  @Test
  void collectionsAreWrittenReadAndListed() {
    HttpResponse<String> replaced =
        api.send("PUT", C, "{\"location\":\"here\",\"quota\":{\"maxJobCount\":5}}");
    HttpResponse<String> patched = api.send("PATCH", C, "{\"quota\":null,\"tags\":{\"a\":\"b\"}}");
    api.send("PUT", "/jobcollections/d", "{}");
    HttpResponse<String> list = api.send("GET", "/jobcollections?$top=1", null);
    HttpResponse<String> rest = api.send("GET", nextLink(list), null);

    assertAnswer(
        200,
        "{\"name\":\"c\",\"location\":\"here\",\"state\":\"enabled\",\"quota\":{\"maxJobCount\":5}}",
        replaced);
    String c =
        "{\"name\":\"c\",\"location\":\"here\",\"tags\":{\"a\":\"b\"},\"state\":\"enabled\"}";
    assertAnswer(200, c, patched);
    assertAnswer(200, c, api.send("GET", C, null));
    assertTrue(list.body().startsWith("{\"value\":[" + c + "],"), list.body());
    assertAnswer(
        200, "{\"value\":[{\"name\":\"d\",\"state\":\"enabled\"}],\"nextLink\":null}", rest);
  }

  @Test
  void theGateOfACollectionIsItsState() {
    HttpResponse<String> disabled = api.send("POST", C + "/disable", null);
    HttpResponse<String> read = api.send("GET", C, null);
    api.send("POST", C + "/enable", null);

    assertAnswer(200, "", disabled);
    assertEquals("{\"name\":\"c\",\"state\":\"disabled\"}", read.body());
    assertEquals("{\"name\":\"c\",\"state\":\"enabled\"}", api.send("GET", C, null).body());
    assertEquals(404, api.send("POST", "/jobcollections/x/enable", null).statusCode());
  }

  @Test
  void aCollectionIsDeletedWithItsJobs() {
    api.send("PUT", J, ONCE);

    assertEquals(412, api.send("DELETE", C, null, "If-Match", "\"1\"").statusCode());
    assertAnswer(200, "", api.send("DELETE", C, null));
    assertEquals(404, api.send("GET", J, null).statusCode());
  }

  @Test
  void theArmDialectAnswersAsTheServiceDid() {
    String collection =
        "{\"location\":\"westus\",\"properties\":{\"sku\":{\"name\":\"Standard\"}}}";
    String job = "{\"properties\":{" + ACTION.replace("http\"", "Http\"") + ",\"flavour\":1}}";

    assertEquals(201, api.send("PUT", ARM + "/c1" + VERSION, collection).statusCode());
    assertAnswer(
        201,
        "{\"id\":\""
            + ARM
            + "/c1\",\"type\":\"Microsoft.Scheduler/jobCollections\",\"name\":\"c1\","
            + "\"location\":\"West US\",\"properties\":{\"sku\":{\"name\":\"Standard\"},"
            + "\"state\":\"Enabled\"}}",
        api.send("PUT", ARM + "/c1" + VERSION, collection));
    HttpResponse<String> created = api.send("PUT", ARM + "/c1/jobs/j1" + VERSION, job);
    assertTrue(
        created
            .body()
            .startsWith(
                "{\"id\":\""
                    + ARM
                    + "/c1/jobs/j1\",\"type\":\"Microsoft.Scheduler/jobCollections/jobs\","
                    + "\"name\":\"c1/j1\",\"properties\":{\"action\":{\"request\""),
        created.body());
    assertEquals(201, created.statusCode());
    assertEquals(200, api.send("PUT", ARM + "/c1/jobs/j1" + VERSION, job).statusCode());
    assertAnswer(200, "", api.send("POST", ARM + "/c1/jobs/j1/run" + VERSION, null));
    assertEquals(200, api.send("GET", ARM + "/c1/jobs/j1/history" + VERSION, null).statusCode());
    assertAnswer(200, "", api.send("DELETE", ARM + "/c1/jobs/j1" + VERSION, null));
    assertAnswer(
        200, "{\"value\":[],\"nextLink\":null}", api.send("GET", ARM + "/c1/jobs" + VERSION, null));
    assertTrue(
        api.send(
                "GET",
                "/subscriptions/s1/providers/Microsoft.Scheduler/jobCollections" + VERSION,
                null)
            .body()
            .startsWith("{\"value\":[{\"id\":\"" + ARM + "/c1\""));
    assertAnswer(200, "", api.send("POST", ARM + "/c1/disable" + VERSION, null));
    assertAnswer(200, "", api.send("DELETE", ARM + "/c1" + VERSION, null));
    assertAnswer(204, "", api.send("DELETE", ARM + "/c1" + VERSION, null));
  }

  @Test
  void theArmDialectNamesRequests() {
    HttpResponse<String> answer =
        api.send(
            "GET",
            ARM + VERSION,
            null,
            "x-ms-correlation-request-id",
            "corr",
            "x-ms-client-request-id",
            "mine",
            "x-ms-return-client-request-id",
            "true");
    HttpResponse<String> unasked =
        api.send("GET", ARM + VERSION, null, "x-ms-client-request-id", "mine");

    assertEquals("corr", answer.headers().firstValue("x-ms-correlation-request-id").orElse(""));
    assertEquals("mine", answer.headers().firstValue("x-ms-client-request-id").orElse(""));
    assertEquals("no-cache", answer.headers().firstValue("Cache-Control").orElse(""));
    assertTrue(unasked.headers().firstValue("x-ms-client-request-id").isEmpty());
    assertTrue(unasked.headers().firstValue("x-ms-correlation-request-id").isPresent());
  }

  @Test
  void aPreviewCreatesNothing() {
    HttpResponse<String> answer =
        api.send("POST", "/preview", "{\"recurrence\":{\"frequency\":\"hour\"},\"top\":2}");

    assertAnswer(
        200, "{\"occurrences\":[\"2026-11-20T18:00:00Z\",\"2026-11-20T19:00:00Z\"]}", answer);
    assertError(
        400,
        "BadRequest",
        "recurrence.interval: 0 must be a whole number from 1 to 1000",
        api.send("POST", "/preview", "{\"recurrence\":{\"frequency\":\"hour\",\"interval\":0}}"));
    assertError(
        400, "BadRequest", "Malformed preview: it is empty", api.send("POST", "/preview", null));
  }

  @Test
  void healthTellsWhetherTheNodeCanWork() {
    assertAnswer(200, "{\"status\":\"live\"}", api.send("GET", "/health/live", null));
    assertAnswer(
        200,
        "{\"status\":\"ready\",\"checks\":[{\"name\":\"redis\",\"status\":\"up\"}]}",
        api.send("GET", "/health", null));

    api.checks.set(
        List.of(
            Readiness.Check.better("clock", false, "It is slow."),
            Readiness.Check.that("heartbeat", false, "There is none.")));

    assertAnswer(
        503,
        "{\"status\":\"not ready\",\"reasons\":[\"There is none.\"],\"checks\":["
            + "{\"name\":\"redis\",\"status\":\"up\"},"
            + "{\"name\":\"clock\",\"status\":\"warning\",\"reason\":\"It is slow.\"},"
            + "{\"name\":\"heartbeat\",\"status\":\"down\",\"reason\":\"There is none.\"}]}",
        api.send("GET", "/health/ready", null));
    assertEquals(200, api.send("GET", "/health/live", null).statusCode());
  }

  @Test
  void theRootTellsWhatThisIs() {
    HttpResponse<String> answer = api.send("GET", "/", null);

    assertTrue(
        answer.body().startsWith("{\"name\":\"Carillon\",\"version\":\"test"), answer.body());
  }

  @Test
  void aStoreThatDoesNotAnswerMakesTheServiceUnavailable() {
    try (RedisServer redis = RedisServer.start();
        ApiServer other = new ApiServer(redis)) {
      redis.pause();

      HttpResponse<String> answer = other.send("GET", C, null);

      assertEquals(503, answer.statusCode());
      assertEquals("1", answer.headers().firstValue("Retry-After").orElseThrow());
      assertTrue(answer.body().startsWith("{\"error\":{\"code\":\"ServiceUnavailable\""));
    }
  }

  @Test
  void anErrorOfOurOwnKeepsItsTextInTheLog() {
    api.redis.ask("HSET carillon:collection:default/default/c definition secret");

    assertError(
        500,
        "InternalError",
        "The request failed because of an error of the scheduler.",
        api.send("GET", C, null));
  }

  @Test
  void changesThatMeetAreAllMade() {
    api.send("PUT", J, ONCE);

    IntStream.range(0, 4)
        .parallel()
        .forEach(
            i -> {
              String header = "{\"action\":{\"request\":{\"headers\":{\"X-" + i + "\":\"v\"}}}}";
              assertEquals(200, api.send("PATCH", J, header).statusCode());
              assertEquals(
                  200, api.send("PATCH", C, "{\"tags\":{\"t" + i + "\":\"v\"}}").statusCode());
            });

    String job = api.send("GET", J, null).body();
    String collection = api.send("GET", C, null).body();
    for (int i = 0; i < 4; i++) {
      assertTrue(job.contains("\"X-" + i + "\":\"v\""), job);
      assertTrue(collection.contains("\"t" + i + "\":\"v\""), collection);
    }
  }

  @Test
  void allInstancesShareOnePort() {
    assertEquals(List.of(api.port(), api.port()), api.ports());
    assertNotEquals(0, api.port());
  }

  @Test
  void aStoppedServerRefuses() {
    api.stopListening();

    assertThrows(UncheckedIOException.class, () -> api.send("GET", "/health/live", null));
  }

  @Test
  void aSilentConnectionIsClosed() {
    try (ApiServer impatient = new ApiServer(api.redis, Duration.ofMillis(200))) {
      assertEquals("", impatient.sendRaw("GET / HTTP/1.1\r\nHos"));
    }
  }
}
