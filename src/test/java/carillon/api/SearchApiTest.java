package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import carillon.job.name.JobName;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of the search for jobs: results and paging. */
class SearchApiTest extends WithDefaultCollection {
  private static List<String> names(JsonObject page) {
    JsonArray value = page.getJsonArray("value");
    return IntStream.range(0, value.size())
        .mapToObj(i -> value.getJsonObject(i).getJsonObject("job").getString("id"))
        .toList();
  }

  /** Writes the last entry of a history as the engine does. */
  private void lastOutcome(String job, String status) {
    String key = "default/default/default/" + job;
    String entry =
        ("{`end`:`2999-11-20T18:00:00.005Z`,`start`:`2999-11-20T18:00:00Z`,"
                + "`due`:`2999-11-20T18:00:00Z`,`status`:`%s`,`action`:`main`,`occurrence`:1,"
                + "`retry`:0,`execution`:``,`message`:`of status`}")
            .formatted(status)
            .replace('`', '"');
    String hash = "carillon:{" + JobName.partition(key, 4) + "}:job:" + key;
    api.redis.ask("HSET " + hash + " latest '" + entry + "'");
  }

  @Test
  void aSearchFindsAPartOfANameInAnyCase() {
    put("Invoice-1", DAILY);
    put("send-invoices", DAILY);
    put("other", DAILY);

    JsonObject page = get("/jobcollections/default/search?name=INVOICE");

    assertEquals(List.of("Invoice-1", "send-invoices"), names(page));
    assertEquals(
        new JsonObject().put("enabled", 3).put("disabled", 0).put("completed", 0).put("faulted", 0),
        page.getJsonObject("counts"));
    assertEquals(
        "every day at 05:00 UTC",
        page.getJsonArray("value").getJsonObject(0).getString("schedule"));
  }

  @Test
  void aPrefixFindsTheNamesThatBeginWithIt() {
    List.of("job", "Job-1", "job-2", "joa", "joaz", "jobs", "job.x", "jo", "k")
        .forEach(this::putDaily);
    put("job-off", daily().with("state", "disabled").json());

    assertEquals(
        List.of("job", "Job-1", "job-2", "job-off", "job.x", "jobs"),
        names(get("/jobcollections/default/search?prefix=JOB")));
    assertEquals(
        List.of("Job-1", "job-2"),
        names(get("/jobcollections/default/search?prefix=job-&state=enabled")));
    assertEquals(List.of("k"), names(get("/jobcollections/default/search?prefix=k")));
    assertEquals(List.of(), names(get("/jobcollections/default/search?prefix=0")));
    assertEquals(List.of(), names(get("/jobcollections/default/search?prefix=jobsx")));
    assertEquals(List.of(), names(get("/jobcollections/default/search?prefix=%C3%A9")));
  }

  private void putDaily(String name) {
    put(name, DAILY);
  }

  @Test
  void aSearchKnowsHowTheLastAttemptWent() {
    put("a", DAILY);
    put("b", DAILY);
    put("c", DAILY);
    put("d", DAILY);
    lastOutcome("a", "failed");
    lastOutcome("b", "failed");
    lastOutcome("b", "completed");
    lastOutcome("c", "skipped");

    assertEquals(List.of("a"), names(get("/jobcollections/default/search?lastOutcome=failed")));
    assertEquals(List.of("b"), names(get("/jobcollections/default/search?lastOutcome=completed")));
    assertEquals(List.of("c"), names(get("/jobcollections/default/search?lastOutcome=Skipped")));
    assertEquals(List.of("d"), names(get("/jobcollections/default/search?lastOutcome=none")));
    assertEquals(
        "failed",
        get("/jobcollections/default/search")
            .getJsonArray("value")
            .getJsonObject(0)
            .getString("lastOutcome"));
  }

  @Test
  void aSearchTellsHowTheNewestAttemptsOfEachJobWentWhereItIsAsked() {
    put("a", DAILY);
    put("b", DAILY);
    lastOutcome("a", "failed");
    lastOutcome("b", "unheard");

    JsonArray found = get("/jobcollections/default/search?recent=3").getJsonArray("value");

    assertEquals(
        new JsonArray()
            .add(
                new JsonObject()
                    .put("startTime", "2999-11-20T18:00:00Z")
                    .put("status", "failed")
                    .put("durationMs", 5)),
        found.getJsonObject(0).getJsonArray("recent"));
    assertEquals(new JsonArray(), found.getJsonObject(1).getJsonArray("recent"));
    JsonObject plain = get("/jobcollections/default/search").getJsonArray("value").getJsonObject(0);
    assertFalse(plain.containsKey("recent"));
  }

  @Test
  void aSearchKnowsStates() {
    put("on", DAILY);
    put("off", daily().with("state", "disabled").json());

    assertEquals(List.of("off"), names(get("/jobcollections/default/search?state=disabled")));
    assertEquals(List.of(), names(get("/jobcollections/default/search?state=disabled&name=on")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "&name=job",
        "&lastOutcome=none",
        "&state=enabled&name=-",
        "&prefix=job",
        "&prefix=job-1&state=enabled"
      })
  void aSearchIsPagedThroughWithoutGapsOrRepeats(String filter) {
    List<String> all = IntStream.range(0, 50).mapToObj(i -> "job-" + (100 + i)).toList();
    all.forEach(name -> put(name, DAILY));

    List<String> found = new ArrayList<>();
    String next = "/jobcollections/default/search?$top=7" + filter;
    while (next != null) {
      JsonObject page = get(next);
      found.addAll(names(page));
      String link = page.getString("nextLink");
      next = link == null ? null : link.substring(link.indexOf("/jobcollections"));
    }

    assertEquals(all, found);
  }

  @ParameterizedTest
  @CsvSource({
    "state=paused, state: 'paused' must be one of",
    "lastOutcome=good, lastOutcome: 'good' must be one of",
    "prefix=a&name=b, prefix: must not stand beside name or lastOutcome",
    "prefix=a&lastOutcome=none, prefix: must not stand beside name or lastOutcome",
    "recent=33, recent: '33' must be a whole number from 0 to 32",
    "$top=0, $top: '0' must be a whole number"
  })
  void aSearchRefusesWhatItDoesNotKnow(String query, String message) {
    api.get("/jobcollections/default/search?" + query).assertStatus(400).assertContains(message);
  }

  @Test
  void theRetiredServiceHadNoSearch() {
    api.get(
            "/subscriptions/default/resourceGroups/default/providers/Microsoft.Scheduler"
                + "/jobCollections/default/search?api-version=2016-03-01")
        .assertStatus(404);
  }
}
