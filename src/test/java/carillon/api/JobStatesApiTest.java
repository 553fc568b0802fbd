package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of enabling and disabling jobs, one by one or with their collection. */
class JobStatesApiTest extends WithCollection {
  @Test
  void aDisabledJobWaitsForNothing() {
    Answer answer = api.put(J, job().with("state", "Disabled").json());

    answer.assertIs(
        201,
        "{`id`:`j`,"
            + ANSWERED_ACTION
            + ",`state`:`disabled`,`status`:{`createdTime`:`2026-11-20T18:00:00Z`,"
            + "`executionCount`:0,`failureCount`:0,`faultedCount`:0}}");
    assertEquals(
        ":0",
        api.redis.ask(
            "EXISTS carillon:{0}:due carillon:{1}:due carillon:{2}:due carillon:{3}:due"));
  }

  @Test
  void enableAndDisableAreIdempotentAndCountFromNow() {
    api.put(J, DAILY);
    Instant later = ApiServer.START.plus(Duration.ofHours(5));

    Answer disabled = api.post(J + "/disable");
    Answer disabledAgain = api.post(J + "/disable");
    api.moveTo(later);
    Answer enabled = api.post(J + "/enable");
    Answer enabledAgain = api.post(J + "/enable");

    disabled.assertIs(200, "");
    assertEquals(disabled.etag(), disabledAgain.etag());
    assertNotEquals(disabled.etag(), enabled.etag());
    assertEquals(enabled.etag(), enabledAgain.etag());
    api.get(J).assertContains("`nextExecutionTime`:`" + later + "`");
  }

  @Test
  void aJobWithoutOccurrencesLeftStaysDisabled() {
    api.put(
        J,
        job()
            .startTime("2026-11-20T18:00:00Z")
            .with("state", "disabled")
            .recurrence("{`frequency`:`day`,`endTime`:`2026-11-21`}")
            .json());
    api.moveTo(ApiServer.START.plus(Duration.ofDays(9)));

    api.post(J + "/enable")
        .assertError(409, "Conflict", "Job 'j' has no occurrence left; change its recurrence.");
  }

  /** Properties that the new type does not have would be refused. */
  @Test
  void aPatchedTypeOfRetriesLeavesOutWhatBelongsToTheOther() {
    api.put(
        J,
        job()
            .startTime("2030-01-01")
            .retryPolicy("{`retryCount`:7,`retryFactor`:3,`retryMaxDuration`:`1h`}")
            .json());

    api.patch(J, "{`action`:{`retryPolicy`:{`retryType`:`fixed`}}}").assertStatus(200);
    assertEquals("fixed", retryPolicy().getString("retryType"));
    assertEquals(7, retryPolicy().getInteger("retryCount"));
    api.patch(J, "{`action`:{`retryPolicy`:{`retryType`:`none`}}}").assertStatus(200);
    assertEquals(Set.of("retryType"), retryPolicy().fieldNames());
  }

  private JsonObject retryPolicy() {
    return api.get(J).json().getJsonObject("action").getJsonObject("retryPolicy");
  }

  @Test
  void aPatchedStateChangesTheState() {
    api.put(J, DAILY);

    Answer disabled = api.patch(J, "{`state`:`disabled`}");
    Answer other = api.patch(J, "{`recurrence`:{`interval`:2}}");
    Answer enabled = api.patch(J, "{`state`:`Enabled`}");

    disabled.assertContains("`state`:`disabled`");
    other.assertContains("`state`:`disabled`");
    enabled.assertContains("`state`:`enabled`,`status`:{");
    enabled.assertContains("`nextExecutionTime`");
  }

  @Test
  void allJobsOfACollectionAreDisabledAndEnabledAtOnce() {
    IntStream.range(0, 250).forEach(i -> api.put(C + "/jobs/j" + i, DAILY));
    api.put("/jobcollections/d", "{}");
    api.put("/jobcollections/d/jobs/other", DAILY);

    Answer disabled = api.patch(C + "/jobs", "{`state`:`Disabled`}");
    long stillEnabled = count(C + "/jobs?$filter=state%20eq%20enabled");
    long nowDisabled = count(C + "/jobs?$filter=state%20eq%20disabled");
    Answer enabled = api.patch(C + "/jobs?$top=1", "{`state`:`enabled`}");

    assertEquals(100, ids(disabled).size());
    disabled.assertLacks("`state`:`enabled`");
    assertEquals(0, stillEnabled);
    assertEquals(250, nowDisabled);
    assertEquals(List.of("j0"), ids(enabled));
    enabled.assertContains("`nextExecutionTime`:`2026-11-20T18:00:00Z`");
    assertEquals(250, count(C + "/jobs?$filter=state%20eq%20enabled"));
    assertEquals(1, count("/jobcollections/d/jobs?$filter=state%20eq%20enabled"));
  }

  /** Writes 10,004 names into the index of a state, beside one existing job. */
  private void crowd(String collection, String state) {
    for (int partition = 0; partition < 4; partition++) {
      api.redis.eval(
          ("for i = 1, 2501 do redis.call('ZADD', 'carillon:{%1$d}:jobs:%2$s', 0,"
                  + " '%3$s/x' .. i .. '-%1$d') end return 'OK'")
              .formatted(partition, collection, state));
    }
  }

  @Test
  void whatWouldChangeTooManyJobsIsRefusedBeforeAnythingIsChanged() {
    String labelled =
        job().every("day").with("labels", new JsonObject().put("team", "billing")).json();
    api.put(C + "/jobs/a", labelled);
    crowd("default/default/c", "enabled");
    crowd("default/default/c", "faulted");

    for (Answer refused :
        List.of(
            api.patch(C + "/jobs", "{`state`:`disabled`}"),
            api.patch(arm("c") + "/jobs" + VERSION, "{`properties`:{`state`:`disabled`}}"),
            api.post(C + "/retry"))) {
      refused
          .assertStatus(413)
          .assertContains("`code`:`TooManyJobs`")
          .assertContains("a request changes 10,000 at most; nothing is changed");
    }

    api.get(C + "/jobs/a").assertContains("`state`:`enabled`");
    api.patch(C + "/jobs", "{`state`:`enabled`}").assertStatus(200);
    api.patch(C + "/jobs?$filter=labels/team%20eq%20billing", "{`state`:`disabled`}")
        .assertStatus(200);
    api.get(C + "/jobs/a").assertContains("`state`:`disabled`");
  }

  private static String arm(String collection) {
    return "/subscriptions/default/resourceGroups/default/providers/Microsoft.Scheduler"
        + "/jobCollections/"
        + collection;
  }

  @Test
  void whatCannotChangeItsStateIsLeftAloneWhereAllAreChanged() {
    String over =
        job()
            .with("state", "disabled")
            .startTime("2026-11-20T18:00:00Z")
            .recurrence("{`frequency`:`day`,`endTime`:`2026-11-21T00:00:00Z`}")
            .json();
    api.put(J, over);
    api.put(C + "/jobs/k", job().with("state", "disabled").json());
    api.put(C + "/jobs/done", ONCE);
    finish("done");
    api.moveTo(Instant.parse("2026-11-22T00:00:00Z"));

    api.patch(C + "/jobs", "{`state`:`enabled`}").assertStatus(200);
    assertEquals(1, count(C + "/jobs?$filter=state%20eq%20disabled"));
    assertEquals(1, count(C + "/jobs?$filter=state%20eq%20enabled"));
    api.get(C + "/jobs/done").assertContains("`completed`");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                  | state: is missing",
        "{\"state\":\"completed\"}            | state: 'completed' is set by the scheduler only; use enabled or disabled",
        "{\"state\":\"disabled\",\"action\":{}} | action: this property is not known here; known are state",
      })
  void allJobsCanOnlyBeGivenAState(String body, String message) {
    api.patch(C + "/jobs", body).assertError(400, "BadRequest", message);
    api.patch("/jobcollections/x/jobs", "{`state`:`disabled`}").assertStatus(404);
  }

  @Test
  void aFinalJobOnlyLivesAgainByPut() {
    api.put(J, ONCE);
    finish("j");

    api.patch(J, "{}")
        .assertError(
            409,
            "Conflict",
            "Job 'j' is completed and cannot be changed; retry it, or PUT it again.");
    api.post(J + "/enable").assertStatus(409);
    api.post(J + "/run").assertStatus(409);
    api.put(J, ONCE).assertStatus(200);
    api.patch(J, "{}").assertStatus(200);
  }

  @Test
  void aFinishedJobIsRetriedAndNoOther() {
    api.put(J, ONCE);
    api.post(J + "/retry").assertStatus(409);
    finish("j");
    String tag = api.get(J).etag();

    api.send("POST", J + "/retry", "", "If-Match", "\"0\"").assertStatus(412);
    api.send("POST", J + "/retry", "", "If-Match", tag).assertStatus(202);

    api.get(J).assertContains("`state`:`enabled`");
    api.post(J + "/retry").assertStatus(409);
  }

  @Test
  void finishedJobsOfACollectionAreRetriedByTheirState() {
    api.put(C + "/jobs/a", ONCE);
    api.put(C + "/jobs/b", ONCE);
    api.put(J, ONCE);
    finish("a");
    finish("b");

    api.post(C + "/retry").assertContains("`retried`:0");
    api.post(C + "/retry?$filter=state%20eq%20enabled").assertStatus(400);
    api.post(C + "/retry?$filter=state%20eq%20completed").assertContains("`retried`:2");
    assertEquals(3, count(C + "/jobs?$filter=state%20eq%20enabled"));
  }

  @Test
  void finishedJobsAreRetriedByTheirLabels() {
    String billing = job().with("labels", new JsonObject().put("team", "billing")).json();
    api.put(C + "/jobs/a", billing);
    api.put(C + "/jobs/b", ONCE);
    finish("a");
    finish("b");
    String filter = "?$filter=state%20eq%20completed%20and%20labels/team%20eq%20";

    api.post(C + "/retry" + filter + "sales").assertContains("`retried`:0");
    api.post(C + "/retry" + filter + "billing").assertContains("`retried`:1");

    api.get(C + "/jobs/a").assertContains("`state`:`enabled`");
    api.get(C + "/jobs/b").assertContains("`state`:`completed`");
  }

  @Test
  void whatGetAnswersOfAFinishedJobCanBePutBack() {
    api.put(J, ONCE);
    finish("j");

    api.put(J, api.get(J).body()).assertStatus(200);

    api.get(J).assertContains("`state`:`enabled`");
  }

  /** Counts the jobs of a list over all pages. */
  private long count(String path) {
    Answer page = api.get(path);
    long found = ids(page).size();
    return page.body().endsWith("\"nextLink\":null}") ? found : found + count(nextLink(page));
  }

  /** Completes a job of the collection c as the dispatcher does. */
  private void finish(String job) {
    String jobs = key("job", job).replaceAll("job:(.*)/.*", "jobs:$1");
    api.redis.ask("HSET " + key("job", job) + " state completed");
    api.redis.ask("ZREM " + jobs + " enabled/" + job);
    api.redis.ask("ZADD " + jobs + " 0 completed/" + job);
  }
}
