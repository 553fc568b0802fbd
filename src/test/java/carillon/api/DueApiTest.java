package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.attempt.Attempt;
import carillon.job.name.JobName;
import carillon.support.JobJson;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Test of upcoming work in answers of the API. */
class DueApiTest extends WithApi {
  private static final Instant NOW = ApiServer.START;
  private static final String JOBS = "/jobcollections/default/jobs/";

  private void once(String job, Instant start) {
    api.put(JOBS + job, JobJson.get("https://example.org/").startTime(start).json())
        .assertStatus(201);
  }

  private void waits(String job, String member, Instant due) {
    add(job, "due", member, due);
  }

  /** Adds an entry to a list in the partition of a job. */
  private void add(String job, String list, String member, Instant at) {
    int partition = JobName.partition("default/default/default/" + job, 4);
    api.redis.ask(
        "ZADD carillon:{%d}:%s %d '%s'".formatted(partition, list, at.toEpochMilli(), member));
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
  void whatWaitsOfOneJobIsToldHoweverManyJobsComeBefore() {
    String retry = "{\"retryType\":\"fixed\",\"retryInterval\":\"PT1M\",\"retryCount\":6}";
    api.put(JOBS + "mine", JobJson.get("https://example.org/").retryPolicy(retry).json())
        .assertStatus(201);
    for (int i = 0; i < 500; i++) {
      add("mine", "due", "job:default/default/default/other-" + i, NOW.minusSeconds(i));
    }
    waits("mine", run("mine", 1, Attempt.Phase.MAIN, 2).member(), NOW.plusSeconds(60));
    waits("mine", run("mine-too", 1, Attempt.Phase.MAIN, 2).member(), NOW);
    add(
        "mine",
        "list:execution",
        run("mine", 3, Attempt.Phase.MAIN, 1).member(),
        NOW.plusSeconds(2));
    add("mine", "lists", "flow:default/default/vendor", NOW);
    String held = run("mine", 2, Attempt.Phase.ERROR, 1).member();
    add("mine", "list:flow:default/default/vendor", held, NOW.minusSeconds(600));

    assertEquals(
        new JsonObject(
            """
            {"value": [
              {"due": "2026-11-20T18:00:00Z", "kind": "waiting", %1$s, "attempt": 1, "flow": "vendor"},
              {"due": "2026-11-20T18:00:02Z", "kind": "buffered", %1$s, "attempt": 1, "maxAttempts": 7},
              {"due": "2026-11-20T18:01:00Z", "kind": "retry", %1$s, "attempt": 2, "maxAttempts": 7}]}"""
                .formatted(
                    "\"subscription\": \"default\", \"group\": \"default\","
                        + " \"collection\": \"default\", \"job\": \"mine\"")),
        api.get(JOBS + "mine/waiting").assertStatus(200).json());
  }

  @Test
  void aJobWithoutAPolicyGetsTheAttemptsOfTheDeployment() {
    once("plain", NOW.plusSeconds(3600));
    waits("plain", run("plain", 1, Attempt.Phase.MAIN, 2).member(), NOW);

    JsonArray waiting = api.get(JOBS + "plain/waiting").json().getJsonArray("value");

    assertEquals(1, waiting.size());
    assertEquals(5, waiting.getJsonObject(0).getInteger("maxAttempts"));
  }

  @Test
  void whatWaitsOfAJobThatIsNotThereIsNotFound() {
    api.put("/jobcollections/default", "{}");
    api.get(JOBS + "nobody/waiting").assertError(404, "NotFound", "Job 'nobody' cannot be found.");
  }

  @Test
  void aThousandAreListedInTheirOrderWhereverTheyStand() {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 700; i++) {
      waits("crowd", "job:default/default/default/crowd-%03d".formatted(i), NOW.plusMillis(i));
      expected.add("crowd-%03d".formatted(i));
    }
    for (int i = 0; i < 600; i++) {
      String job = "far-%03d".formatted(i);
      waits(job, "job:default/default/default/" + job, NOW.plusSeconds(1).plusMillis(i));
      expected.add(job);
    }

    assertEquals(expected.subList(0, 1000), jobs("/due?$top=1000"));
    assertEquals(expected.subList(0, 300), jobs("/due?$top=300"));
    assertEquals(expected.subList(0, 100), jobs("/due"));
  }

  private List<String> jobs(String path) {
    return api.get(path).assertStatus(200).json().getJsonArray("value").stream()
        .map(item -> ((JsonObject) item).getString("job"))
        .toList();
  }

  @Test
  void theListIsOnlyReadAndBounded() {
    api.post("/due", "{}").assertStatus(405);
    api.get("/due?$top=1001").assertStatus(400);
    assertEquals("{\"value\":[]}", api.get("/due").body());
  }
}
