package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.fsck.Fsck;
import carillon.job.collection.CollectionDefinition;
import carillon.job.name.JobState;
import carillon.support.Engine;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Format of the stored data, and fields that only a later format has. */
class FormatTest extends EngineFixture {
  private static final String META = "carillon:meta";

  private void establish() {
    engine.stores(s -> s.node().storeFormat().establish(clock.instant()));
  }

  private String meta(String field) {
    return engine.redis(Command.HGET, META, field).toString();
  }

  private List<String> fsck() {
    List<String> found = new ArrayList<>();
    engine.stores(
        s ->
            new Fsck(
                    s,
                    Engine.KEYS,
                    clock,
                    new Fsck.Options(false, Duration.ofMillis(5), Duration.ofDays(60)),
                    (finding, outcome) -> found.add(finding.toString()))
                .run());
    return found;
  }

  @Test
  void aNewRedisHasTheFirstFormat() {
    establish();
    establish();

    assertEquals("1", meta("format"));
  }

  @Test
  void dataOfANewerFormatIsRefusedAndLeftAlone() {
    engine.redis(Command.HSET, META, "format", "2");
    String before = engine.redis(Command.HGETALL, META).toString();

    IllegalStateException refusal = assertThrows(IllegalStateException.class, this::establish);

    assertEquals(
        "the data in Redis has format 2; this Carillon reads format 1: use a newer version",
        refusal.getMessage());
    assertEquals(before, engine.redis(Command.HGETALL, META).toString());
    assertThrows(
        IllegalStateException.class, () -> engine.stores(s -> s.node().storeFormat().readable()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"one", "0", "-1", "1.5", ""})
  void anUnknownFormatIsRefused(String format) {
    engine.redis(Command.HSET, META, "format", format);

    String refusal = assertThrows(IllegalStateException.class, this::establish).getMessage();

    assertTrue(refusal.contains("'" + format + "'"), refusal);
  }

  @Test
  void unknownFieldsStayWhenAJobRunsAndIsPaused() {
    establish();
    putCollection(CollectionDefinition.PLAIN);
    String daily = Engine.hash("daily");
    engine.put("daily", job("2026-11-20T12:01:00Z").every("day").json());
    String definition = engine.redis(Command.HGET, daily, "definition").toString();
    String later = "{\"laterProperty\":7," + definition.substring(1);
    engine.redis(Command.HSET, daily, "format", "2", "laterField", "fast", "definition", later);
    engine.redis(Command.HSET, "carillon:collection:default/default/default", "laterField", "slow");

    engine.setState("daily", JobState.DISABLED);
    engine.setState("daily", JobState.ENABLED);
    engine.stepTo(at("12:02:00"));

    assertEquals(1, target.calls("/call").size());
    assertEquals(2, engine.get("daily").occurrence());
    assertEquals("2", engine.redis(Command.HGET, daily, "format").toString());
    assertEquals("fast", engine.redis(Command.HGET, daily, "laterField").toString());
    assertTrue(
        engine.stores(s -> s.collection().collections().find(Engine.COLLECTION)).isPresent());
    assertEquals(List.of(), fsck());
  }
}
