package carillon.json.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.name.JobException;
import carillon.json.text.SubmissionLimits;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests of previews that show calls with the values of their placeholders. */
class PreviewOfCallsTest {
  private static final Instant NOW = Instant.parse("2026-11-24T08:00:30Z");
  private static final SubmissionLimits LIMITS =
      SubmissionLimits.documented(Duration.ofSeconds(1), Duration.ofHours(1));

  private static JsonObject preview(JsonObject request) {
    JsonObject document =
        new JsonObject()
            .put("recurrence", new JsonObject().put("cron", "0 9 * * *"))
            .put("timeZone", "Europe/Berlin")
            .put("job", "orders/nightly")
            .put("top", 12)
            .put("action", new JsonObject().put("request", request));
    return new JsonObject(
        new String(new Preview(LIMITS).answer(document.encode().getBytes(UTF_8), NOW), UTF_8));
  }

  private static JsonObject request() {
    return new JsonObject()
        .put("uri", "http://h/{{job}}/{{scheduledAt:yyyy-MM-dd}}?sig=geheim")
        .put("body", "{{lastSuccessAt:dd}} {{executionId}} {{attempt}}");
  }

  @Test
  void showsTheFirstCallsWithTheirValues() {
    JsonArray calls = preview(request().put("placeholders", true)).getJsonArray("calls");

    assertEquals(10, calls.size());
    JsonObject second = calls.getJsonObject(1);
    assertEquals("2026-11-25T08:00:00Z", calls.getJsonObject(0).getString("scheduledAt"));
    assertEquals(
        "http://h/nightly/2026-11-26?sig=***", second.getJsonObject("request").getString("uri"));
    assertEquals(
        "25 {{executionId}} 1",
        second.getJsonObject("request").getString("body"),
        "an id is not known before; the call before is taken to succeed");
  }

  @Test
  void showsNoCallsWithoutPlaceholders() {
    assertFalse(
        preview(new JsonObject().put("uri", "http://h/")).containsKey("calls"),
        "all calls are as the action says");
  }

  @Test
  void refusesWhatASubmissionRefuses() {
    JsonObject request = request().put("placeholders", true).put("body", "{{today}}");

    JobException refusal = assertThrows(JobException.class, () -> preview(request));

    assertTrue(
        refusal.getMessage().startsWith("action.request.body: {{today}} is no placeholder"),
        refusal::getMessage);
  }
}
