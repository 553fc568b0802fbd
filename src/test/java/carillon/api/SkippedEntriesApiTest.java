package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import carillon.support.JobJson;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test that entries for skipped occurrences have fields with the number of occurrences. */
class SkippedEntriesApiTest extends WithEngine {
  /** Returns a job that runs every minute from 12:01 on. */
  private static JobJson everyMinute() {
    return job().startTime(at("12:01:00")).recurrence("{`frequency`:`minute`}");
  }

  private List<JsonObject> entries() {
    return api.get(J + "/history").json().getJsonArray("value").stream()
        .map(JsonObject.class::cast)
        .toList();
  }

  private JsonObject only(String reason) {
    List<JsonObject> found =
        entries().stream().filter(entry -> reason.equals(entry.getString("reason"))).toList();
    assertEquals(1, found.size());
    return found.get(0);
  }

  private static void assertSpan(int count, String from, String to, JsonObject entry) {
    assertEquals(
        List.of(count, at(from).toString(), at(to).toString()),
        List.of(entry.getInteger("count"), entry.getString("from"), entry.getString("to")));
    assertEquals(entry.getString("from"), entry.getString("expectedExecutionTime"));
  }

  @Test
  void missedOccurrencesAreCounted() {
    api.put(J, everyMinute().json());

    engine.stepTo(at("12:10:30"));

    assertSpan(9, "12:01:00", "12:09:00", only("missed"));
    JsonObject called = entries().get(0);
    for (String field : List.of("count", "from", "to")) {
      assertNull(called.getValue(field), field);
    }
  }

  @ParameterizedTest
  @CsvSource({"12:10:30, 10, 12:10:00", "12:01:30, 1, 12:01:00"})
  void whatAChangeDropsIsCounted(String now, int count, String to) {
    api.put(J, everyMinute().json());

    api.moveTo(at(now));
    api.post(J + "/disable").assertStatus(200);

    assertSpan(count, "12:01:00", to, only("changed"));
  }

  @Test
  void whatWaitsForItsRetryWhenItsJobIsChangedIsOne() {
    target.answer(500);
    api.put(
        J,
        job()
            .retryPolicy("{`retryType`:`fixed`,`retryInterval`:`PT1H`,`retryCount`:1}")
            .startTime(at("12:01:00"))
            .recurrence("{`frequency`:`day`}")
            .json());
    engine.stepTo(at("12:01:00"));

    api.moveTo(at("12:02:00"));
    api.patch(J, "{`startTime`:`2026-11-25T00:00:00Z`}").assertStatus(200);
    engine.stepTo(at("13:02:00"));

    assertSpan(1, "12:01:00", "12:01:00", only("changed"));
  }

  @Test
  void oneThatExpiresIsOne() {
    api.put(J, everyMinute().with("startWithin", "PT10S").json());

    engine.stepTo(at("12:03:30"));

    assertSpan(1, "12:03:00", "12:03:00", only("expired"));
    assertSpan(2, "12:01:00", "12:02:00", only("missed"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        J + "/history",
        "/subscriptions/default/resourceGroups/default/providers/Microsoft.Scheduler"
            + "/jobCollections/default/jobs/j/history?api-version=2016-03-01",
        "/default/cloudservices/default/resources/scheduler/~/jobcollections/default/jobs/j"
            + "/history"
      })
  void eachDialectHasTheSameFields(String history) {
    api.put(J, everyMinute().json());
    engine.stepTo(at("12:10:30"));

    api.get(history, "x-ms-version", "2013-03-01")
        .assertStatus(200)
        .assertContains("`count`:9,`from`:`2026-11-20T12:01:00Z`,`to`:`2026-11-20T12:09:00Z`");
  }
}
