package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import carillon.support.JobJson;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test that a PUT of the current definition writes nothing or runs the job again. */
class UnchangedPutTest extends WithEngine {
  private static final String ARM =
      "/subscriptions/default/resourceGroups/default/providers/Microsoft.Scheduler"
          + "/jobCollections/default/jobs/j?api-version=2016-03-01";
  private static final String CLASSIC =
      "/default/cloudservices/default/resources/scheduler/~/jobcollections/default/jobs/j";
  private static final String LATER = "2026-11-21T00:00:00Z";

  private static JobJson minutely() {
    return job().startTime(at("12:01:00")).recurrence("{`frequency`:`minute`}");
  }

  private Answer put(JobJson job, String... headers) {
    return api.put(J, job.json(), headers);
  }

  private JsonObject status() {
    JsonObject status = api.get(J).json().getJsonObject("status");
    status.remove("defaults"); // answers to writes have none
    return status;
  }

  private int audited() {
    return api.get("/audit?$top=100").json().getJsonArray("value").size();
  }

  private void assertUnchanged(JobJson job) {
    JsonObject before = status();
    String etag = api.get(J).etag();
    int entries = audited();

    Answer again = put(job).assertStatus(200);

    assertEquals(etag, again.etag());
    assertEquals(before, again.json().getJsonObject("status"));
    assertEquals(before, status());
    assertEquals(entries, audited());
  }

  private void assertWritten(JobJson job) {
    String etag = api.get(J).etag();

    assertNotEquals(etag, put(job).assertStatus(200).etag());
  }

  @Test
  void aRecurringJobKeepsItsCountersAndItsCreation() {
    put(minutely()).assertStatus(201);
    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:02:00"));
    api.moveTo(at("12:02:30"));

    assertUnchanged(minutely());

    assertEquals(2, status().getInteger("executionCount"));
    assertEquals("2026-11-20T12:03:00Z", status().getString("nextExecutionTime"));
    assertEquals(2, target.calls().size());
  }

  @Test
  void aRecurringJobWithoutAStartKeepsItsNextOccurrence() {
    JobJson job = job().recurrence("{`frequency`:`hour`}");
    put(job);
    engine.stepTo(at("12:00:00"));
    api.moveTo(at("12:10:00"));

    assertUnchanged(job);

    engine.stepTo(at("12:20:00"));
    assertEquals(1, target.calls().size());
  }

  @Test
  void aStartToComeStays() {
    assertEquals(201, put(job().startTime(at("13:00:00"))).status());
    api.moveTo(at("12:30:00"));

    assertUnchanged(job().startTime(at("13:00:00")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{`frequency`:`week`,`schedule`:{`weekDays`:[`monday`],`hours`:[7],`minutes`:[30]}}",
        "{`frequency`:`month`,`interval`:2,`schedule`:{`monthlyOccurrences`:[{`day`:`friday`,"
            + "`occurrence`:-1}]}}",
        "{`cron`:`*/5 8-18 * * MON-FRI`}",
        "{`rrule`:`FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=9`}",
        "{`frequency`:`day`,`count`:5,`endTime`:`2027-01-01T00:00:00Z`}"
      })
  void eachFormOfRecurrenceIsRecognised(String recurrence) {
    JobJson job =
        job()
            .recurrence(recurrence)
            .with("timeZone", "Europe/Berlin")
            .with("startWithin", "PT1M")
            .with("labels", new JsonObject().put("team", "x").put("app", "y"))
            .with("description", "d")
            .body("grüße")
            .retryPolicy("{`retryType`:`fixed`,`retryInterval`:`PT30S`,`retryCount`:2}")
            .errorAction(job());
    put(job).assertStatus(201);

    assertUnchanged(job);
  }

  @Test
  void whatEndedOrBeginsAtOnceRunsAgain() {
    put(job());
    engine.stepTo(at("12:00:00"));
    assertWritten(job());
    engine.stepTo(at("12:00:01"));
    assertEquals(2, target.calls().size());

    put(job().startTime(at("12:00:10")));
    engine.stepTo(at("12:00:10"));
    api.moveTo(at("12:00:20"));
    assertWritten(job().startTime(at("12:00:10")));
    engine.stepTo(at("12:00:20"));
    assertEquals(4, target.calls().size());
  }

  @Test
  void anotherDocumentOrAPauseIsWritten() {
    put(minutely());

    assertWritten(minutely().with("description", "other words"));
    assertWritten(minutely().body("another"));
    api.post(J + "/disable").assertStatus(200);
    assertWritten(minutely().body("another"));
    assertEquals("enabled", api.get(J).json().getString("state"));
    assertWritten(minutely().body("another").with("state", "disabled"));
  }

  @Test
  void secretsAreComparedInClear() {
    JobJson basic = secure().request("authentication", basic("p"));
    put(basic).assertStatus(201);

    assertUnchanged(basic);
    assertUnchanged(secure().request("authentication", basic(null)));
    assertWritten(secure().request("authentication", basic("q")));
    assertUnchanged(secure().request("authentication", basic("q")));
  }

  private static JobJson secure() {
    return minutely().secure().request("uri", "https://127.0.0.1:9/");
  }

  private static JsonObject basic(String password) {
    JsonObject json = new JsonObject().put("type", "basic").put("username", "u");
    return password == null ? json : json.put("password", password);
  }

  @Test
  void secretHeadersAreComparedInClear() {
    JobJson job = minutely().request("headers", new JsonObject().put("X-Api-Key", "k"));
    put(job).assertStatus(201);

    assertUnchanged(job);
    assertUnchanged(minutely().request("headers", new JsonObject().put("X-Api-Key", "***")));
    assertWritten(minutely().request("headers", new JsonObject().put("X-Api-Key", "l")));
  }

  @Test
  void conditionsHoldForAnUnchangedJobToo() {
    String etag = put(minutely()).etag();

    assertEquals(etag, put(minutely(), "If-Match", etag).assertStatus(200).etag());
    assertEquals(etag, put(minutely(), "If-Match", "*").assertStatus(200).etag());
    put(minutely(), "If-Match", "\"1\"").assertStatus(412);
    put(minutely(), "If-None-Match", "*").assertStatus(412);
    assertEquals(etag, api.get(J).etag());
  }

  @Test
  void whatIsReadCanBePutBack() {
    put(minutely()).assertStatus(201);

    Answer read = api.get(J);

    assertEquals(read.etag(), api.put(J, read.body()).assertStatus(200).etag());
  }

  @Test
  void theDialectsOfAzureKeepItToo() {
    String arm = new JsonObject().put("properties", daily()).encode();
    api.put(ARM, arm).assertStatus(201);
    String etag = api.get(J).etag();
    Instant later = Instant.parse("2026-11-20T15:00:00Z");

    api.moveTo(later);
    api.put(ARM, arm).assertStatus(200);
    api.put(CLASSIC, daily().encode(), "x-ms-version", "2013-03-01").assertStatus(200);

    assertEquals(etag, api.get(J).etag());
  }

  private static JsonObject daily() {
    return new JsonObject(
        job().startTime(Instant.parse(LATER)).recurrence("{`frequency`:`day`}").json());
  }
}
