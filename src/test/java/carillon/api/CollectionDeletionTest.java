package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.support.JobJson;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Test with a stopped clock, so that the cache of an event loop never expires. */
class CollectionDeletionTest extends WithApi {
  private static final String JOB =
      JobJson.get("http://127.0.0.1:9/").startTime("2026-12-01T00:00:00Z").json();
  private static final String EMPTY = "{\"value\":[],\"nextLink\":null}";
  private static final String C = "/jobcollections/c";
  private static final String J = C + "/jobs/j";
  private static final String HASH = "carillon:collection:default/default/c";

  @BeforeEach
  void startWithAJob() {
    api.put(C, "{`tags`:{`a`:`b`}}");
    api.put(J, JOB);
  }

  @Test
  void aDeletedCollectionIsGoneForEverybody() {
    try (ApiServer other = api.another()) {
      IntStream.range(0, 10).forEach(i -> other.get(J));

      api.delete(C).assertStatus(200);

      api.get(C).assertStatus(404);
      api.delete(C).assertStatus(204);
      assertEquals(EMPTY, api.get("/jobcollections").body());
      for (int i = 0; i < 10; i++) {
        other.patch(C + "/jobs/n" + i, JOB).assertStatus(404);
        other.get(J).assertStatus(404);
        other.delete(J).assertStatus(404);
        other.post(J + "/run").assertStatus(404);
        other.get(J + "/history").assertStatus(404);
      }
    }
  }

  @Test
  void oneThatIsMadeAgainIsEmptyAtOnce() {
    String first = api.get(C).etag();
    api.delete(C);

    api.put("/jobcollections/C", "{}").assertIs(201, "{`name`:`C`,`state`:`enabled`}");
    api.delete(C, "If-Match", first).assertStatus(412);
    assertEquals(EMPTY, api.get(C + "/jobs").body());
    api.get(J).assertStatus(404);
    api.patch(J, "{}").assertStatus(404);
    api.post(J + "/run").assertStatus(404);
    api.delete(J).assertStatus(404);
    api.put(J, JOB, "If-Match", "*").assertStatus(412);
    api.put(J, JOB).assertStatus(201);
    api.put(J, JOB).assertStatus(200);
    assertEquals(EMPTY, api.get(J + "/history").body());
    assertEquals(
        "{\"value\":[{\"name\":\"C\",\"state\":\"enabled\"}],\"nextLink\":null}",
        api.get("/jobcollections").body());
  }

  @Test
  void ofAllWhoKnowTheSameRevisionOneWins() throws Exception {
    String etag = api.get(C).etag();
    List<Integer> statuses =
        AtOnce.run(
            16,
            32,
            i ->
                (i % 2 == 0 ? api.delete(C, "If-Match", etag) : api.put(C, "{}", "If-Match", etag))
                    .status());

    assertEquals(1, statuses.stream().filter(status -> status == 200).count(), statuses::toString);
  }

  @Test
  void aDeletionThatWasCutShortIsEndedByWhoMakesTheCollectionAgain() {
    api.redis.ask("HDEL " + HASH + " definition name created modified");
    api.redis.ask("HSET " + HASH + " deletedAt now");

    api.get(C).assertStatus(404);
    api.put(C, "{}").assertStatus(201);

    assertEquals(EMPTY, api.get(C + "/jobs").body());
    api.get(J).assertStatus(404);
  }
}
