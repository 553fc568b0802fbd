package carillon.api;

import static carillon.api.Answers.assertAnswer;
import static carillon.api.Answers.assertError;
import static carillon.api.Answers.etag;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What turns jobs on and off, one or all of a collection. */
class JobStatesApiTest extends WithCollection {
  @Test
  void aDisabledJobWaitsForNothing() {
    HttpResponse<String> answer = api.send("PUT", J, job().with("state", "Disabled").json());

    assertAnswer(201, "{\"id\":\"j\"," + ANSWERED_ACTION + ",\"state\":\"disabled\"}", answer);
    assertEquals(
        ":0",
        api.redis.ask(
            "EXISTS carillon:{0}:due carillon:{1}:due carillon:{2}:due carillon:{3}:due"));
  }

  @Test
  void enableAndDisableAreIdempotentAndCountFromNow() {
    api.send("PUT", J, DAILY);
    Instant later = ApiServer.START.plus(Duration.ofHours(5));

    HttpResponse<String> disabled = api.send("POST", J + "/disable", null);
    HttpResponse<String> disabledAgain = api.send("POST", J + "/disable", null);
    api.moveTo(later);
    HttpResponse<String> enabled = api.send("POST", J + "/enable", null);
    HttpResponse<String> enabledAgain = api.send("POST", J + "/enable", null);

    assertAnswer(200, "", disabled);
    assertEquals(etag(disabled), etag(disabledAgain));
    assertNotEquals(etag(disabled), etag(enabled));
    assertEquals(etag(enabled), etag(enabledAgain));
    assertTrue(api.send("GET", J, null).body().contains("\"nextExecutionTime\":\"" + later + "\""));
  }

  @Test
  void aJobWithoutOccurrencesLeftStaysDisabled() {
    api.send(
        "PUT",
        J,
        job()
            .startTime("2026-11-20T18:00:00Z")
            .with("state", "disabled")
            .recurrence("{\"frequency\":\"day\",\"endTime\":\"2026-11-21\"}")
            .json());
    api.moveTo(ApiServer.START.plus(Duration.ofDays(9)));

    assertError(
        409,
        "Conflict",
        "Job 'j' has no occurrence left; change its recurrence.",
        api.send("POST", J + "/enable", null));
  }

  @Test
  void aPatchedStateChangesTheState() {
    api.send("PUT", J, DAILY);

    HttpResponse<String> disabled = api.send("PATCH", J, "{\"state\":\"disabled\"}");
    HttpResponse<String> other = api.send("PATCH", J, "{\"recurrence\":{\"interval\":2}}");
    HttpResponse<String> enabled = api.send("PATCH", J, "{\"state\":\"Enabled\"}");

    assertTrue(disabled.body().contains("\"state\":\"disabled\""));
    assertTrue(other.body().contains("\"state\":\"disabled\""));
    assertTrue(enabled.body().contains("\"state\":\"enabled\",\"status\":{\"nextExecutionTime\""));
  }

  @Test
  void allJobsOfACollectionAreDisabledAndEnabledAtOnce() {
    IntStream.range(0, 250).forEach(i -> api.send("PUT", C + "/jobs/j" + i, DAILY));
    api.send("PUT", "/jobcollections/d", "{}");
    api.send("PUT", "/jobcollections/d/jobs/other", DAILY);

    HttpResponse<String> disabled = api.send("PATCH", C + "/jobs", "{\"state\":\"Disabled\"}");
    long stillEnabled = count(C + "/jobs?$filter=state%20eq%20enabled");
    long nowDisabled = count(C + "/jobs?$filter=state%20eq%20disabled");
    HttpResponse<String> enabled = api.send("PATCH", C + "/jobs?$top=1", "{\"state\":\"enabled\"}");

    assertEquals(100, ids(disabled).size());
    assertFalse(disabled.body().contains("\"state\":\"enabled\""), disabled.body());
    assertEquals(0, stillEnabled);
    assertEquals(250, nowDisabled);
    assertEquals(List.of("j0"), ids(enabled));
    assertTrue(
        enabled.body().contains("\"nextExecutionTime\":\"2026-11-20T18:00:00Z\""), enabled.body());
    assertEquals(250, count(C + "/jobs?$filter=state%20eq%20enabled"));
    assertEquals(1, count("/jobcollections/d/jobs?$filter=state%20eq%20enabled"));
  }

  @Test
  void whatCannotChangeItsStateIsLeftAloneWhereAllAreChanged() {
    String over =
        job()
            .with("state", "disabled")
            .startTime("2026-11-20T18:00:00Z")
            .recurrence("{\"frequency\":\"day\",\"endTime\":\"2026-11-21T00:00:00Z\"}")
            .json();
    api.send("PUT", J, over);
    api.send("PUT", C + "/jobs/k", job().with("state", "disabled").json());
    api.send("PUT", C + "/jobs/done", ONCE);
    finish("done");
    api.moveTo(Instant.parse("2026-11-22T00:00:00Z"));

    HttpResponse<String> answer = api.send("PATCH", C + "/jobs", "{\"state\":\"enabled\"}");

    assertEquals(200, answer.statusCode());
    assertEquals(1, count(C + "/jobs?$filter=state%20eq%20disabled"));
    assertEquals(1, count(C + "/jobs?$filter=state%20eq%20enabled"));
    assertTrue(api.send("GET", C + "/jobs/done", null).body().contains("\"completed\""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                  | state: is missing",
        "{\"state\":\"completed\"}            | state: 'completed' is set by the scheduler only; use enabled or disabled",
        "{\"state\":\"disabled\",\"action\":{}} | action: this property is not known here; check its spelling",
      })
  void allJobsCanOnlyBeGivenAState(String body, String message) {
    assertError(400, "BadRequest", message, api.send("PATCH", C + "/jobs", body));
    assertEquals(
        404, api.send("PATCH", "/jobcollections/x/jobs", "{\"state\":\"disabled\"}").statusCode());
  }

  @Test
  void aFinalJobOnlyLivesAgainByPut() {
    api.send("PUT", J, ONCE);
    finish("j");

    assertError(
        409,
        "Conflict",
        "Job 'j' is completed and cannot be changed; PUT it again.",
        api.send("PATCH", J, "{}"));
    assertEquals(409, api.send("POST", J + "/enable", null).statusCode());
    assertEquals(409, api.send("POST", J + "/run", null).statusCode());
    assertEquals(200, api.send("PUT", J, ONCE).statusCode());
    assertEquals(200, api.send("PATCH", J, "{}").statusCode());
  }

  /** Follows the list to its end. */
  private long count(String path) {
    HttpResponse<String> page = api.send("GET", path, null);
    long found = ids(page).size();
    return page.body().endsWith("\"nextLink\":null}") ? found : found + count(nextLink(page));
  }

  /** As the dispatcher leaves an enabled job of the collection c behind. */
  private void finish(String job) {
    for (int partition = 0; partition < 4; partition++) {
      String slot = "carillon:{" + partition + "}:";
      String key = slot + "job:default/default/c/" + job;
      if (api.redis.ask("EXISTS " + key).equals(":1")) {
        api.redis.ask("HSET " + key + " state completed");
        api.redis.ask("ZREM " + slot + "jobs:default/default/c enabled/" + job);
        api.redis.ask("ZADD " + slot + "jobs:default/default/c 0 completed/" + job);
      }
    }
  }
}
