package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.Precondition;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.Quota;
import carillon.job.name.CollectionName;
import carillon.job.name.JobState;
import carillon.store.job.JobStore;
import carillon.support.Await;
import carillon.support.Engine;
import carillon.support.JobJson;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the timer with the jobs of deleted or bounded collections. */
class CollectionRemainsTest extends EngineFixture {
  private static final int MANY = 1500;

  @BeforeEach
  void makeCollection() {
    putCollection(CollectionDefinition.PLAIN);
  }

  private boolean delete() {
    return engine.stores(
        s -> s.collection().collections().delete(Engine.COLLECTION, Precondition.NONE));
  }

  @Override
  String once(String instant) {
    return JobJson.get(target.url("/")).startTime(instant).json();
  }

  /** Puts a job in the current epoch of the collection. */
  private JobStore.Put put(String job, String json) {
    return engine.stores(
        s ->
            s.collection()
                .collections()
                .rules(Engine.COLLECTION)
                .compose(
                    rules ->
                        s.collection()
                            .jobQuota()
                            .writing(
                                Engine.name(job),
                                () ->
                                    Engine.put(
                                        s,
                                        Engine.name(job),
                                        rules.epoch(),
                                        Engine.definition(json)))));
  }

  private Set<String> keys() {
    return redis().keys("carillon:*").stream()
        .filter(key -> !key.matches("carillon:(meta|node(s|:.*)|owner:.*|\\{\\d\\}:audit)"))
        .collect(Collectors.toSet());
  }

  @Test
  void theCollectionThatANewRedisBeginsWithIsNotMadeAgainOnceItIsDeleted() {
    CollectionName first = new CollectionName("default", "default", "first");
    engine.stores(s -> s.collection().collections().putFirst("first", clock.instant()));
    assertTrue(engine.stores(s -> s.collection().collections().find(first)).isPresent());
    engine.stores(s -> s.collection().collections().delete(first, Precondition.NONE));

    engine.stores(s -> s.collection().collections().putFirst("first", clock.instant()));

    assertFalse(engine.stores(s -> s.collection().collections().find(first)).isPresent());
    assertEquals(
        "first", engine.redis(Command.HGET, "carillon:meta", "firstCollection").toString());
  }

  @Test
  void theJobsOfADeletedCollectionDoNotRun() {
    engine.put("j", once("2026-11-20T12:01:00Z"));
    assertTrue(delete());

    engine.stepTo(NOON.plusSeconds(60));

    assertEquals(List.of(), target.calls());
    assertEquals(List.of(), engine.due());
  }

  @Test
  void afterAWhileNothingIsLeftOfADeletedCollection() {
    for (int i = 0; i < MANY; i++) {
      engine.put("j" + i, once("2026-12-20T12:01:00Z"));
    }
    delete();
    assertTrue(keys().size() > MANY, "the answer does not wait");

    engine.sweep();
    assertEquals(List.of(), engine.due());
    assertFalse(keys().stream().anyMatch(key -> key.matches(".*:(job|jobs|dead|history):.*")));

    clock.set(NOON.plusSeconds(601));
    engine.sweep();
    assertEquals(Set.of(), keys());
  }

  @Test
  void theJobsOfOneThatIsMadeAgainMeanwhileAreLeftAlone() {
    for (int i = 0; i < MANY; i++) {
      engine.put("j" + i, once("2026-11-20T12:01:00Z"));
    }
    delete();
    putCollection(CollectionDefinition.PLAIN);
    for (int i = 0; i < 10; i++) {
      assertTrue(put("j" + i, once("2026-11-20T12:01:00Z")).created());
    }

    engine.sweep();
    engine.stepTo(NOON.plusSeconds(60));

    assertEquals(10, target.calls().size());
    for (int i = 0; i < 10; i++) {
      assertEquals(JobState.COMPLETED, engine.get("j" + i).state());
      assertEquals(1, engine.history("j" + i).size());
    }
    assertEquals(10, list());
    clock.set(NOON.plusSeconds(700));
    engine.sweep();
    assertEquals(10, list());
    assertEquals(
        "1",
        engine
            .redis(Command.HGET, "carillon:collection:default/default/default", "epoch")
            .toString());
  }

  private int list() {
    return engine
        .stores(
            s ->
                s.job()
                    .jobListing()
                    .list(Engine.COLLECTION, Optional.empty(), Map.of(), "", 0, 256))
        .jobs()
        .size();
  }

  @Test
  void deletedAgainAndAgainEachLifeEndsByItself() {
    for (int life = 0; life < 3; life++) {
      put("j", once("2026-11-20T12:01:00Z"));
      put("k" + life, once("2026-11-20T12:01:00Z"));
      delete();
      putCollection(CollectionDefinition.PLAIN);
    }
    put("last", once("2026-11-20T12:01:00Z"));

    engine.sweep();
    engine.stepTo(NOON.plusSeconds(60));

    assertEquals(1, target.calls().size());
    clock.set(NOON.plusSeconds(700));
    engine.sweep();
    assertEquals(
        List.of("carillon:{0}", "carillon:{1}", "carillon:{2}", "carillon:{3}").stream()
            .filter(slot -> keys().stream().anyMatch(key -> key.startsWith(slot + ":job:")))
            .count(),
        1);
  }

  @Test
  void whatANodeDidNotEndAnotherDoes() {
    for (int i = 0; i < 100; i++) {
      engine.put("j" + i, once("2026-11-20T12:01:00Z"));
    }
    // A node that died right after the decision leaves this.
    engine.redis(Command.ZADD, "carillon:cleanup", "0", "sweep:default/default/default@0");
    String collection = "carillon:collection:default/default/default";
    engine.redis(Command.HDEL, collection, "definition", "name", "created", "modified");
    engine.redis(Command.HSET, collection, "deletedAt", NOON.toString());
    engine.redis(Command.HSET, "carillon:gates", "default/default/default", "closed " + NOON);
    try (Engine other = new Engine(redis().setup(), "b", clock)) {
      other.beat();
      engine.beat();

      engine.sweep();
      other.sweep();

      assertEquals(List.of(), engine.due());
      assertFalse(keys().stream().anyMatch(key -> key.matches(".*:(job|jobs|dead|history):.*")));
      assertFalse(keys().contains("carillon:collections:default"));
      assertTrue(
          engine
              .redis(Command.HGET, "carillon:gates", "default/default/default")
              .toString()
              .startsWith("open"));
    }
  }

  @Test
  void aRunThatWaitsForADeletedCollectionIsDropped() {
    putCollection(plain(CollectionDefinition.State.SUSPENDED));
    engine.beat();
    engine.put("j", once("2026-11-20T12:01:00Z"));
    engine.stepTo(NOON.plusSeconds(60));
    assertEquals(1, redis().keys("carillon:*:list:collection:*").size());

    delete();
    putCollection(CollectionDefinition.PLAIN);
    engine.beat();
    Await.until(
        "nothing waits there", () -> redis().keys("carillon:*:list:collection:*").isEmpty());
    engine.step();

    assertEquals(List.of(), target.calls());
    assertEquals(List.of(), engine.due());
  }

  @Test
  void aCallThatIsUnderWayWhenItsCollectionIsDeletedBringsNothingBack() {
    engine.put("j", once("2026-11-20T12:01:00Z"));
    target.hold();
    clock.set(NOON.plusSeconds(60));
    engine.poll();
    target.awaitCalls(1);
    delete();
    putCollection(CollectionDefinition.PLAIN);

    target.release();
    engine.awaitIdle();

    assertEquals(0, list());
    engine.sweep();
    assertFalse(keys().stream().anyMatch(key -> key.matches(".*:(job|jobs|dead|history):.*")));
  }

  private static final CollectionDefinition ONE_JOB =
      new CollectionDefinition(
          Optional.empty(),
          Map.of(),
          Optional.empty(),
          CollectionDefinition.State.ENABLED,
          Optional.of(new Quota(OptionalInt.of(1), OptionalInt.empty(), Optional.empty())));

  private long places() {
    return engine
        .redis(Command.ZCARD, "carillon:quota:{carillon:collection:default/default/default}")
        .toLong();
  }

  @Test
  void aPurgedJobGivesItsPlaceBack() {
    putCollection(ONE_JOB);
    put("j", once("2026-11-20T12:01:00Z"));
    engine.stepTo(NOON.plusSeconds(60));
    assertEquals(1, places());

    engine.stepTo(NOON.plus(Duration.ofDays(61)));

    assertEquals(0, places());
  }

  @Test
  void whoHeldAPlaceOfADeletedCollectionDoesNotSettleThatOfTheNext() {
    putCollection(ONE_JOB);
    Promise<Void> slow = Promise.promise();
    Promise<Void> next = Promise.promise();
    Future<Void> late =
        engine.stores(
            s ->
                Future.succeededFuture(
                    s.collection().jobQuota().writing(Engine.name("j"), slow::future)));
    Await.until("the place of the first", () -> places() == 1);
    delete();
    putCollection(ONE_JOB);
    engine.stores(
        s ->
            Future.succeededFuture(
                s.collection().jobQuota().writing(Engine.name("j"), next::future)));
    Await.until("the place of the next", () -> places() == 1);

    slow.complete();
    Await.result(late);

    assertEquals(1, places());
    next.complete();
  }
}
