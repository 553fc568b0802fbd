package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.fsck.Fsck;
import carillon.job.CollectionName;
import carillon.job.ErrorCode;
import carillon.job.JobException;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.support.Await;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import carillon.support.StoredDump;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What earlier programs stored, and what later ones may. */
class FormatTest extends EngineFixture {
  private static final Instant KILLED = Instant.parse("2026-11-23T07:16:50Z");
  private static final Instant NEW_YEAR = Instant.parse("2030-01-01T00:00:00Z");

  @Override
  Instant begin() {
    return KILLED.plusSeconds(3700);
  }

  /** What is loaded stays as it is until the next heartbeat. */
  private void load(String file) {
    engine.freeze();
    String url = target.url("/");
    for (List<String> words : StoredDump.commands(file, url.substring(0, url.length() - 1))) {
      engine.redis(
          Command.create(words.get(0)), words.subList(1, words.size()).toArray(String[]::new));
    }
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

  /**
   * The node that wrote it is known, and dead for long. A call that is under way when the clock
   * moves would make its target a slow one, so all of them are waited for.
   */
  private void takeOver() {
    engine.beat();
    clock.advance(EngineSettings.LEASE.plusSeconds(1));
    engine.beat();
    engine.step();
    Await.until("the taken over call", () -> target.calls("/hang").size() == 1);
    Await.until("the retry", () -> target.calls("/fail").size() == 1);
    engine.awaitIdle();
  }

  @Test
  void whatTheSecondFormatHoldsIsReadFiredAndChanged() {
    load("2.jsonl");
    engine.stores(s -> s.node().storeFormat().establish(clock.instant()));
    assertEquals(List.of(), fsck());

    assertEquals(JobState.COMPLETED, engine.get("done").state());
    assertEquals(1, engine.history("done").size());
    assertEquals(JobState.DISABLED, engine.get("off").state());
    assertEquals(1, engine.get("retrying").counters().failures());
    takeOver();
    assertEquals(JobState.COMPLETED, engine.get("hanging").state());
    assertEquals(JobState.COMPLETED, engine.get("retrying").state());

    engine.setState("daily", JobState.ENABLED);
    clock.set(NEW_YEAR.minusSeconds(1));
    engine.beat();
    engine.stepTo(NEW_YEAR.plusSeconds(6 * 3600));

    assertEquals(JobState.COMPLETED, engine.get("once").state());
    assertEquals(2, engine.get("daily").occurrence());
    JobName placed = new CollectionName("default", "default", "bounded").job("placed");
    assertEquals(JobState.COMPLETED, engine.stores(s -> s.job().jobs().get(placed)).state());
    assertEquals(List.of(), fsck());
  }

  @Test
  void whatALaterFormatAddsIsLeftAlone() {
    load("2.jsonl");
    engine.redis(Command.HSET, "carillon:meta", "format", "4");
    String definition = engine.redis(Command.HGET, Engine.hash("daily"), "definition").toString();
    engine.redis(
        Command.HSET,
        Engine.hash("daily"),
        "format",
        "4",
        "lane",
        "fast",
        "definition",
        "{\"priority\":7," + definition.substring(1));
    engine.redis(
        Command.HSET, "carillon:collection:default/default/default", "format", "4", "lane", "slow");

    engine.stores(s -> s.node().storeFormat().establish(clock.instant()));
    takeOver();
    engine.setState("daily", JobState.ENABLED);
    clock.set(NEW_YEAR.minusSeconds(1));
    engine.beat();
    engine.stepTo(NEW_YEAR.plusSeconds(6 * 3600));

    assertEquals(2, engine.get("daily").occurrence());
    assertEquals("4", engine.redis(Command.HGET, Engine.hash("daily"), "format").toString());
    assertEquals("fast", engine.redis(Command.HGET, Engine.hash("daily"), "lane").toString());
    assertEquals("4", engine.redis(Command.HGET, "carillon:meta", "format").toString());
    assertTrue(
        engine.stores(s -> s.collection().collections().find(Engine.COLLECTION)).isPresent());
    assertEquals(List.of(), fsck());
  }

  @Test
  void aStoreThatNeedsANewerProgramIsRefused() {
    engine.redis(Command.HSET, "carillon:meta", "schema", "4");

    IllegalStateException refusal =
        assertThrows(
            IllegalStateException.class,
            () -> engine.stores(s -> s.node().storeFormat().establish(clock.instant())));

    assertEquals(
        "what is stored in Redis needs a Carillon that reads format 4; this one reads up to 3:"
            + " use a newer version",
        refusal.getMessage());
    assertThrows(
        IllegalStateException.class, () -> engine.stores(s -> s.node().storeFormat().readable()));
  }

  @Test
  void aSchemaThatIsNoneIsRefused() {
    engine.redis(Command.HSET, "carillon:meta", "schema", "one");

    assertTrue(
        assertThrows(
                IllegalStateException.class,
                () -> engine.stores(s -> s.node().storeFormat().establish(clock.instant())))
            .getMessage()
            .contains("'one'"));
  }

  @Test
  void theFirstFormatIsRefusedAndLeftAlone() {
    load("1.jsonl");
    engine.redis(Command.HDEL, "carillon:meta", "created");
    String before = redis().dump();

    IllegalStateException refusal =
        assertThrows(
            IllegalStateException.class,
            () -> engine.stores(s -> s.node().storeFormat().establish(clock.instant())));

    assertTrue(
        refusal.getMessage().startsWith("what is stored in Redis is of format 1; "),
        refusal.getMessage());
    assertThrows(
        IllegalStateException.class, () -> engine.stores(s -> s.node().storeFormat().readable()));
    assertEquals(before, redis().dump());
  }

  @Test
  void theFormatsAreNotedAtTheFirstStart() {
    engine.stores(s -> s.node().storeFormat().establish(clock.instant()));

    assertEquals("2", engine.redis(Command.HGET, "carillon:meta", "schema").toString());
    assertEquals("3", engine.redis(Command.HGET, "carillon:meta", "format").toString());
  }

  @Test
  void whatAnOldNodeWouldMisreadIsRefusedUntilItIsUpgraded() {
    engine.stores(s -> s.node().storeFormat().establish(clock.instant()));
    engine.beat();
    String old = "carillon:node:old";
    for (List<String> words : StoredDump.commands("2.jsonl", "http://localhost")) {
      if (words.get(1).equals(old)) {
        engine.redis(Command.HSET, words.subList(1, words.size()).toArray(String[]::new));
      }
    }
    String now = Long.toString(clock.millis());
    engine.redis(Command.ZADD, "carillon:idle", now, "old");

    JobException refusal =
        assertThrows(
            JobException.class,
            () -> engine.stores(s -> s.node().formatGuard().require(3, "timeZone")));

    assertEquals(ErrorCode.CONFLICT, refusal.code());
    assertEquals(
        "timeZone: node 'old' runs version 0.1.0, which does not know it; upgrade it first",
        refusal.getMessage());
    assertEquals("2", engine.redis(Command.HGET, "carillon:meta", "schema").toString());

    engine.redis(Command.HSET, old, "format", "3");
    engine.stores(s -> s.node().formatGuard().check(3, "timeZone"));
    assertEquals("2", engine.redis(Command.HGET, "carillon:meta", "schema").toString());
    engine.stores(s -> s.node().formatGuard().require(3, "timeZone"));
    assertEquals("3", engine.redis(Command.HGET, "carillon:meta", "schema").toString());

    engine.redis(Command.HDEL, old, "format");
    engine.stores(s -> s.node().formatGuard().require(3, "timeZone"));
  }
}
