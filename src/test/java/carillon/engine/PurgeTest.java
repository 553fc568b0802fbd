package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.store.attempt.PurgeStore.Purge;
import carillon.support.Await;
import carillon.support.Engine;
import carillon.support.JobJson;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of the purge of finished jobs. */
class PurgeTest extends EngineFixture {
  private static final int MANY = 20_000;

  private void put(String job) {
    engine.put(job, JobJson.get(target.url("/" + job)).json());
  }

  private static String finished(int partition) {
    return "carillon:{" + partition + "}:finished";
  }

  private static int partition(String job) {
    return Engine.KEYS.partition(Engine.name(job).key());
  }

  /** Returns the purge of a job that ended long ago. */
  private static Purge overdue(String job) {
    return Purge.of(Engine.name(job).key(), Instant.EPOCH);
  }

  /** Adds removals that were due long ago, in one command. */
  private void addOverdue(String list, List<String> jobs) {
    List<String> arguments = new ArrayList<>(List.of(list));
    jobs.forEach(job -> arguments.add(overdue(job).entry()));
    engine.redis(Command.RPUSH, arguments.toArray(String[]::new));
  }

  @Test
  void howeverManyAreDueACallIsNotBehindThem() {
    Map<String, List<String>> removals =
        IntStream.range(0, MANY)
            .mapToObj(i -> "old-" + i)
            .collect(Collectors.groupingBy(job -> finished(partition(job))));
    removals.forEach(this::addOverdue);
    put("now");

    Instant began = Instant.now();
    new Thread(engine::poll).start();
    target.awaitCalls(1);

    Duration late = Duration.between(began, Instant.now());
    assertTrue(engine.redis(Command.LLEN, finished(0)).toInteger() > 0, "they still wait");
    assertTrue(late.compareTo(Duration.ofSeconds(1)) < 0, "called after " + late);
  }

  @Test
  void aRemovalMeansTheEndOfTheJobThatItWasMadeFor() {
    put("j");
    engine.step();
    String list = finished(partition("j"));
    Purge first = Purge.of(engine.redis(Command.LINDEX, list, "0").toString());
    clock.advance(Duration.ofSeconds(1));
    put("j");
    engine.step();
    Purge second = Purge.of(engine.redis(Command.LINDEX, list, "1").toString());

    engine.stores(s -> s.collection().jobQuota().purge(first));
    assertEquals(1, engine.get("j").counters().executions());

    engine.stores(s -> s.collection().jobQuota().purge(second));
    assertEquals(List.of(), engine.due());
    assertEquals(0, engine.redis(Command.EXISTS, list).toInteger());
  }

  @Test
  void aFinishedJobIsRemovedWhenItWasKeptLongEnough() {
    put("j");
    engine.step();

    clock.advance(Duration.ofDays(59));
    engine.step();
    assertEquals(1, engine.get("j").counters().executions());

    clock.advance(Duration.ofDays(1));
    engine.step();
    Await.until(
        "it is gone",
        () ->
            engine.redis(Command.EXISTS, finished(partition("j"))).toInteger() == 0
                && engine.stores(s -> s.job().reader().find(Engine.name("j"))).isEmpty());
  }

  @Test
  void oneThatCannotBeDoneNowStandsInNobodysWay() {
    addOverdue(finished(0), List.of("x", "y"));

    engine.stores(s -> s.attempt().purges().putOff(0, overdue("x")));

    assertEquals(
        List.of(overdue("y"), overdue("x")), engine.stores(s -> s.attempt().purges().first(0, 10)));
  }

  @Test
  void anEndThatIsStillToComeIsLookedAtAndPutBehindTheOthers() {
    Purge ahead = Purge.of(Engine.name("x").key(), clock.instant().plusSeconds(9));
    engine.redis(Command.RPUSH, finished(0), ahead.entry());

    assertEquals(List.of(ahead), engine.stores(s -> s.attempt().purges().due(0, 10)));
    boolean isOldEnough =
        engine.stores(s -> Future.succeededFuture(s.attempt().purges().isOldEnough(ahead)));
    assertFalse(isOldEnough);
  }
}
