package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.bus.Messages;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of jobs and collections as clients write and read them. */
class ApiTest extends WithCollection {
  @Test
  void aJobIsCreatedThenReplaced() {
    Answer created = api.put(J, ONCE);
    Answer replaced = api.put(J, DAILY);
    Answer read = api.get(J);

    created.assertIs(
        201,
        "{`id`:`j`,"
            + ANSWERED_ACTION
            + ",`state`:`enabled`,`status`:"
            + "{`createdTime`:`2026-11-20T18:00:00Z`,"
            + "`nextExecutionTime`:`2026-11-20T18:00:00Z`,`executionCount`:0,"
            + "`failureCount`:0,`faultedCount`:0}}");
    replaced.assertStatus(200);
    assertNotEquals(created.etag(), replaced.etag());
    read.assertStatus(200).assertStartsWith(replaced.body().replaceFirst("}}\\s*$", ""));
    assertEquals(replaced.etag(), read.etag());
  }

  @Test
  void namesAreFoundInAnyCaseAndAnsweredInTheirOwn() {
    api.put("/jobcollections/Big", "{}");
    api.put("/jobcollections/big/jobs/Daily", ONCE);

    api.get("/JOBCOLLECTIONS/BIG/JOBS/DAILY").assertStartsWith("{`id`:`Daily`");
  }

  @Test
  void aJobKeepsTheCaseItsNameFirstHadWhenItIsReplaced() {
    api.put(C + "/jobs/Daily", DAILY);

    Answer replaced = api.put(C + "/jobs/daily", ONCE);

    replaced.assertStartsWith("{`id`:`Daily`");
    api.get(C + "/jobs/DAILY").assertStartsWith("{`id`:`Daily`");
  }

  @ParameterizedTest
  @ValueSource(strings = {"jobs", "history", "run", "a.b-c_d"})
  void aJobMayBeNamedLikeAWordOfThePath(String name) {
    api.put(C + "/jobs/" + name, ONCE).assertStatus(201);
    api.get(C + "/jobs/" + name).assertStatus(200);
    api.get(C + "/jobs/" + name + "/history").assertStatus(200);
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
    Answer answer = api.put(C + "/jobs/" + name, ONCE);

    answer.assertStatus(400).assertStartsWith("{`error`:{`code`:`BadRequest`");
  }

  @Test
  void whatIsAcceptedIsAnnouncedToTheTimer() throws Exception {
    BlockingQueue<Messages.WakeUp> wakeUps = new LinkedBlockingQueue<>();
    Messages.WAKE_UP.consume(api.vertx.eventBus(), wakeUps::add);

    api.put(J, ONCE);
    Messages.WakeUp put = wakeUps.poll(30, TimeUnit.SECONDS);
    api.moveTo(ApiServer.START.plusSeconds(60));
    api.post(J + "/run");
    Messages.WakeUp run = wakeUps.poll(30, TimeUnit.SECONDS);

    assertEquals(ApiServer.START, put.at());
    assertEquals(new Messages.WakeUp(put.partition(), ApiServer.START.plusSeconds(60)), run);
  }

  @Test
  void theServiceNamesAJobThatIsPosted() {
    Answer answer = api.post(C + "/jobs", ONCE);

    String location = answer.headers().firstValue("Location").orElseThrow();
    answer.assertStatus(201);
    api.get(location).assertStatus(200);
  }

  @Test
  void patchMergesAndComputesTheNextOccurrenceAnew() {
    api.put(J, DAILY);

    Answer patched =
        api.patch(
            J,
            "{`StartTime`:`2026-11-20T20:00:00+01:00`,`recurrence`:{`count`:3}}",
            "Content-Type",
            "application/merge-patch+json");
    Answer removed = api.patch(J, "{`recurrence`:null,`startTime`:null}");

    patched.assertContains(
        "`recurrence`:{`frequency`:`day`,`count`:3,`interval`:1}",
        "`nextExecutionTime`:`2026-11-20T19:00:00Z`");
    removed.assertLacks("recurrence");
  }

  @Test
  void theTraceOfASubmissionIsKeptUntilAnotherTakesItsPlace() {
    String first = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    String second = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

    Answer put = api.put(J, DAILY, "Content-Type", "application/json", "traceparent", first);
    put.assertLacks("traceparent");
    assertTrue(stored().contains("\"traceparent\":\"" + first + "\""), stored());

    api.patch(J, "{`recurrence`:{`interval`:2}}", "Content-Type", "application/json");
    assertTrue(stored().contains("\"traceparent\":\"" + first + "\""), stored());

    api.patch(J, "{}", "Content-Type", "application/json", "traceparent", second);
    assertTrue(stored().contains("\"traceparent\":\"" + second + "\""), stored());

    api.put(J, DAILY, "Content-Type", "application/json", "traceparent", "nonsense");
    assertFalse(stored().contains("traceparent"), stored());
  }

  @Test
  void writesObeyTheirConditions() {
    api.put(J, ONCE, "If-Match", "*").assertStatus(412);
    Answer created = api.put(J, ONCE, "If-None-Match", "*").assertStatus(201);
    api.put(J, ONCE, "If-None-Match", "*").assertStatus(412);
    api.put(J, ONCE, "If-Match", "\"1\"").assertStatus(412);
    api.put(J, ONCE, "If-Match", "x").assertStatus(412);
    api.patch(J, "{}", "If-Match", "\"1\"").assertStatus(412);
    api.delete(J, "If-Match", "\"1\"").assertStatus(412);
    api.put(J, ONCE, "If-None-Match", "\"1\"").assertStatus(400);
    Answer replaced = api.put(J, ONCE, "If-Match", created.etag()).assertStatus(200);
    api.delete(J, "If-Match", replaced.etag()).assertStatus(200);
  }

  @Test
  void whatTheClientHasAlreadyIsNotSentAgain() {
    String etag = api.put(J, ONCE).etag();

    Answer known = api.get(J, "If-None-Match", "\"1\", W/" + etag);
    Answer changed = api.get(J, "If-None-Match", "\"1\"");

    known.assertIs(304, "");
    assertEquals(etag, known.etag());
    changed.assertStatus(200);
  }

  @Test
  void collectionsAreWrittenReadAndListed() {
    Answer replaced = api.put(C, "{`location`:`here`,`quota`:{`maxJobCount`:5}}");
    Answer patched = api.patch(C, "{`quota`:null,`tags`:{`a`:`b`}}");
    api.put("/jobcollections/d", "{}");
    Answer list = api.get("/jobcollections?$top=1");
    Answer rest = api.get(nextLink(list));

    replaced.assertIs(
        200, "{`name`:`c`,`location`:`here`,`state`:`enabled`,`quota`:{`maxJobCount`:5}}");
    String c =
        "{\"name\":\"c\",\"location\":\"here\",\"tags\":{\"a\":\"b\"},\"state\":\"enabled\"}";
    patched.assertIs(200, c);
    api.get(C).assertIs(200, c);
    list.assertStartsWith("{`value`:[" + c + "],");
    rest.assertIs(200, "{`value`:[{`name`:`d`,`state`:`enabled`}],`nextLink`:null}");
  }

  @Test
  void aCollectionThatIsDisabledSaysSoInItsState() {
    Answer disabled = api.post(C + "/disable");
    Answer read = api.get(C);
    api.post(C + "/enable");

    disabled.assertIs(200, "");
    read.assertIs(
        200,
        "{`name`:`c`,`state`:`disabled`,"
            + "`pause`:{`since`:`2026-11-20T18:00:00Z`,`by`:`anybody`,`reason`:`client`}}");
    assertEquals("{\"name\":\"c\",\"state\":\"enabled\"}", api.get(C).body());
    api.post("/jobcollections/x/enable").assertStatus(404);
  }

  @Test
  void aCollectionIsDeletedWithItsJobs() {
    api.put(J, ONCE);

    api.delete(C, "If-Match", "\"1\"").assertStatus(412);
    api.delete(C).assertIs(200, "");
    api.get(J).assertStatus(404);
  }

  @Test
  void theArmDialectAnswersAsTheServiceDid() {
    String collection =
        "{\"location\":\"westus\",\"properties\":{\"sku\":{\"name\":\"Standard\"}}}";
    String job =
        "{\"properties\":" + job().with("flavour", 1).json().replace("http\"", "Http\"") + "}";

    api.put(ARM + "/c1" + VERSION, collection).assertStatus(201);
    api.put(ARM + "/c1" + VERSION, collection)
        .assertIs(
            201,
            "{`id`:`"
                + ARM
                + "/c1`,`type`:`Microsoft.Scheduler/jobCollections`,`name`:`c1`,"
                + "`location`:`West US`,`properties`:{`sku`:{`name`:`Standard`},"
                + "`state`:`Enabled`}}");
    Answer created = api.put(ARM + "/c1/jobs/j1" + VERSION, job);
    created.assertStartsWith(
        "{`id`:`"
            + ARM
            + "/c1/jobs/j1`,`type`:`Microsoft.Scheduler/jobCollections/jobs`,"
            + "`name`:`c1/j1`,`properties`:{`action`:{`request`");
    created.assertStatus(201);
    api.put(ARM + "/c1/jobs/j1" + VERSION, job).assertStatus(200);
    api.post(ARM + "/c1/jobs/j1/run" + VERSION).assertIs(200, "");
    api.get(ARM + "/c1/jobs/j1/history" + VERSION).assertStatus(200);
    api.delete(ARM + "/c1/jobs/j1" + VERSION).assertIs(200, "");
    api.get(ARM + "/c1/jobs" + VERSION).assertIs(200, "{`value`:[],`nextLink`:null}");
    api.get("/subscriptions/s1/providers/Microsoft.Scheduler/jobCollections" + VERSION)
        .assertStartsWith("{`value`:[{`id`:`" + ARM + "/c1`");
    api.post(ARM + "/c1/disable" + VERSION).assertIs(200, "");
    api.delete(ARM + "/c1" + VERSION).assertIs(200, "");
    api.delete(ARM + "/c1" + VERSION).assertIs(204, "");
  }

  @Test
  void theArmDialectNamesRequests() {
    Answer answer =
        api.get(
            ARM + VERSION,
            "x-ms-correlation-request-id",
            "corr",
            "x-ms-client-request-id",
            "mine",
            "x-ms-return-client-request-id",
            "true");
    Answer unasked = api.get(ARM + VERSION, "x-ms-client-request-id", "mine");

    assertEquals("corr", answer.header("x-ms-correlation-request-id"));
    assertEquals("mine", answer.header("x-ms-client-request-id"));
    assertEquals("no-cache", answer.header("Cache-Control"));
    assertTrue(unasked.headers().firstValue("x-ms-client-request-id").isEmpty());
    assertTrue(unasked.headers().firstValue("x-ms-correlation-request-id").isPresent());
  }

  @Test
  void aPreviewCreatesNothing() {
    Answer answer = api.post("/preview", "{`recurrence`:{`frequency`:`hour`},`top`:2}");

    answer.assertIs(200, "{`occurrences`:[`2026-11-20T18:00:00Z`,`2026-11-20T19:00:00Z`]}");
    api.post("/preview", "{`recurrence`:{`frequency`:`hour`,`interval`:0}}")
        .assertError(
            400, "BadRequest", "recurrence.interval: 0 must be a whole number from 1 to 1000");
    api.post("/preview").assertError(400, "BadRequest", "Malformed preview: it is empty");
  }

  @Test
  void changesThatMeetAreAllMade() {
    api.put(J, ONCE);

    IntStream.range(0, 4)
        .parallel()
        .forEach(
            i -> {
              String header = "{\"action\":{\"request\":{\"headers\":{\"X-" + i + "\":\"v\"}}}}";
              api.patch(J, header).assertStatus(200);
              api.patch(C, "{`tags`:{`t" + i + "`:`v`}}").assertStatus(200);
            });

    String job = api.get(J).body();
    String collection = api.get(C).body();
    for (int i = 0; i < 4; i++) {
      assertTrue(job.contains("\"X-" + i + "\":\"v\""), job);
      assertTrue(collection.contains("\"t" + i + "\":\"v\""), collection);
    }
  }
}
