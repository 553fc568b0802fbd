package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.job.Precondition;
import carillon.job.collection.CollectionDefinition.State;
import carillon.job.name.JobState;
import carillon.store.collection.CollectionStore;
import carillon.store.collection.DisabledMarker;
import carillon.support.Await;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import carillon.support.TestClock;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that disabling takes effect immediately on every node, whatever heartbeats have seen. */
class DisabledMarkersTest extends EngineFixture {
  private static final String NAME = Engine.COLLECTION.key();
  private static final int CAP = 2;
  private static final int PAIRS = 300;

  @Override
  Instant begin() {
    return NOON.minusSeconds(1);
  }

  @Override
  Settings settings() {
    return EngineSettings.with("dispatch.maxPerDestination=" + CAP);
  }

  @BeforeEach
  void enable() {
    set(State.ENABLED);
  }

  private Future<CollectionStore.Put> begin(Engine at, State state) {
    return at.begin(
        s ->
            s.collection()
                .collections()
                .put(
                    Engine.COLLECTION,
                    EngineFixture.plain(state),
                    Precondition.NONE,
                    clock.instant()));
  }

  private void putAtNoon(String job) {
    engine.put(job, JobJson.get(target.url("/" + job)).startTime(NOON).json());
  }

  private List<String> entries() {
    List<String> lists = new ArrayList<>(List.of("carillon:gates"));
    IntStream.range(0, Engine.KEYS.partitions())
        .forEach(partition -> lists.add("carillon:{" + partition + "}:gates"));
    return lists.stream()
        .map(list -> engine.redis(Command.HGET, list, NAME))
        .map(entry -> Optional.ofNullable(entry).map(Response::toString).orElse(""))
        .toList();
  }

  @Test
  void nothingOfADisabledCollectionIsCalledThoughNoHeartbeatSawThatItIs() {
    putAtNoon("j");

    set(State.DISABLED);
    engine.stepTo(NOON);

    assertEquals(List.of(), target.calls());
  }

  @Test
  void whatWaitsForACollectionBeginsWhenItIsEnabledWithoutAHeartbeat() {
    putAtNoon("j");
    set(State.DISABLED);
    engine.stepTo(NOON);

    set(State.ENABLED);

    target.awaitCalls(1);
    engine.awaitIdle();
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void markerAndStateAgreeAfterChangesAtTheSameTime() {
    try (Engine other = new Engine(redis().setup(), "b", clock)) {
      for (int i = 0; i < PAIRS; i++) {
        Future<?> one = begin(engine, State.DISABLED);
        Future<?> two = begin(other, State.ENABLED);
        Await.result(Future.all(one, two));

        State state =
            engine
                .stores(s -> s.collection().collections().get(Engine.COLLECTION))
                .definition()
                .state();
        boolean closed = state == State.DISABLED;
        List<String> entries = entries();
        assertTrue(
            entries.stream().allMatch(entry -> DisabledMarker.disables(entry) == closed),
            "pair " + i + ": " + state + " and " + entries);
      }
    }
  }

  @Test
  void aMarkerThatDisablesAgainIsNotForgotten() {
    set(State.DISABLED);
    set(State.ENABLED);
    String opened = entries().get(0);

    set(State.DISABLED);
    engine.stores(s -> s.collection().disabledMarkers().forget(NAME, opened));

    assertTrue(entries().stream().allMatch(DisabledMarker::disables), entries().toString());
  }

  @Test
  void theMarkerOfACollectionEnabledLongAgoIsForgottenEverywhere() {
    set(State.DISABLED);
    set(State.ENABLED);

    clock.advance(Duration.ofMinutes(11));
    engine.beat();

    Await.until("no marker is left", () -> entries().stream().allMatch(String::isEmpty));
  }

  @Test
  void theMarkerIsSetThoughTheNodeThatChangedTheStateDiedInBetween() {
    String hash = "carillon:collection:" + NAME;
    String definition = engine.redis(Command.HGET, hash, "definition").toString();
    engine.redis(Command.ZADD, "carillon:gatechanges", millis(clock), NAME + " x");
    set(State.DISABLED);
    String disabled = engine.redis(Command.HGET, hash, "definition").toString();
    set(State.ENABLED);
    engine.redis(Command.HSET, hash, "definition", disabled, "revision", "9999999999999");
    assertTrue(!definition.equals(disabled));

    clock.advance(Duration.ofSeconds(11));
    engine.sweep();

    assertTrue(entries().stream().allMatch(DisabledMarker::disables), entries().toString());
    assertEquals(0, engine.redis(Command.EXISTS, "carillon:gatechanges").toInteger());
  }

  @Test
  void theRepeatOfAChangeThatWasNotAnsweredSetsTheMarker() {
    set(State.DISABLED);
    String hash = "carillon:collection:" + NAME;
    String disabled = engine.redis(Command.HGET, hash, "definition").toString();
    set(State.ENABLED);
    engine.redis(Command.HSET, hash, "definition", disabled, "revision", "9999999999999");

    engine.stores(s -> s.collection().disabledMarkers().settleIfEverDisabled(Engine.COLLECTION));

    assertTrue(entries().stream().allMatch(DisabledMarker::disables), entries().toString());
  }

  private static String millis(TestClock clock) {
    return Long.toString(clock.millis());
  }

  @Test
  void whatWaitsForItsDestinationIsGivenBackWhenItsCollectionIsDisabled() {
    flood();

    set(State.DISABLED);

    Await.until("only the calls in flight are held", () -> engine.claims() == CAP);
    target.release();
    engine.awaitIdle();
    assertEquals(CAP, target.calls().size());
  }

  /** Offers more jobs than the target accepts concurrently: some are called, the others wait. */
  private void flood() {
    target.hold();
    for (int i = 0; i < 3 * CAP; i++) {
      putAtNoon("j" + i);
    }
    clock.set(NOON);
    engine.poll();
    target.awaitCalls(CAP);
  }

  @Test
  void whatWaitsForItsDestinationIsGivenBackWhenItsJobIsDisabledOrDeleted() {
    flood();
    List<String> called = target.calls().stream().map(call -> call.path().substring(1)).toList();
    List<String> waiting =
        IntStream.range(0, 3 * CAP)
            .mapToObj(i -> "j" + i)
            .filter(job -> !called.contains(job))
            .toList();

    for (int i = 0; i < waiting.size(); i++) {
      end(waiting.get(i), i % 2 == 0);
    }

    Await.until("only the calls in flight are held", () -> engine.claims() == CAP);
    target.release();
    engine.awaitIdle();
    assertEquals(CAP, target.calls().size());
  }

  private void end(String job, boolean byDeletion) {
    if (byDeletion) {
      engine.delete(job);
      return;
    }
    engine.setState(job, JobState.DISABLED);
  }
}
