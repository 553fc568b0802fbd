package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.store.attempt.PurgeStore.Purge;
import carillon.support.Await;
import carillon.support.Engine;
import carillon.support.JobJson;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The purge of finished jobs. */
class PurgeTest extends EngineFixture {
  private static final int MANY = 20_000;

  private void put(String job) {
    engine.put(job, JobJson.get(target.url("/" + job)).json());
  }

  private static String purges(int partition) {
    return "carillon:{" + partition + "}:purges";
  }

  private static int partition(String job) {
    return Engine.KEYS.partition(Engine.name(job).key());
  }

  /** Adds, in one command, what was to be removed a millisecond before noon. */
  private void addOverdue(String list, List<String> jobs) {
    List<String> arguments = new ArrayList<>(List.of(list));
    for (String job : jobs) {
      arguments.add(Long.toString(NOON.toEpochMilli() - 1));
      arguments.add(Engine.name(job).key());
    }
    engine.redis(Command.ZADD, arguments.toArray(String[]::new));
  }

  @Test
  void howeverManyAreDueACallIsNotBehindThem() {
    Map<String, List<String>> removals =
        IntStream.range(0, MANY)
            .mapToObj(i -> "old-" + i)
            .collect(Collectors.groupingBy(job -> purges(partition(job))));
    removals.forEach(this::addOverdue);
    put("now");

    Instant began = Instant.now();
    new Thread(engine::poll).start();
    target.awaitCalls(1);

    Duration late = Duration.between(began, Instant.now());
    assertTrue(engine.redis(Command.ZCARD, purges(0)).toInteger() > 0, "they still wait");
    assertTrue(late.compareTo(Duration.ofSeconds(1)) < 0, "called after " + late);
  }

  @Test
  void aRemovalMeansTheEndOfTheJobThatItWasMadeFor() {
    put("j");
    engine.step();
    String list = purges(partition("j"));
    String key = Engine.name("j").key();
    long due = engine.redis(Command.ZSCORE, list, key).toLong();
    clock.advance(Duration.ofSeconds(1));
    put("j");
    engine.step();

    engine.stores(s -> s.quota().purge(new Purge(key, due)));
    assertEquals(1, engine.get("j").counters().executions());

    engine.stores(s -> s.quota().purge(new Purge(key, due + Duration.ofSeconds(1).toMillis())));
    assertEquals(List.of(), engine.due());
    assertEquals(0, engine.redis(Command.EXISTS, list).toInteger());
  }

  @Test
  void oneThatCannotBeDoneNowStandsInNobodysWay() {
    engine.redis(
        Command.ZADD, purges(0), Long.toString(NOON.toEpochMilli()), "default/default/default/x");

    engine.stores(
        s -> s.purges().putOff(0, new Purge("default/default/default/x", NOON.toEpochMilli())));

    assertEquals(List.of(), engine.stores(s -> s.purges().due(0, 10)));
    Await.until("it is later", () -> engine.redis(Command.ZCARD, purges(0)).toInteger() == 1);
  }
}
