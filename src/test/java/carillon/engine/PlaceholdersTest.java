package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import carillon.support.CallbackServer.Call;
import carillon.support.JobJson;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of calls whose texts have placeholders. */
class PlaceholdersTest extends EngineFixture {
  private static final String HOURLY = "2026-11-20T12:01:00Z";

  private JobJson filled(String path) {
    return JobJson.post(target.url(path)).request("placeholders", true).startTime(HOURLY);
  }

  private Call only() {
    List<Call> calls = target.calls();
    assertEquals(1, calls.size());
    return calls.get(0);
  }

  @Test
  void everyTextOfTheRequestGetsItsValues() {
    engine.put(
        "j",
        filled("/reports/{{scheduledAt-P1D:yyyy-MM-dd}}?at={{scheduledAt}}&job={{job}}")
            .request(
                "headers",
                new JsonObject()
                    .put("Content-Type", "application/json")
                    .put("X-Run", "{{executionId}} {{attempt}}"))
            .body("{\"day\":\"{{scheduledAt:EEEE}}\",\"n\":{{occurrence}}}")
            .json());

    engine.stepTo(at("12:01:00"));

    Call call = only();
    assertEquals("/reports/2026-11-19?at=2026-11-20T12%3A01%3A00Z&job=j", call.path());
    assertEquals("{\"day\":\"Friday\",\"n\":1}", call.body());
    assertEquals(call.headers().get("Carillon-Execution-Id") + " 1", call.headers().get("X-Run"));
  }

  @Test
  void withoutTheSwitchNothingIsReplaced() {
    engine.put("j", job(HOURLY).body("{{scheduledAt}} {{unknown}} {{").json());

    engine.stepTo(at("12:01:00"));

    assertEquals("{{scheduledAt}} {{unknown}} {{", only().body());
  }

  @Test
  void aRetryDiffersOnlyInItsNumber() {
    target.answer(500);
    engine.put(
        "j",
        filled("/call")
            .body("{{scheduledAt}} {{executionId}} {{lastSuccessAt}}|{{attempt}}")
            .fixedRetry("PT30S", 1)
            .json());

    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:01:30"));

    String first = target.calls().get(0).body();
    assertEquals(first.replace("|1", "|2"), target.calls().get(1).body());
    assertNotEquals(first, target.calls().get(1).body());
  }

  @Test
  void aRetryKeepsItsValuesWhenAnotherExecutionSucceedsMeanwhile() {
    engine.put(
        "j",
        filled("/call")
            .body("{{scheduledAt:HH:mm}} {{lastSuccessAt:HH:mm}}")
            .fixedRetry("PT90S", 1)
            .every("minute")
            .json());

    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:02:00"));
    target.answer(500);
    engine.stepTo(at("12:03:00"));
    target.answer(200);
    engine.stepTo(at("12:04:00"));
    engine.stepTo(at("12:04:30"));

    assertEquals(
        List.of("12:01 ", "12:02 12:01", "12:03 12:02", "12:04 12:02", "12:03 12:02"),
        target.calls().stream().map(Call::body).toList());
  }

  @Test
  void aCallKnowsTheLastOccurrenceThatSucceeded() {
    engine.put("j", filled("/call").body("{{lastSuccessAt}}").noRetry().every("hour").json());

    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("13:01:00"));
    target.answer(500);
    engine.stepTo(at("14:01:00"));
    engine.stepTo(at("15:01:00"));

    assertEquals(
        List.of("", "2026-11-20T12:01:00Z", "2026-11-20T13:01:00Z", "2026-11-20T13:01:00Z"),
        target.calls().stream().map(Call::body).toList());
  }

  @Test
  void aSuccessThatIsFarBackIsFound() {
    engine.put("j", filled("/call").body("{{lastSuccessAt}}").noRetry().every("minute").json());
    engine.stepTo(at("12:01:00"));
    target.answer(500);

    for (int minute = 2; minute <= 30; minute++) {
      engine.stepTo(NOON.plusSeconds(60L * minute));
    }

    List<Call> calls = target.calls();
    assertEquals("2026-11-20T12:01:00Z", calls.get(calls.size() - 1).body());
  }

  @Test
  void theErrorActionHasValuesOfItsOwn() {
    target.answer(500);
    JobJson error = JobJson.post(target.url("/error/{{job}}")).request("placeholders", true);
    engine.put("j", job(HOURLY).body("{{job}}").noRetry().errorAction(error).json());

    engine.stepTo(at("12:01:00"));

    assertEquals("{{job}}", target.calls("/call").get(0).body());
    assertEquals(1, target.calls("/error/j").size());
  }

  @Test
  void theTimeZoneOfTheJobCounts() {
    engine.put(
        "j",
        filled("/call")
            .body("{{scheduledAt:yyyy-MM-dd HH:mm}}")
            .with("timeZone", "Asia/Tokyo")
            .json());

    engine.stepTo(at("12:01:00"));

    assertEquals("2026-11-20 21:01", only().body());
  }
}
