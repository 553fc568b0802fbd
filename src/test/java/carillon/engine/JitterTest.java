package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.fsck.Fsck;
import carillon.job.name.JobState;
import carillon.support.Engine;
import carillon.support.JobJson;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of jobs that are due later than at their instants, because of their jitter. */
class JitterTest extends EngineFixture {
  private JobJson minutely(Object jitter) {
    return job("2026-11-20T12:01:00Z").recurrence("{`frequency`:`minute`}").with("jitter", jitter);
  }

  private static JsonObject perJob(String upTo) {
    return new JsonObject().put("upTo", upTo).put("per", "job");
  }

  /** Returns the instant at which the next occurrence of a job is claimed. */
  private Instant due(String job) {
    String key = Engine.name(job).key();
    String due = "carillon:{" + Engine.KEYS.partition(key) + "}:due";
    return Instant.ofEpochMilli(engine.redis(Command.ZSCORE, due, "job:" + key).toLong());
  }

  private Duration delay(String job) {
    return Duration.between(engine.get(job).next().orElseThrow(), due(job));
  }

  private List<String> nominals() {
    return target.calls().stream()
        .map(call -> call.headers().get("Carillon-Scheduled-At"))
        .toList();
  }

  @Test
  void anOccurrenceIsCalledAtItsPlannedInstantAndNotBefore() {
    engine.put("j", minutely("PT50S").json());
    Instant due = due("j");
    assertTrue(due.isAfter(at("12:01:00")) && due.isBefore(at("12:01:50")), due.toString());

    engine.stepTo(due.minusMillis(1));
    assertEquals(List.of(), nominals());
    engine.stepTo(due);

    assertEquals(List.of("2026-11-20T12:01:00Z"), nominals());
    assertEquals(Optional.of(at("12:02:00")), engine.get("j").next());
    assertEquals(0, engine.get("j").counters().skipped());
  }

  @Test
  void eachOccurrenceHasADelayOfItsOwnOrAllHaveThatOfTheJob() {
    engine.put("each", minutely("PT50S").json());
    engine.put("all", minutely(perJob("PT50S")).json());
    engine.put("other", minutely(perJob("PT50S")).json());
    Duration each = delay("each");
    Duration all = delay("all");
    assertNotEquals(all, delay("other"));

    engine.stepTo(at("12:01:59"));

    assertNotEquals(each, delay("each"));
    assertEquals(all, delay("all"));
  }

  @Test
  void jobsOfOneInstantAreSpread() {
    List<Duration> delays = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      engine.put("j" + i, job("2026-11-20T12:10:00Z").with("jitter", "PT10M").json());
      delays.add(delay("j" + i));
    }

    for (int minute = 0; minute < 10; minute += 2) {
      int from = minute;
      long within =
          delays.stream().filter(d -> d.toMinutes() >= from && d.toMinutes() < from + 2).count();
      assertTrue(within >= 8 && within <= 35, delays.toString());
    }
  }

  @Test
  void aOneTimeJobIsPutOff() {
    engine.put("j", job("2026-11-20T12:05:00Z").with("jitter", "PT10M").json());
    Instant due = due("j");

    engine.stepTo(due.minusMillis(1));
    assertEquals(List.of(), nominals());
    engine.stepTo(due);

    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void theLatestOfTheMissedIsTheLatestThatWasDue() {
    engine.put("j", minutely(perJob("PT1M")).json());
    Duration delay = delay("j");

    engine.stepTo(at("12:10:00").plus(delay).minusMillis(1));
    assertEquals(List.of("2026-11-20T12:09:00Z"), nominals());
    assertEquals(8, engine.get("j").counters().skipped());
    engine.stepTo(at("12:10:00").plus(delay));

    assertEquals(List.of("2026-11-20T12:09:00Z", "2026-11-20T12:10:00Z"), nominals());
  }

  @Test
  void lateIsWhatIsLateByThePlan() {
    engine.put("j", minutely(perJob("PT1M")).with("startWithin", "PT1S").json());
    Duration delay = delay("j");

    engine.stepTo(at("12:01:00").plus(delay).plusSeconds(1));
    assertEquals(1, nominals().size());
    engine.stepTo(at("12:02:00").plus(delay).plusMillis(1001));

    assertEquals(1, nominals().size());
    assertEquals(1, engine.get("j").counters().skipped());
  }

  @Test
  void allOfTheMissedRunPacedAndThenByThePlan() {
    engine.put(
        "j", minutely(perJob("PT1M")).with("missed", new JsonObject().put("run", "all")).json());
    Duration delay = delay("j");
    Instant back = at("12:03:00").plus(delay).plusMillis(5);

    engine.stepTo(back);
    assertEquals(Duration.ofSeconds(1), Duration.between(back, due("j")));
    engine.stepTo(back.plusSeconds(1));
    engine.stepTo(back.plusSeconds(2));

    assertEquals(3, nominals().size());
    assertEquals(at("12:04:00").plus(delay), due("j"));
  }

  @Test
  void requestedRunsAndRetriesAreNotPutOff() {
    target.answer(500);
    engine.put("j", minutely("PT50S").fixedRetry("PT5S", 1).json());
    engine.requestExecution("j");
    engine.step();
    assertEquals(1, target.calls().size());
    engine.stepTo(NOON.plusSeconds(5));

    assertEquals(2, target.calls().size());
  }

  @Test
  void fsckKnowsThePlan() {
    engine.put("j", minutely("PT50S").json());
    Instant due = due("j");
    assertEquals(List.of(), fsck(false));

    String key = Engine.name("j").key();
    String list = "carillon:{" + Engine.KEYS.partition(key) + "}:due";
    engine.redis(Command.ZADD, list, "5", "job:" + key);
    assertEquals(1, fsck(true).size());
    assertEquals(due, due("j"));

    engine.redis(Command.ZREM, list, "job:" + key);
    assertEquals(1, fsck(true).size());
    assertEquals(due, due("j"));
  }

  private List<String> fsck(boolean isRepairing) {
    List<String> found = new ArrayList<>();
    Fsck.Options options = new Fsck.Options(isRepairing, Duration.ofMillis(5), Duration.ofDays(60));
    engine.stores(
        stores ->
            new Fsck(
                    stores,
                    Engine.KEYS,
                    clock,
                    options,
                    (finding, outcome) -> {
                      if (!finding.toString().contains("collection")) {
                        found.add(finding.toString());
                      }
                    })
                .run());
    return found;
  }
}
