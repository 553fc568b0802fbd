package carillon.api.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.Answer;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of jobs and histories in the classic dialect. */
class ClassicJobApiTest extends WithCloudService {
  @Test
  void aJobIsPutReadPatchedAndDeleted() {
    Answer created = classic.put(JOBS + "/j" + VERSION, JOB);
    Answer replaced = classic.put(JOBS + "/j" + VERSION, JOB);
    Answer posted = classic.post(JOBS + VERSION, JOB);
    Answer patched =
        classic.patch(JOBS + "/j" + VERSION, "{`state`:`Disabled`,`stateDetails`:`tired`}");
    Answer read = classic.get(JOBS + "/j" + VERSION);
    Answer deleted = classic.delete(JOBS + "/j" + VERSION);

    created.assertIs(
        201,
        "{\"id\":\"j\",\"action\":{\"request\":{\"uri\":\"http:\\/\\/127.0.0.1:9\\/a\",\"method\":\"GET\"},"
            + "`type`:`http`},`recurrence`:{`frequency`:`day`,`interval`:1},"
            + "`state`:`enabled`,`status`:{`nextExecutionTime`:`2026-11-20T18:00:00Z`,"
            + "`executionCount`:0,`failureCount`:0,`faultedCount`:0}}");
    assertEquals("application/json; charset=utf-8", created.header("Content-Type"));
    replaced.assertStatus(200);
    posted.assertStatus(201);
    patched.assertEndsWith("`state`:`disabled`}");
    assertEquals(patched.body(), read.body());
    deleted.assertIs(200, "");
    classic.delete(JOBS + "/j").assertError(404, "NotFound", "Job 'j' cannot be found.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"status\":{}}            | status: is set by the scheduler only; leave it out",
        "{\"id\":\"other\"}         | id: 'other' must be the id in the path, or be left out",
        "{\"state\":\"completed\"}  | state: 'completed' is set by the scheduler only; use enabled or disabled"
      })
  void aPatchOfStatusOrIdIsRefused(String body, String message) {
    classic.put(JOBS + "/j", JOB);

    classic.patch(JOBS + "/j", body).assertError(400, "BadRequest", message);
    classic.patch(JOBS + "/j", "{`id`:`J`}").assertStatus(200);
  }

  @Test
  void listsAreBareArraysPagedBySkip() {
    IntStream.range(0, 5).forEach(i -> classic.put(JOBS + "/j" + i, JOB));
    classic.patch(JOBS + "/j3", "{`state`:`disabled`}");

    String page = classic.get(JOBS + "?$skip=1&$top=2").body();
    String disabled = classic.get(JOBS + VERSION + "&$filter=state%20eq%20Disabled").body();

    assertTrue(page.startsWith("[{\"id\":\"j1\","), page);
    assertTrue(page.contains(",{\"id\":\"j2\","), page);
    assertFalse(page.contains("j3"), page);
    assertTrue(disabled.startsWith("[{\"id\":\"j3\"") && disabled.endsWith("}]"), disabled);
  }

  @Test
  void allJobsOfACollectionAreDisabledAndDeletedAtOnce() {
    classic.put(C, "<Resource><ETag/><IntrinsicSettings/></Resource>", "If-Match", "*");
    IntStream.range(0, 120).forEach(i -> classic.put(JOBS + "/j" + i, JOB));

    Answer disabled = classic.patch(JOBS, "{`state`:`Disabled`}");
    String enabled = classic.get(JOBS + "?$filter=state%20eq%20Enabled").body();
    Answer deleted = classic.delete(JOBS + VERSION);

    disabled.assertStatus(200).assertStartsWith("[{`id`:`j0`");
    assertEquals("[]", enabled);
    deleted.assertStatus(200);
    assertEquals("[]", classic.get(JOBS).body());
    classic.get(TILDE).assertStatus(200);
  }

  @Test
  void theHistoryIsChosenByStatusOrByTheStateOfTheJob() {
    classic.put(JOBS + "/j", JOB);
    for (int partition = 0; partition < 4; partition++) {
      String job = "carillon:{" + partition + "}:job:s1/cs1/c1/j";
      if (api.redis.ask("EXISTS " + job).equals(":1")) {
        String older = entry("failed", 1);
        api.redis.ask("LPUSH carillon:{" + partition + "}:history:s1/cs1/c1/j '" + older + "'");
        api.redis.ask("HSET " + job + " historyBytes " + older.length());
        api.redis.ask("HSET " + job + " latest '" + entry("completed", 2) + "'");
      }
    }
    String history = JOBS + "/j/history" + VERSION;

    classic.get(history).assertStartsWith("[{`jobId`:`j`");
    assertEquals(2, entries(history));
    assertEquals(1, entries(history + "&$filter=status%20eq%20Failed"));
    assertEquals(1, entries(history + "&$skip=1&$top=5"));
    assertEquals(2, entries(history + "&$filter=state%20eq%20enabled"));
    assertEquals(0, entries(history + "&$filter=state%20eq%20faulted"));
    Answer other = classic.get(history + "&$filter=stateful%20eq%20x").assertStatus(400);
    other.assertContains("$filter: 'stateful eq x' must be of the form: status eq X");
  }

  private static String entry(String status, int occurrence) {
    return "{\"end\":\"2026-11-20T18:00:00.000Z\",\"start\":\"2026-11-20T18:00:00Z\","
        + "\"due\":\"2026-11-20T18:00:00Z\",\"status\":\""
        + status
        + "\",\"action\":\"main\",\"occurrence\":"
        + occurrence
        + ",\"retry\":0,\"execution\":\"e\",\"message\":\"m\"}";
  }

  private long entries(String path) {
    return Arrays.stream(classic.get(path).body().split("jobId", -1)).count() - 1;
  }

  @Test
  void aJobCannotBeLargerThanDocumented() {
    String large =
        JOB.replace(
            "\"method\":\"GET\"", "\"method\":\"PUT\",\"body\":\"" + "b".repeat(9000) + "\"");

    classic
        .put(JOBS + "/j", large)
        .assertError(
            400, "BadRequest", "action.request.body: 9000 bytes are more than the 8192 allowed");
  }

  @Test
  void tooManyJobsAreNotDeletedOneByOne() {
    classic.put(JOBS + "/a", JOB);
    String key = "s1/cs1/c1";
    for (int partition = 0; partition < 4; partition++) {
      api.redis.eval(
          ("for i = 1, 2501 do redis.call('ZADD', 'carillon:{%1$d}:jobs:%2$s', 0,"
                  + " 'enabled/x' .. i .. '-%1$d') end return 'OK'")
              .formatted(partition, key));
    }

    classic.delete(JOBS + VERSION).assertStatus(413).assertContains("a request changes 10,000");

    classic.get(JOBS + "/a").assertStatus(200);
  }
}
