package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.support.JobJson;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The clock stands still here, so that what an event loop remembers never becomes outdated. */
class CollectionDeletionTest extends WithApi {
  private static final String JOB =
      JobJson.get("http://127.0.0.1:9/").startTime("2026-12-01T00:00:00Z").json();
  private static final String EMPTY = "{\"value\":[],\"nextLink\":null}";
  private static final String C = "/jobcollections/c";
  private static final String J = C + "/jobs/j";
  private static final String HASH = "carillon:collection:default/default/c";

  @BeforeEach
  void startWithAJob() {
    api.send("PUT", C, "{\"tags\":{\"a\":\"b\"}}");
    api.send("PUT", J, JOB);
  }

  private int status(String method, String path, String body, String... headers) {
    return api.send(method, path, body, headers).statusCode();
  }

  @Test
  void aDeletedCollectionIsGoneForEverybody() {
    try (ApiServer other = api.another()) {
      IntStream.range(0, 10).forEach(i -> other.send("GET", J, null));

      assertEquals(200, status("DELETE", C, null));

      assertEquals(404, status("GET", C, null));
      assertEquals(204, status("DELETE", C, null));
      assertEquals(EMPTY, api.send("GET", "/jobcollections", null).body());
      for (int i = 0; i < 10; i++) {
        assertEquals(404, other.send("PUT", C + "/jobs/n" + i, JOB).statusCode());
        assertEquals(404, other.send("GET", J, null).statusCode());
        assertEquals(404, other.send("DELETE", J, null).statusCode());
        assertEquals(404, other.send("POST", J + "/run", null).statusCode());
        assertEquals(404, other.send("GET", J + "/history", null).statusCode());
      }
    }
  }

  @Test
  void oneThatIsMadeAgainIsEmptyAtOnce() {
    String first = api.send("GET", C, null).headers().firstValue("ETag").orElseThrow();
    status("DELETE", C, null);

    HttpResponse<String> created = api.send("PUT", "/jobcollections/C", "{}");

    assertEquals(201, created.statusCode());
    assertEquals("{\"name\":\"C\",\"state\":\"enabled\"}", created.body());
    assertEquals(412, status("DELETE", C, null, "If-Match", first));
    assertEquals(EMPTY, api.send("GET", C + "/jobs", null).body());
    assertEquals(404, status("GET", J, null));
    assertEquals(404, status("PATCH", J, "{}"));
    assertEquals(404, status("POST", J + "/run", null));
    assertEquals(404, status("DELETE", J, null));
    assertEquals(412, status("PUT", J, JOB, "If-Match", "*"));
    assertEquals(201, status("PUT", J, JOB));
    assertEquals(200, status("PUT", J, JOB));
    assertEquals(EMPTY, api.send("GET", J + "/history", null).body());
    assertEquals(
        "{\"value\":[{\"name\":\"C\",\"state\":\"enabled\"}],\"nextLink\":null}",
        api.send("GET", "/jobcollections", null).body());
  }

  @Test
  void ofAllWhoKnowTheSameRevisionOneWins() throws Exception {
    String etag = api.send("GET", C, null).headers().firstValue("ETag").orElseThrow();
    ExecutorService threads = Executors.newFixedThreadPool(16);
    try {
      List<Callable<Integer>> tasks =
          IntStream.range(0, 32)
              .<Callable<Integer>>mapToObj(
                  i ->
                      () ->
                          i % 2 == 0
                              ? status("DELETE", C, null, "If-Match", etag)
                              : status("PUT", C, "{}", "If-Match", etag))
              .toList();
      List<Integer> statuses = new ArrayList<>();
      for (Future<Integer> done : threads.invokeAll(tasks)) {
        statuses.add(done.get());
      }

      assertEquals(
          1, statuses.stream().filter(status -> status == 200).count(), statuses::toString);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aDeletionThatWasCutShortIsEndedByWhoMakesTheCollectionAgain() {
    api.redis.ask("HDEL " + HASH + " definition name created modified");
    api.redis.ask("HSET " + HASH + " deleting now");

    assertEquals(404, status("GET", C, null));
    assertEquals(201, status("PUT", C, "{}"));

    assertEquals(EMPTY, api.send("GET", C + "/jobs", null).body());
    assertEquals(404, status("GET", J, null));
  }
}
