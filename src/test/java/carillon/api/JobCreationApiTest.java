package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKeyToken;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test of jobs created by POST, calls in short form, and collections created on first use. */
@Tag("redis")
class JobCreationApiTest {
  private static final String JOBS = "/jobcollections/default/jobs";
  private static final String JOB = "`action`:{`request`:{`uri`:`https://h/`}}";

  @AutoClose private ApiServer api = new ApiServer();

  @Test
  void aJobIsCreatedUnderTheNameThatItSays() {
    Answer created = api.post(JOBS, "{`id`:`Mine`," + JOB + "}").assertStatus(201);

    assertEquals(JOBS + "/Mine", created.header("Location"));
    assertEquals("Mine", created.json().getString("id"));
    api.post(JOBS, "{`id`:`mine`," + JOB + "}")
        .assertError(409, "Conflict", "Job 'mine' is there already.");
    api.post(JOBS, "{`id`:`a/b`," + JOB + "}").assertStatus(400);
    api.post(JOBS, "{`id`:5," + JOB + "}").assertError(400, "BadRequest", "id: 5 must be a string");
  }

  @Test
  void anotherIdThanThatOfThePathIsRefused() {
    String rule = "id: 'b' must be the id in the path, or be left out";

    api.put(JOBS + "/a", "{`id`:`b`," + JOB + "}").assertError(400, "BadRequest", rule);
    api.put(JOBS + "/a", "{`id`:`A`," + JOB + "}").assertStatus(201);
    api.patch(JOBS + "/a", "{`id`:`b`}").assertError(400, "BadRequest", rule);
  }

  @Test
  void aKeyIsNotForAnotherDelay() {
    String[] key = {"Idempotency-Key", "k"};
    api.post("/call", "{`url`:`https://h/`,`in`:`1h`}", key).assertStatus(201);
    api.moveTo(ApiServer.START.plus(Duration.ofMinutes(30)));

    api.post("/call", "{`url`:`https://h/`,`in`:`1h`}", key).assertStatus(200);
    for (String other : new String[] {"`in`:`2h`", "`in`:`30m`", "`description`:`now`"}) {
      api.post("/call", "{`url`:`https://h/`," + other + "}", key).assertStatus(422);
    }
  }

  @Test
  void aRepeatedPostWithAnIdempotencyKeyMakesNoSecondJob() {
    String call = "{`url`:`https://h/`,`in`:`1h`,`body`:{`n`:1}}";
    Answer first = api.post("/call", call, "Idempotency-Key", "\"k 1\"").assertStatus(201);
    api.moveTo(ApiServer.START.plus(Duration.ofMinutes(5)));
    Answer second = api.post("/call", call, "Idempotency-Key", "k 1").assertStatus(200);

    assertEquals(first.body(), second.body());
    assertEquals("true", second.header("Idempotency-Replayed"));
    assertEquals("", first.header("Idempotency-Replayed"));
    assertEquals(first.header("Location"), second.header("Location"));
    assertEquals(first.etag(), second.etag());
    String other = call.replace("`n`:1", "`n`:2");
    Answer mismatch = api.post("/call", other, "Idempotency-Key", "k 1").assertStatus(422);
    assertEquals("IdempotencyMismatch", mismatch.json().getJsonObject("error").getString("code"));
    Answer another = api.post("/call", call, "Idempotency-Key", "k 2").assertStatus(201);
    assertNotEquals(first.header("Location"), another.header("Location"));
    assertEquals(2, api.get(JOBS).json().getJsonArray("value").size());
    api.post("/call", call, "Idempotency-Key", "k".repeat(256)).assertStatus(400);
  }

  @Test
  void aRepeatedRunWithAnIdempotencyKeyMakesNoSecondExecution() {
    String run = JOBS + "/j/run";
    api.put(JOBS + "/j", "{`startTime`:`2030-01-01T00:00:00Z`," + JOB + "}").assertStatus(201);

    Answer first = api.post(run, "", "Idempotency-Key", "r 1").assertStatus(202);
    Answer second = api.post(run, "", "Idempotency-Key", "\"r 1\"").assertStatus(202);

    assertEquals("", first.header("Idempotency-Replayed"));
    assertEquals("true", second.header("Idempotency-Replayed"));
    assertEquals("1", openExecutions("j"));
    api.post(run, "", "Idempotency-Key", "r 2").assertStatus(202);
    api.post(run).assertStatus(202);
    assertEquals("3", openExecutions("j"));
    api.post(run, "", "Idempotency-Key", "k".repeat(256)).assertStatus(400);

    api.moveTo(ApiServer.START.plus(Duration.ofDays(1)));
    Answer later = api.post(run, "", "Idempotency-Key", "r 1").assertStatus(202);
    assertEquals("", later.header("Idempotency-Replayed"));
  }

  @Test
  void theKeyOfARunIsNotThatOfAnotherJobOrOfOneThatTookItsName() {
    String job = "{`startTime`:`2030-01-01T00:00:00Z`," + JOB + "}";
    for (String name : new String[] {"a", "b"}) {
      api.put(JOBS + "/" + name, job).assertStatus(201);
      api.post(JOBS + "/" + name + "/run", "", "Idempotency-Key", "k").assertStatus(202);
      assertEquals("1", openExecutions(name));
    }
    api.delete(JOBS + "/a").assertStatus(200);
    api.put(JOBS + "/a", job).assertStatus(201);

    Answer again = api.post(JOBS + "/a/run", "", "Idempotency-Key", "k").assertStatus(202);

    assertEquals("", again.header("Idempotency-Replayed"));
    assertEquals("1", openExecutions("a"));
  }

  private String openExecutions(String job) {
    return api.hash(
        "carillon:{%d}:job:default/default/default/" + job,
        "default/default/default/" + job,
        "openExecutions");
  }

  @Test
  void aKeyAndAnIdGoTogether() {
    String job = "{`id`:`mine`," + JOB + "}";
    api.post(JOBS, job, "Idempotency-Key", "k").assertStatus(201);

    api.post(JOBS, job, "Idempotency-Key", "k").assertStatus(200);
    api.post(JOBS, job.replace("https", "http"), "Idempotency-Key", "k").assertStatus(422);
    api.post(JOBS, job).assertStatus(409);
  }

  @Test
  void aCallIsAJobInItsShortestForm() {
    Answer made =
        api.post("/call?in=10s", "{`url`:`https://h/x`,`body`:{`order`:4711},`timeout`:`5s`}")
            .assertStatus(201);
    JsonObject job = made.json();
    assertEquals(JOBS + "/" + job.getString("id"), made.header("Location"));
    assertEquals("2026-11-20T18:00:10Z", job.getString("startTime"));
    JsonObject action = job.getJsonObject("action");
    assertEquals("https", action.getString("type"));
    assertEquals("PT5S", action.getString("timeout"));
    JsonObject request = action.getJsonObject("request");
    assertEquals("POST", request.getString("method"));
    assertEquals("{\"order\":4711}", request.getString("body"));

    Answer plain = api.post("/jobcollections/orders/call", "{`url`:`http://h/`,`id`:`a`}");
    assertEquals("/jobcollections/orders/jobs/a", plain.assertStatus(201).header("Location"));
    assertEquals(
        "/groups/s/g/jobcollections/c/jobs/a",
        api.post("/groups/s/g/jobcollections/c/call", "{`url`:`http://h/`,`id`:`a`}")
            .header("Location"));
  }

  @Test
  void aCallIsRefusedByItsOwnNames() {
    refused("{}", "url: is missing");
    refused("{`url`:`nonsense`}", "url: 'nonsense' must be an absolute");
    refused("{`url`:`http://h/`,`method`:`FLY`}", "method: 'FLY' must be one of");
    refused("{`url`:`http://h/`,`timeout`:`x`}", "timeout: 'x' must be a duration");
    refused("{`url`:`http://h/`,`uri`:`http://h/`}", "uri: this property is not known here");
    refused("{`url`:`http://h/`,`in`:`1s`,`startTime`:`2030-01-01`}", "in: does not go with");
    api.post("/call?in=1s", "{`url`:`http://h/`,`in`:`1s`}").assertStatus(400);
    api.post("/call?in=soon", "{`url`:`http://h/`}").assertStatus(400);
  }

  @Test
  void aCallRecursInTheWordsOfTheCommandLine() {
    JsonObject daily =
        api.post(
                "/call",
                "{`url`:`https://h/`,`cron`:`0 9 * * *`,`tz`:`Europe/Berlin`,`count`:3,`retries`:2}")
            .assertStatus(201)
            .json();
    assertEquals("Europe/Berlin", daily.getString("timeZone"));
    JsonObject recurrence = daily.getJsonObject("recurrence");
    assertEquals("0 9 * * *", recurrence.getString("cron"));
    assertEquals(3, recurrence.getInteger("count"));
    JsonObject policy = daily.getJsonObject("action").getJsonObject("retryPolicy");
    assertEquals("exponential", policy.getString("retryType"));
    assertEquals(2, policy.getInteger("retryCount"));

    JsonObject beat =
        api.post("/call", "{`url`:`https://h/`,`every`:`90m`,`at`:`2026-11-21`,`retries`:0}")
            .assertStatus(201)
            .json();
    assertEquals("2026-11-21T00:00:00Z", beat.getString("startTime"));
    assertEquals("minute", beat.getJsonObject("recurrence").getString("frequency"));
    assertEquals(90, beat.getJsonObject("recurrence").getInteger("interval"));
    policy = beat.getJsonObject("action").getJsonObject("retryPolicy");
    assertEquals("none", policy.getString("retryType"));
    JsonObject days = api.post("/call", "{`url`:`https://h/`,`every`:`48h`}").json();
    assertEquals("day", days.getJsonObject("recurrence").getString("frequency"));
  }

  @Test
  void aCallThatContradictsItselfIsRefused() {
    String url = "{`url`:`https://h/`,";
    refused(
        url + "`cron`:`0 9 * * *`,`every`:`5m`}",
        "every: '5m' does not go with cron; leave one out");
    refused(
        url + "`at`:`2030-01-01`,`startTime`:`2030-01-01`}",
        "at: '2030-01-01' does not go with startTime; leave one out");
    refused(url + "`at`:`2030-01-01`,`in`:`5m`}", "at: '2030-01-01' does not go with in;");
    refused(url + "`tz`:`UTC`,`timeZone`:`UTC`}", "tz: 'UTC' does not go with timeZone;");
    refused(url + "`retries`:3,`retryPolicy`:{`retryCount`:3}}", "retries: 3 does not go with");
    refused(url + "`count`:3}", "count: 3 needs cron or every beside it");
    refused(url + "`every`:`1.5s`}", "every: '1.5s' must be whole seconds, 1s at least");
    refused(url + "`every`:`0s`}", "every: '0s' must be");
    refused(url + "`every`:5}", "every: 5 must be a duration");
    refused(url + "`every`:`900d`}", "every: '900d' must be at most 548 days");
    refused(url + "`every`:`1001s`}", "every: '1001s' must be at most 1000 seconds, or whole");
    refused(url + "`cron`:`x`}", "cron: 'x' ");
    refused(url + "`every`:`5m`,`count`:0}", "count: 0 must be a whole number");
    refused(url + "`retries`:21}", "retries: 21 must be a whole number from 0 to 20");
    refused(url + "`at`:`soon`}", "at: 'soon' must be");
    refused(url + "`tz`:`Mars`}", "tz: 'Mars' ");
    refused(url + "`id`:`my id`}", "id: 'my id' must");
    refused("nothing", "Malformed call: it is not JSON");
  }

  @Test
  void aCallWithoutAUrlIsToldSoOnce() {
    assertEquals(
        "url: is missing",
        api.post("/call", "{}").json().getJsonObject("error").getString("message"));
    assertEquals(
        "[url, priority]",
        api
            .post("/call", "{`priority`:99}")
            .json()
            .getJsonObject("error")
            .getJsonArray("details")
            .stream()
            .map(detail -> ((JsonObject) detail).getString("target"))
            .toList()
            .toString());
    assertEquals(
        null, api.post("/call", "{}").json().getJsonObject("error").getJsonArray("details"));
  }

  @Test
  void aNameThatIsLikelyToBeTriedIsAnsweredWithWhatIsMeant() {
    refused("{`url`:`http://h/`,`delay`:`5m`}", "delay: this property is not known here; did you");
    String job = "/jobcollections/default/jobs/a";
    for (String[] guess :
        new String[][] {
          {"{`cron`:`* * * * *`," + JOB + "}", "cron", "'recurrence.cron'"},
          {"{`url`:`http://h/`," + JOB + "}", "url", "'action.request.uri'"},
          {"{`every`:`5m`," + JOB + "}", "every", "'recurrence.interval'"},
          {"{" + JOB.replace("}}", "},`retryPolicy`:{`count`:1}}") + "}", "count", "'retryCount'"},
          {"{`zzz`:1," + JOB + "}", "zzz", "known are action, bufferMax, calendars"}
        }) {
      String told =
          api.put(job, guess[0]).assertStatus(400).json().getJsonObject("error").toString();
      assertTrue(told.contains(guess[1] + ": this property is not known"), told);
      assertTrue(told.contains(guess[2]), told);
    }
  }

  private void refused(String call, String message) {
    Answer answer = api.post("/call", call).assertStatus(400);
    String told = answer.json().getJsonObject("error").getString("message");
    assertTrue(told.startsWith(message), told);
  }

  @Test
  void theFirstJobMakesItsCollection() {
    api.put("/jobcollections/New/jobs/a", "{" + JOB + "}").assertStatus(201);
    assertEquals("New", api.get("/jobcollections/new").json().getString("name"));
    api.post("/jobcollections/newer/jobs", "{" + JOB + "}").assertStatus(201);
    api.put("/jobcollections/empty", null).assertStatus(201);

    String newest = "/jobcollections/newest";
    api.put(newest + "/jobs/a", "{" + JOB + "}", "If-Match", "*").assertStatus(404);
    api.patch(newest + "/jobs/a", "{}").assertStatus(404);
    api.get(newest + "/jobs/a").assertStatus(404);
    api.put(newest + "/jobs/a", "{`action`:1}").assertStatus(400);
    api.get(newest).assertStatus(404);
    assertTrue(
        api.post(newest + "/jobs/a/validate", "{" + JOB + "}")
            .assertStatus(200)
            .body()
            .startsWith("{\"schedule\""));
    api.get(newest).assertStatus(404);
  }

  @Test
  void aCollectionIsMadeByThoseAloneWhoMayMakeIt() {
    ApiKeyToken operator = ApiKeyToken.random();
    try (ApiServer guarded = new ApiServer(ApiServer.keys(operator))) {
      ApiClient admin = guarded.with("Authorization", "Bearer " + operator.reveal());
      String grants = "[`writer:default/default/orders`]";
      String key =
          admin
              .post("/keys", "{`client`:`c`,`grants`:" + grants + "}")
              .assertStatus(201)
              .json()
              .getString("key");
      ApiClient writer = guarded.with("Authorization", "Bearer " + key);
      String job = "/jobcollections/orders/jobs/a";

      writer.put(job, "{" + JOB + "}").assertStatus(404);
      writer.post("/call", "{`url`:`http://h/`}").assertStatus(404);
      admin.put(job, "{" + JOB + "}").assertStatus(201);
      writer.put(job, "{" + JOB + "}").assertStatus(200);
    }
  }

  @Test
  void noCollectionIsMadeWhereTheSettingSaysSo() {
    try (ApiServer strict = new ApiServer(setup -> setup.onFirstUse = false)) {
      strict.put(JOBS + "/a", "{" + JOB + "}").assertStatus(404);
    }
  }

  @Test
  void theDialectsOfAzureMakeNoCollection() {
    api.put(
            "/subscriptions/s/resourceGroups/g/providers/Microsoft.Scheduler/jobCollections/c/jobs/j"
                + "?api-version=2016-03-01",
            "{`properties`:{`action`:{`type`:`http`,`request`:{`uri`:`http://h/`,`method`:`GET`}}}}")
        .assertStatus(404);
  }
}
