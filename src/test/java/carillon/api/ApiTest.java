package carillon.api;

import static carillon.api.Answers.assertAnswer;
import static carillon.api.Answers.assertError;
import static carillon.api.Answers.etag;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.bus.Messages;
import java.net.http.HttpResponse;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs and collections as clients write and read them. */
class ApiTest extends WithCollection {
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
    BlockingQueue<Messages.WakeUp> wakeUps = new LinkedBlockingQueue<>();
    Messages.WAKE_UP.consume(api.vertx.eventBus(), wakeUps::add);

    api.send("PUT", J, ONCE);
    Messages.WakeUp put = wakeUps.poll(30, TimeUnit.SECONDS);
    api.moveTo(ApiServer.START.plusSeconds(60));
    api.send("POST", J + "/run", null);
    Messages.WakeUp run = wakeUps.poll(30, TimeUnit.SECONDS);

    assertEquals(ApiServer.START, put.at());
    assertEquals(new Messages.WakeUp(put.partition(), ApiServer.START.plusSeconds(60)), run);
  }

  @Test
  void theServiceNamesAJobThatIsPosted() {
    HttpResponse<String> answer = api.send("POST", C + "/jobs", ONCE);

    String location = answer.headers().firstValue("Location").orElseThrow();
    assertEquals(201, answer.statusCode());
    assertEquals(200, api.send("GET", location, null).statusCode());
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
  void aCollectionThatIsDisabledSaysSoInItsState() {
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
    String job =
        "{\"properties\":" + job().with("flavour", 1).json().replace("http\"", "Http\"") + "}";

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
}
