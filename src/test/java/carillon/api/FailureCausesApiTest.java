package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.cli.CarillonCommands;
import carillon.job.AttemptRecord.Source;
import carillon.job.AttemptRecord.State;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.json.view.AttemptRecordCodec;
import carillon.support.Engine;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of failed executions grouped by cause. */
class FailureCausesApiTest extends WithEngine {
  private static final String CAUSES = "/executions/causes";
  private static final String JOBS = "/jobcollections/default/jobs/";

  /** Runs one-time jobs whose calls are all answered with this status. */
  private void fail(int status, String start, String... names) {
    target.answer(status);
    for (String name : names) {
      api.put(JOBS + name, job().noRetry().startTime(at(start)).json());
    }
    engine.stepTo(at(start));
  }

  private JsonObject causes(String query) {
    return api.get(CAUSES + query).assertStatus(200).json();
  }

  private List<String> listed(String query) {
    return causes(query).getJsonArray("value").stream()
        .map(JsonObject.class::cast)
        .map(
            one ->
                one.getInteger("statusCode")
                    + " "
                    + one.getInteger("failingJobCount")
                    + "/"
                    + one.getInteger("jobCount")
                    + " "
                    + one.getInteger("executionCount"))
        .toList();
  }

  private JsonObject onlyCause(String query) {
    JsonArray all = causes(query).getJsonArray("value");
    assertEquals(1, all.size(), all::encode);
    return all.getJsonObject(0);
  }

  @Test
  void withoutFailuresThereIsNoCause() {
    assertEquals(
        "{\"value\":[],\"causeCount\":0,\"executionCount\":0,\"truncated\":false}",
        api.get(CAUSES).body());
  }

  @Test
  void oneFailureIsOneCauseWithItsJob() {
    fail(503, "12:01:00", "Bad");

    JsonObject cause = onlyCause("");

    String destination = target.url("").replaceAll("https?://|/$", "");
    assertEquals(destination, cause.getString("destination"));
    assertEquals(503, cause.getInteger("statusCode"));
    assertEquals("answer", cause.getString("message"));
    assertEquals(1, cause.getInteger("executionCount"));
    assertEquals(cause.getString("lastTime"), cause.getString("firstTime"));
    JsonObject job = cause.getJsonArray("jobs").getJsonObject(0);
    assertEquals("Bad", job.getString("job"));
    assertEquals("failing", job.getString("state"));
    assertEquals("/jobcollections/default/jobs/Bad", job.getString("link"));
    api.get(job.getString("link")).assertStatus(200);
  }

  @Test
  void jobsThatFailAlikeAreOneCauseAndTheLargestCauseIsFirst() {
    fail(404, "12:01:00", "other");
    fail(503, "12:02:00", "a", "b", "c");
    api.put(JOBS + "d", job().noRetry().startTime(at("12:03:00")).every("minute").json());
    engine.stepTo(at("12:03:00"));
    engine.stepTo(at("12:04:00"));

    assertEquals(List.of("503 4/4 5", "404 1/1 1"), listed(""));
    JsonObject cause = causes("").getJsonArray("value").getJsonObject(0);
    assertTrue(cause.getString("firstTime").startsWith("2026-11-20T12:02:00"), cause::encode);
    assertTrue(cause.getString("lastTime").startsWith("2026-11-20T12:04:00"), cause::encode);
    assertEquals("d", cause.getJsonArray("jobs").getJsonObject(0).getString("job"));
    assertEquals(3, cause.getJsonArray("jobs").size());
    JsonObject opened = onlyCause("?jobs=10&cause=" + cause.getString("id"));
    assertEquals(4, opened.getJsonArray("jobs").size());
    assertEquals(0, onlyCause("?jobs=0&code=404").getJsonArray("jobs").size());
  }

  @Test
  void aJobBelongsToTheCauseOfItsNewestFailure() {
    target.answer(503);
    api.put(JOBS + "j", job().noRetry().startTime(at("12:01:00")).every("minute").json());
    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:02:00"));
    target.answer(404);
    engine.stepTo(at("12:03:00"));

    assertEquals(List.of("404 1/1 1"), listed(""));
    assertEquals(List.of("503 1/1 2"), listed("?code=503"));
  }

  @Test
  void jobsThatSucceededSinceOrAreGoneDoNotFailAnyMore() {
    fail(503, "12:01:00", "gone", "still", "mended");
    api.delete(JOBS + "gone");
    target.answer(200);
    api.post(JOBS + "mended/retry", "");
    engine.stepTo(at("12:02:00"));

    JsonObject cause = onlyCause("");

    assertEquals(1, cause.getInteger("failingJobCount"));
    assertEquals(
        List.of("still failing", "mended recovered", "gone gone"),
        cause.getJsonArray("jobs").stream()
            .map(JsonObject.class::cast)
            .map(job -> job.getString("job") + " " + job.getString("state"))
            .sorted((a, b) -> b.compareTo(a))
            .toList());
    assertEquals("failing", cause.getJsonArray("jobs").getJsonObject(0).getString("state"));
  }

  /** Writes a failure into the log of attempts as the script that ends attempts does. */
  private void log(String job, String message) {
    Instant end = at("12:01:00");
    String key = Engine.name(job).key();
    HistoryEntry entry =
        HistoryEntry.of(
            new Attempt(key, end, 1, Attempt.Phase.MAIN, 1, 1, 0),
            end,
            end,
            HistoryEntry.Status.FAILED,
            message);
    engine.redis(
        Command.XADD,
        Engine.slot(job) + "outcomes",
        "*",
        "job",
        key,
        "execution",
        AttemptRecordCodec.write(new Source("default/" + job, "h:80"), State.FAILED, entry));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "order 17 is missing|order 4711 is missing|order … is missing",
        "at 2026-11-20T12:00:00Z: away|at 2026-11-20T12:34:56.789Z: away|at …T…Z: away",
        "request 0b9d7c1e-1111-4222-8333-444455556666|request 5c1e0000-aaaa-4bbb-8ccc-ddddeeee0000|request …",
        "trace deadbeef01 lost|trace 0123456789abcdef lost|trace … lost",
        "db-7 is away|db-12 is away|db-… is away",
        "<h1>Error</h1> of node12|<h1>Error</h1> of node34|<h1>Error</h1> of node…",
        "it is away|it is away|it is away",
      })
  void idsAndNumbersOfAMessageDoNotMakeAnotherCause(String one, String other, String general) {
    log("a", one);
    log("b", other);

    JsonObject cause = onlyCause("");

    assertEquals(general, cause.getString("message"));
    assertEquals(2, cause.getInteger("jobCount"));
  }

  @Test
  void wordsThatDifferAreOtherCauses() {
    log("a", "the database is away");
    log("b", "the queue is away");

    assertEquals(2, causes("").getInteger("causeCount"));
    assertEquals(1, causes("?$top=1").getJsonArray("value").size());
    assertEquals("the queue is away", onlyCause("?message=QUEUE").getString("message"));
    assertEquals(0, causes("?cause=none").getInteger("causeCount"));
  }

  @ParameterizedTest
  @ValueSource(ints = {45, 2000})
  void manyJobsAreCountedInOneAnswer(int jobs) {
    for (int i = 0; i < jobs; i++) {
      log("j" + i, "order " + i + " is missing");
    }

    JsonObject cause = onlyCause("?jobs=5000");

    assertEquals(jobs, cause.getInteger("jobCount"));
    assertEquals(jobs, cause.getJsonArray("jobs").size());
    assertEquals(0, cause.getInteger("failingJobCount")); // these jobs were never created
    assertFalse(causes("").getBoolean("truncated"));
  }

  @Test
  void olderFailuresThanAreLookedAtAreTold() {
    for (int i = 0; i < 5001; i++) {
      log("j" + i % 7, "away");
    }

    JsonObject answer = causes("");

    assertEquals(5000, answer.getInteger("executionCount"));
    assertTrue(answer.getBoolean("truncated"), answer::encode);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "?jobs=5001|jobs: '5001' must be a whole number from 0 to 5000",
        "?code=9xx|code: '9xx' must be a status",
        "?job=j|job: 'j' needs a collection",
        "?state=failed|state: this query parameter is not known",
      })
  void aQueryThatMeansNothingIsRefusedWithNameValueAndRule(String query, String message) {
    Answer answer = api.get(CAUSES + query).assertStatus(400);

    assertTrue(answer.body().contains(message), answer::body);
  }

  @Test
  void theCommandLineShowsARowForEachCause() {
    fail(503, "12:01:00", "a", "b", "c", "d");
    CarillonCommands carillon = new CarillonCommands("http://127.0.0.1:" + api.port());

    carillon
        .type("executions", "causes", "--code=5xx", "-o=wide")
        .ok()
        .assertOut("FAILING", "EXECUTIONS", "503", "answer", "4", ", …");
    assertEquals(
        List.of(), carillon.type("executions", "causes", "--message=no", "--json").ok().lines());
    assertEquals(2, carillon.type("executions", "--code=5xx", "causes").code());
  }
}
