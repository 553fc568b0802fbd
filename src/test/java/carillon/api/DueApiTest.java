package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.Attempt;
import carillon.job.JobName;
import carillon.support.JobJson;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the API tells of what comes next. */
class DueApiTest extends WithApi {
  private static final Instant NOW = ApiServer.START;
  private static final String JOBS = "/jobcollections/default/jobs/";

  private void once(String job, Instant start) {
    api.put(JOBS + job, JobJson.get("https://example.org/").startTime(start).json())
        .assertStatus(201);
  }

  private void waits(String job, String member, Instant due) {
    int partition = JobName.partition("default/default/default/" + job, 4);
    api.redis.ask(
        "ZADD carillon:{%d}:due %d '%s'".formatted(partition, due.toEpochMilli(), member));
  }

  private static Attempt run(String job, int occurrence, Attempt.Phase phase, int attempt) {
    return new Attempt("default/default/default/" + job, NOW, occurrence, phase, attempt, 1, 0);
  }

  @Test
  void whatComesNextIsListedInItsOrderOverAllPartitions() {
    api.put("/jobcollections/default", "{}");
    for (int i = 9; i > 0; i--) {
      once("J" + i, NOW.plusSeconds(i));
    }

    Answer answer = api.get("/due?$top=3").assertStatus(200);

    assertEquals(
        new JsonObject(
            """
            {"value": [
              {"due": "2026-11-20T18:00:01Z", "kind": "occurrence", "subscription": "default", "group": "default", "collection": "default", "job": "j1"},
              {"due": "2026-11-20T18:00:02Z", "kind": "occurrence", "subscription": "default", "group": "default", "collection": "default", "job": "j2"},
              {"due": "2026-11-20T18:00:03Z", "kind": "occurrence", "subscription": "default", "group": "default", "collection": "default", "job": "j3"}]}"""),
        answer.json());
  }

  @Test
  void itIsSaidWhyEachWaits() {
    waits("a", run("a", 2, Attempt.Phase.MAIN, 2).member(), NOW.minusSeconds(60));
    waits("b", run("b", 2, Attempt.Phase.ERROR, 1).member(), NOW);
    waits("c", run("c", Attempt.REQUESTED, Attempt.Phase.MAIN, 1).member(), NOW.plusSeconds(1));
    waits("d", run("d", 2, Attempt.Phase.MAIN, 1).member(), NOW.plusSeconds(2));
    String job = "default/default/default/e";
    long ended = NOW.minus(Duration.ofDays(60)).plusSeconds(3).toEpochMilli();
    api.redis.ask(
        "RPUSH carillon:{%d}:finished '%d %s'".formatted(JobName.partition(job, 4), ended, job));
    waits("f", "run:damaged", NOW);

    JsonArray due = api.get("/due").json().getJsonArray("value");

    assertEquals(
        List.of("a retry", "b errorAction", "c manual", "d again", "e purge"),
        due.stream()
            .map(JsonObject.class::cast)
            .map(item -> item.getString("job") + " " + item.getString("kind"))
            .toList());
  }

  @Test
  void theListIsOnlyReadAndBounded() {
    api.post("/due", "{}").assertStatus(405);
    api.get("/due?$top=101").assertStatus(400);
    assertEquals("{\"value\":[]}", api.get("/due").body());
  }
}
