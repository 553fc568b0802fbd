package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.Reason;
import carillon.job.attempt.HistoryEntry.Status;
import carillon.job.collection.CollectionDefinition;
import carillon.job.name.JobState;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of {@code startWithin} and {@code missed} for late occurrences. */
class LateOccurrencesTest extends EngineFixture {
  @Override
  Settings settings() {
    return EngineSettings.with("dispatch.maxPerDestination=1");
  }

  private static final String NOMINAL = "Carillon-Scheduled-At";

  private JobJson minutely(String recurrence) {
    return job("2026-11-20T12:01:00Z").recurrence("{`frequency`:`minute`" + recurrence + "}");
  }

  private JobJson minutely() {
    return minutely("");
  }

  private static JsonObject all(int max, String pace) {
    return new JsonObject().put("run", "all").put("max", max).put("pace", pace);
  }

  private static JsonObject missed(String run) {
    return new JsonObject().put("run", run);
  }

  /** Returns the instants of the target's calls, as hours, minutes and seconds. */
  private List<String> called() {
    return target.calls().stream()
        .map(call -> call.headers().get(NOMINAL).substring(11, 19))
        .toList();
  }

  private List<String> skipped(String job) {
    return engine.history(job).stream()
        .filter(entry -> entry.status() == Status.SKIPPED)
        .map(entry -> entry.reason().orElseThrow().word() + " " + entry.message())
        .toList();
  }

  private static Instant at(int seconds) {
    return NOON.plusSeconds(seconds);
  }

  // startWithin

  @ParameterizedTest
  @CsvSource({"0, true", "29999, true", "30000, true", "30001, false", "59999, false"})
  void anOccurrenceIsBegunOnlyWithinItsTime(long lateMillis, boolean isBegun) {
    engine.put("j", minutely().with("startWithin", "PT30S").json());

    engine.stepTo(at("12:01:00").plusMillis(lateMillis));

    assertEquals(isBegun ? List.of("12:01:00") : List.of(), called());
    assertEquals(Optional.of(at("12:02:00")), engine.get("j").next());
    assertEquals(isBegun ? 0 : 1, engine.get("j").counters().skipped());
    assertEquals(
        isBegun
            ? List.of()
            : List.of(
                "expired Not performed: it could not be begun within PT30S after its instant"),
        skipped("j"));
  }

  @Test
  void whatExpiresUsesUpNoCount() {
    engine.put("j", minutely(",`count`:2").with("startWithin", "PT10S").json());

    engine.stepTo(at("12:01:30"));
    engine.stepTo(at("12:02:00"));
    engine.stepTo(at("12:03:30"));
    engine.stepTo(at("12:04:00"));

    assertEquals(List.of("12:02:00", "12:04:00"), called());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void theLatestOfTheMissedExpiresToo() {
    engine.put("j", minutely().with("startWithin", "PT10S").json());

    engine.stepTo(at("12:10:30"));

    assertEquals(List.of(), called());
    assertEquals(10, engine.get("j").counters().skipped());
    assertEquals(
        List.of(
            "expired Not performed: it could not be begun within PT10S after its instant",
            "missed Not performed: 9 occurrences from 2026-11-20T12:01:00Z were missed; the latest,"
                + " of 2026-11-20T12:10:00Z, is not performed either"),
        skipped("j"));
    assertEquals(Optional.of(at("12:11:00")), engine.get("j").next());
  }

  @Test
  void theLatestOfTheMissedRunsWithinItsTime() {
    engine.put("j", minutely().with("startWithin", "PT30S").json());

    engine.stepTo(at("12:10:30"));

    assertEquals(List.of("12:10:00"), called());
    assertEquals(9, engine.get("j").counters().skipped());
  }

  @Test
  void aOneTimeJobThatExpiresIsFaulted() {
    engine.put("j", job("2026-11-20T12:05:00Z").with("startWithin", "PT1M").json());

    engine.stepTo(at("12:06:00.001"));

    assertEquals(List.of(), called());
    assertEquals(JobState.FAULTED, engine.get("j").state());
    HistoryEntry entry = engine.history("j").get(0);
    assertEquals(Optional.of(Reason.EXPIRED), entry.reason());
    assertEquals(1, engine.get("j").counters().skipped());
  }

  @Test
  void aJobWithoutAStartTimeGoesOnFromWhereItExpired() {
    engine.put(
        "j",
        job().recurrence("{`frequency`:`minute`,`interval`:5}").with("startWithin", "PT1M").json());

    engine.stepTo(at("12:02:00"));
    engine.stepTo(at("12:07:00"));

    assertEquals(List.of("12:07:00"), called());
    assertEquals(1, engine.get("j").counters().skipped());
  }

  @Test
  void whatWaitedForItsCollectionExpires() {
    set(CollectionDefinition.State.DISABLED);
    engine.beat();
    engine.put("j", job("2026-11-20T12:05:00Z").with("startWithin", "PT1M").json());
    engine.stepTo(at("12:05:00"));
    assertEquals(List.of(), skipped("j"));

    clock.set(at("12:30:00"));
    set(CollectionDefinition.State.ENABLED);
    engine.beat();
    engine.step();

    assertEquals(List.of(), called());
    assertEquals(JobState.FAULTED, engine.get("j").state());
  }

  @Test
  void retriesAndRequestedRunsDoNotExpire() {
    target.answer(500);
    engine.put("j", minutely().fixedRetry("PT20S", 1).with("startWithin", "PT10S").json());
    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:01:20"));
    assertEquals(List.of("12:01:00", "12:01:00"), called());

    engine.requestExecution("j");
    engine.stepTo(at("12:01:50"));

    assertEquals(3, called().size());
    assertEquals(List.of(), skipped("j"));
  }

  @Test
  void whatWaitedTooLongForAPlaceAtItsTargetExpires() {
    target.hold();
    engine.put("a", once("2026-11-20T12:01:00Z"));
    engine.put("j", minutely(",`count`:1").with("startWithin", "PT2S").json());
    clock.set(at("12:01:00"));
    engine.poll();
    target.awaitCalls(1);
    clock.set(at("12:01:02.001"));
    target.release();
    engine.awaitIdle();
    engine.stepTo(at("12:02:00"));

    assertEquals(List.of("12:01:00", "12:02:00"), called());
    assertEquals(List.of("expired"), reasons("j"));
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void whatANodeThatDiedHeldExpires() {
    engine.put("j", minutely().with("startWithin", "PT5S").json());
    clock.set(at("12:01:00"));
    engine.freeze();
    for (int i = 0; i < Engine.KEYS.partitions(); i++) {
      int partition = i;
      engine.stores(
          s -> s.attempt().claims().claim(partition, clock.millis(), clock.instant(), 10));
      engine.stores(s -> s.attempt().claims().recover(partition, "node", clock.instant()));
    }
    clock.set(at("12:01:10"));
    engine.beat();
    engine.step();

    assertEquals(List.of(), called());
    assertEquals(List.of("expired"), reasons("j"));
    assertEquals(Optional.of(at("12:02:00")), engine.get("j").next());
  }

  private List<String> reasons(String job) {
    return skipped(job).stream().map(text -> text.substring(0, text.indexOf(' '))).toList();
  }

  // missed

  @Test
  void whereNoneOfTheMissedRunsAMinuteIsInTime() {
    engine.put("j", minutely(",`interval`:10").with("missed", missed("none")).json());

    engine.stepTo(at("12:02:00"));
    engine.stepTo(at("12:32:00.001"));
    engine.stepTo(at("12:41:00"));

    assertEquals(List.of("12:01:00", "12:41:00"), called());
    assertEquals(3, engine.get("j").counters().skipped());
  }

  @Test
  void whereTheLatestRunsNothingIsNew() {
    engine.put("j", minutely().with("missed", missed("latest")).json());

    engine.stepTo(at("12:10:30"));

    assertEquals(List.of("12:10:00"), called());
  }

  @Test
  void allOfTheMissedRunOldestFirstAndPaced() {
    engine.put("j", minutely().with("missed", all(100, "PT5S")).json());
    Instant back = at("12:10:30");
    engine.stepTo(back);
    List<String> expected = new ArrayList<>(List.of("12:01:00"));
    assertEquals(expected, called());

    for (int i = 1; i < 6; i++) {
      engine.stepTo(back.plusSeconds(5L * i).minusMillis(1));
      assertEquals(expected, called());
      engine.stepTo(back.plusSeconds(5L * i));
      expected.add("12:0" + (1 + i) + ":00");
      assertEquals(expected, called());
    }
    for (int i = 6; i < 11; i++) {
      engine.stepTo(back.plusSeconds(5L * i));
    }

    expected.addAll(List.of("12:07:00", "12:08:00", "12:09:00", "12:10:00", "12:11:00"));
    assertEquals(expected, called());
    assertEquals(0, engine.get("j").counters().skipped());
    assertEquals(Optional.of(at("12:12:00")), engine.get("j").next());
  }

  @Test
  void ofThreeHundredMissedTheNewestHundredRun() {
    engine.put("j", minutely().with("missed", missed("all")).json());
    Instant back = at("12:01:00").plus(Duration.ofMinutes(299)).plusSeconds(1);

    for (int i = 0; i < 120; i++) {
      engine.stepTo(back.plusSeconds(i));
    }

    List<String> called = called();
    assertEquals("15:21:00", called.get(0));
    assertEquals(102, called.size());
    assertEquals(called.stream().sorted().distinct().toList(), called);
    assertEquals(200, engine.get("j").counters().skipped());
    assertEquals(
        List.of(
            "missed Not performed: 200 occurrences from 2026-11-20T12:01:00Z were missed; those"
                + " from 2026-11-20T15:21:00Z on run late"),
        skipped("j"));
  }

  @Test
  void whatIsOnTimeIsNotPaced() {
    engine.put(
        "j",
        job("2026-11-20T12:00:01Z")
            .recurrence("{`frequency`:`second`}")
            .with("missed", all(100, "PT1H"))
            .json());

    for (int i = 1; i <= 5; i++) {
      engine.stepTo(at(i).plusMillis(40));
    }

    assertEquals(5, called().size());
  }

  @Test
  void ofTheMissedTheCountIsMade() {
    engine.put("j", minutely(",`count`:3").with("missed", all(4, "PT1S")).json());
    Instant back = at("12:10:30");

    for (int i = 0; i < 5; i++) {
      engine.stepTo(back.plusSeconds(i));
    }

    assertEquals(List.of("12:07:00", "12:08:00", "12:09:00"), called());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
    assertEquals(6, engine.get("j").counters().skipped());
  }

  @Test
  void allOfTheMissedUpToTheEndRunAlsoAfterIt() {
    engine.put(
        "j", minutely(",`endTime`:`2026-11-20T12:03:00Z`").with("missed", all(9, "PT1S")).json());

    for (int i = 0; i < 5; i++) {
      engine.stepTo(at("12:10:30").plusSeconds(i));
    }

    assertEquals(List.of("12:01:00", "12:02:00", "12:03:00"), called());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void ofTheMissedWhatIsTooLateIsLeftOut() {
    engine.put(
        "j", minutely().with("missed", all(100, "PT20S")).with("startWithin", "PT3M").json());
    Instant back = at("12:10:30");

    for (int i = 0; i < 4; i++) {
      engine.stepTo(back.plusSeconds(20L * i));
    }

    // The occurrences 12:08 to 12:10 are in time when the node is back. Each is still in time at
    // its turn.
    assertEquals(List.of("12:08:00", "12:09:00", "12:10:00", "12:11:00"), called());
    assertEquals(7, engine.get("j").counters().skipped());
  }

  @Test
  void whatExpiresWhileItWaitsForItsTurnIsLeftOut() {
    engine.put("j", minutely().with("missed", all(100, "PT1M")).with("startWithin", "PT3M").json());
    engine.stepTo(at("12:10:30"));
    engine.stepTo(at("12:13:30"));

    assertEquals(List.of("12:08:00", "12:11:00"), called());
    assertEquals(9, engine.get("j").counters().skipped());
  }

  @Test
  void aDisabledCollectionSkipsTheMissedAtOnce() {
    set(CollectionDefinition.State.DISABLED);
    engine.beat();
    engine.put("j", minutely().with("missed", missed("all")).json());

    engine.stepTo(at("12:10:30"));

    assertEquals(List.of(), called());
    assertEquals(10, engine.get("j").counters().skipped());
    assertEquals(Optional.of(at("12:11:00")), engine.get("j").next());
  }

  @Test
  void aChangeDropsWhatIsNotMadeUpYet() {
    engine.put("j", minutely().with("missed", missed("all")).json());
    engine.stepTo(at("12:10:30"));

    engine.setState("j", JobState.DISABLED);
    engine.setState("j", JobState.ENABLED);
    engine.stepTo(at("12:11:00"));

    assertEquals(List.of("12:01:00", "12:11:00"), called());
    assertEquals(9, engine.get("j").counters().skipped());
    assertTrue(skipped("j").get(0).startsWith("changed "), skipped("j").toString());
  }
}
