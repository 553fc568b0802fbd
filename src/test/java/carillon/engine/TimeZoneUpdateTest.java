package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.access.AuditEntry;
import carillon.access.AuditEntry.AuditFilter;
import carillon.job.attempt.HistoryMark;
import carillon.json.schedule.TimeZoneNames;
import carillon.support.Engine;
import io.vertx.redis.client.Command;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of next occurrences that were computed by older time zone rules. The test puts them where
 * older rules might have had them.
 */
class TimeZoneUpdateTest extends EngineFixture {
  private static final String META = "carillon:meta";
  private static final Instant OLD = Instant.parse("2026-11-21T07:00:00Z");
  private static final Instant NEW = Instant.parse("2026-11-21T08:00:00Z");

  @BeforeEach
  void putWithOldRules() {
    engine.put(
        "zoned",
        job("2026-11-20T09:00:00")
            .with("timeZone", "Europe/Berlin")
            .recurrence("{`frequency`:`day`}")
            .json());
    assertEquals(NEW, engine.get("zoned").next().orElseThrow());
    moveTo(OLD);
    engine.redis(Command.HSET, META, "tzdata", "2020a");
    engine.beat();
  }

  private static String key(String kind) {
    return Engine.slot("zoned") + kind;
  }

  private static String hash() {
    return key("job:") + Engine.name("zoned").key();
  }

  private void moveTo(Instant instant) {
    String member = "job:" + Engine.name("zoned").key();
    engine.redis(
        Command.HSET, hash(), "next", instant.toString(), "local", "2026-11-21T09:00+02:00");
    engine.redis(Command.ZADD, key("due"), Long.toString(instant.toEpochMilli()), member);
  }

  private Instant next() {
    return engine.get("zoned").next().orElseThrow();
  }

  private String noted() {
    return engine.redis(Command.HGET, META, "tzdata").toString();
  }

  private List<Map<String, String>> moves() {
    return engine
        .stores(s -> s.job().auditLog().page(AuditFilter.ALL, "", 0, 10))
        .entries()
        .stream()
        .map(AuditEntry::facts)
        .filter(facts -> facts.containsKey("retimed"))
        .toList();
  }

  @Test
  void theyFollowTheNewRulesAndTheAuditLogTellsIt() {
    engine.updateTimeZones();

    assertEquals(NEW, next());
    assertEquals("2026-11-21T09:00+01:00", engine.redis(Command.HGET, hash(), "local").toString());
    assertEquals(TimeZoneNames.version(), noted());
    assertEquals(
        List.of(
            Map.of(
                "object",
                "default/default/default/zoned",
                "did",
                "retime job",
                "by",
                "tzdata " + TimeZoneNames.version(),
                "from",
                "",
                "retimed",
                "2026-11-21T07:00:00Z -> 2026-11-21T08:00:00Z")),
        moves());

    engine.stepTo(NEW.minusMillis(1));
    assertEquals(List.of(), target.calls());
    engine.stepTo(NEW);
    assertEquals(1, target.calls().size());
    HistoryMark mark = engine.marks("zoned").get(0);
    assertEquals(HistoryMark.ChangeKind.RETIMED, mark.change());
    assertEquals(OLD + " -> " + NEW, mark.note().orElseThrow());
  }

  @Test
  void oneThatIsPastByTheNewRulesRunsNow() {
    clock.set(NEW.plusSeconds(60));
    moveTo(NEW.plusSeconds(3600));

    engine.updateTimeZones();
    engine.step();

    assertEquals(1, target.calls().size());
    assertEquals(NEW.toString(), target.calls().get(0).headers().get("Carillon-Scheduled-At"));
  }

  @Test
  void theyStayWhileANodeHasOlderRules() {
    engine.redis(Command.ZADD, "carillon:idle", Long.toString(clock.millis()), "older");

    engine.updateTimeZones();
    assertEquals(OLD, next());
    assertEquals("2020a", noted());

    engine.redis(Command.ZREM, "carillon:idle", "older");
    engine.updateTimeZones();
    assertEquals(NEW, next());
  }

  @Test
  void aNodeWithOlderRulesThanTheirsLeavesThemAlone() {
    engine.redis(Command.HSET, META, "tzdata", "2999z");

    engine.updateTimeZones();

    assertEquals(OLD, next());
    assertEquals("2999z", noted());
  }

  @Test
  void theFirstLookNotesTheVersion() {
    engine.redis(Command.HDEL, META, "tzdata");

    engine.updateTimeZones();

    assertEquals(OLD, next());
    assertEquals(TimeZoneNames.version(), noted());
  }

  @Test
  void whatIsClaimedIsLeftAlone() {
    engine.redis(Command.ZREM, key("due"), "job:" + Engine.name("zoned").key());

    engine.updateTimeZones();

    assertEquals(OLD, next());
    assertEquals(List.of(), moves());
  }
}
