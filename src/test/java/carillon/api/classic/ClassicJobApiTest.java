package carillon.api.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs and histories in the classic dialect. */
class ClassicJobApiTest extends WithCloudService {
  @Test
  void aJobIsPutReadPatchedAndDeleted() {
    HttpResponse<String> created = send("PUT", JOBS + "/j" + VERSION, JOB);
    HttpResponse<String> replaced = send("PUT", JOBS + "/j" + VERSION, JOB);
    HttpResponse<String> posted = send("POST", JOBS + VERSION, JOB);
    HttpResponse<String> patched =
        send("PATCH", JOBS + "/j" + VERSION, "{\"state\":\"Disabled\",\"stateDetails\":\"tired\"}");
    HttpResponse<String> read = send("GET", JOBS + "/j" + VERSION, null);
    HttpResponse<String> deleted = send("DELETE", JOBS + "/j" + VERSION, null);

    assertEquals(
        "{\"id\":\"j\",\"action\":{\"request\":{\"uri\":\"http:\\/\\/127.0.0.1:9\\/a\",\"method\":\"GET\"},"
            + "\"type\":\"http\"},\"recurrence\":{\"frequency\":\"day\",\"interval\":1},"
            + "\"state\":\"enabled\",\"status\":{\"nextExecutionTime\":\"2026-11-20T18:00:00Z\","
            + "\"executionCount\":0,\"failureCount\":0,\"faultedCount\":0}}",
        created.body());
    assertEquals(201, created.statusCode());
    assertEquals("application/json; charset=utf-8", header(created, "Content-Type"));
    assertEquals(200, replaced.statusCode());
    assertEquals(201, posted.statusCode());
    assertTrue(patched.body().endsWith("\"state\":\"disabled\"}"), patched.body());
    assertEquals(patched.body(), read.body());
    assertEquals(200, deleted.statusCode());
    assertEquals("", deleted.body());
    assertJsonError(404, "NotFound", "Job 'j' cannot be found.", send("DELETE", JOBS + "/j", null));
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
    send("PUT", JOBS + "/j", JOB);

    assertJsonError(400, "BadRequest", message, send("PATCH", JOBS + "/j", body));
    assertEquals(200, send("PATCH", JOBS + "/j", "{\"id\":\"J\"}").statusCode());
  }

  @Test
  void listsAreBareArraysPagedBySkip() {
    IntStream.range(0, 5).forEach(i -> send("PUT", JOBS + "/j" + i, JOB));
    send("PATCH", JOBS + "/j3", "{\"state\":\"disabled\"}");

    String page = send("GET", JOBS + "?$skip=1&$top=2", null).body();
    String disabled = send("GET", JOBS + VERSION + "&$filter=state%20eq%20Disabled", null).body();

    assertTrue(page.startsWith("[{\"id\":\"j1\","), page);
    assertTrue(page.contains(",{\"id\":\"j2\","), page);
    assertFalse(page.contains("j3"), page);
    assertTrue(disabled.startsWith("[{\"id\":\"j3\"") && disabled.endsWith("}]"), disabled);
  }

  @Test
  void allJobsOfACollectionAreDisabledAndDeletedAtOnce() {
    send("PUT", C, "<Resource><ETag/><IntrinsicSettings/></Resource>", "If-Match", "*");
    IntStream.range(0, 120).forEach(i -> send("PUT", JOBS + "/j" + i, JOB));

    HttpResponse<String> disabled = send("PATCH", JOBS, "{\"state\":\"Disabled\"}");
    String enabled = send("GET", JOBS + "?$filter=state%20eq%20Enabled", null).body();
    HttpResponse<String> deleted = send("DELETE", JOBS + VERSION, null);

    assertEquals(200, disabled.statusCode());
    assertTrue(disabled.body().startsWith("[{\"id\":\"j0\""), disabled.body());
    assertEquals("[]", enabled);
    assertEquals(200, deleted.statusCode());
    assertEquals("[]", send("GET", JOBS, null).body());
    assertEquals(200, send("GET", TILDE, null).statusCode());
  }

  @Test
  void theHistoryIsChosenByStatusOrByTheStateOfTheJob() {
    send("PUT", JOBS + "/j", JOB);
    for (int partition = 0; partition < 4; partition++) {
      if (api.redis.ask("EXISTS carillon:{" + partition + "}:job:s1/cs1/c1/j").equals(":1")) {
        String key = "carillon:{" + partition + "}:history:s1/cs1/c1/j";
        api.redis.ask("LPUSH " + key + " '" + entry("failed", 1) + "'");
        api.redis.ask("LPUSH " + key + " '" + entry("completed", 2) + "'");
      }
    }
    String history = JOBS + "/j/history" + VERSION;

    assertTrue(send("GET", history, null).body().startsWith("[{\"jobId\":\"j\""));
    assertEquals(2, entries(history));
    assertEquals(1, entries(history + "&$filter=status%20eq%20Failed"));
    assertEquals(1, entries(history + "&$skip=1&$top=5"));
    assertEquals(2, entries(history + "&$filter=state%20eq%20enabled"));
    assertEquals(0, entries(history + "&$filter=state%20eq%20faulted"));
    HttpResponse<String> other = send("GET", history + "&$filter=stateful%20eq%20x", null);
    assertEquals(400, other.statusCode());
    assertTrue(
        other.body().contains("$filter: 'stateful eq x' must be of the form: status eq X"),
        other.body());
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
    return Arrays.stream(send("GET", path, null).body().split("jobId", -1)).count() - 1;
  }

  @Test
  void aJobCannotBeLargerThanDocumented() {
    String large =
        JOB.replace(
            "\"method\":\"GET\"", "\"method\":\"PUT\",\"body\":\"" + "b".repeat(9000) + "\"");

    assertJsonError(
        400,
        "BadRequest",
        "action.request.body: 9000 bytes are more than the 8192 allowed",
        send("PUT", JOBS + "/j", large));
  }
}
