package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.Attempt;
import carillon.job.JobName;
import carillon.support.JobJson;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the API tells of what comes next. */
class DueApiTest {
  private static final Instant NOW = ApiServer.START;
  private static final String JOBS = "/jobcollections/default/jobs/";

  private static void once(ApiServer api, String job, Instant start) {
    HttpResponse<String> put =
        api.send("PUT", JOBS + job, JobJson.get("https://example.org/").startTime(start).json());
    assertEquals(201, put.statusCode(), put.body());
  }

  private static void waits(ApiServer api, String job, String member, Instant due) {
    waits(api, "due", job, member, due);
  }

  private static void waits(ApiServer api, String list, String job, String member, Instant due) {
    String key =
        "carillon:{" + JobName.partition("default/default/default/" + job, 4) + "}:" + list;
    api.redis.eval(
        "return '' .. redis.call('ZADD', '"
            + key
            + "', "
            + due.toEpochMilli()
            + ", '"
            + member
            + "')");
  }

  private static Attempt run(String job, int occurrence, Attempt.Phase phase, int attempt) {
    return new Attempt("default/default/default/" + job, NOW, occurrence, phase, attempt, 1, 0);
  }

  @Test
  void whatComesNextIsListedInItsOrderOverAllPartitions() {
    try (ApiServer api = new ApiServer()) {
      api.send("PUT", "/jobcollections/default", "{}");
      for (int i = 9; i > 0; i--) {
        once(api, "J" + i, NOW.plusSeconds(i));
      }

      HttpResponse<String> answer = api.send("GET", "/due?$top=3", null);

      assertEquals(200, answer.statusCode());
      assertEquals(
          new JsonObject(
              """
              {"value": [
                {"due": "2026-11-20T18:00:01Z", "kind": "occurrence", "subscription": "default", "group": "default", "collection": "default", "job": "j1"},
                {"due": "2026-11-20T18:00:02Z", "kind": "occurrence", "subscription": "default", "group": "default", "collection": "default", "job": "j2"},
                {"due": "2026-11-20T18:00:03Z", "kind": "occurrence", "subscription": "default", "group": "default", "collection": "default", "job": "j3"}]}"""),
          new JsonObject(answer.body()));
    }
  }

  @Test
  void itIsSaidWhyEachWaits() {
    try (ApiServer api = new ApiServer()) {
      waits(api, "a", run("a", 2, Attempt.Phase.MAIN, 2).member(), NOW.minusSeconds(60));
      waits(api, "b", run("b", 2, Attempt.Phase.ERROR, 1).member(), NOW);
      waits(api, "c", run("c", Attempt.MANUAL, Attempt.Phase.MAIN, 1).member(), NOW.plusSeconds(1));
      waits(api, "d", run("d", 2, Attempt.Phase.MAIN, 1).member(), NOW.plusSeconds(2));
      waits(api, "purges", "e", "default/default/default/e", NOW.plusSeconds(3));
      waits(api, "f", "run:damaged", NOW);

      JsonArray due = new JsonObject(api.send("GET", "/due", null).body()).getJsonArray("value");

      assertEquals(
          List.of("a retry", "b errorAction", "c manual", "d again", "e purge"),
          due.stream()
              .map(JsonObject.class::cast)
              .map(item -> item.getString("job") + " " + item.getString("kind"))
              .toList());
    }
  }

  @Test
  void theListIsOnlyReadAndBounded() {
    try (ApiServer api = new ApiServer()) {
      assertEquals(405, api.send("POST", "/due", "{}").statusCode());
      assertEquals(400, api.send("GET", "/due?$top=101", null).statusCode());
      assertEquals("{\"value\":[]}", api.send("GET", "/due", null).body());
    }
  }
}
