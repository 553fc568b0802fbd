package carillon.api.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.AuditEntry.AuditContext;
import carillon.job.Precondition;
import carillon.json.schedule.CalendarCodec;
import carillon.recurrence.Coverage;
import carillon.store.resource.CalendarName;
import carillon.support.Engine;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("redis")
class CalendarOperationsTest {
  private static final CalendarName NAME = new CalendarName("default", "default", "holidays");
  private static final Instant NOW = Instant.parse("2026-11-20T09:00:00Z");
  private static final AuditContext CLIENT = new AuditContext("", "", "test", NOW);

  @Test
  void whoAnswersAChangeKnowsIt() {
    RedisServer redis = RedisServer.shared();
    redis.flush();
    try (Engine engine = new Engine(redis, "node", new TestClock(NOW))) {
      byte[] json = "{\"spans\":[{\"weekDays\":\"sunday\"}]}".getBytes(StandardCharsets.UTF_8);

      Optional<Coverage> put =
          engine.stores(
              stores ->
                  new CalendarOperations(stores)
                      .put(NAME, CalendarCodec.read(json, "c"), Precondition.NONE, CLIENT)
                      .map(
                          done ->
                              stores
                                  .resource()
                                  .calendars()
                                  .known()
                                  .find("default/default", "holidays")));
      Optional<Coverage> deleted =
          engine.stores(
              stores ->
                  new CalendarOperations(stores)
                      .delete(NAME, false, Precondition.NONE, CLIENT)
                      .map(
                          done ->
                              stores
                                  .resource()
                                  .calendars()
                                  .known()
                                  .find("default/default", "holidays")));

      assertTrue(put.isPresent());
      assertEquals(Optional.empty(), deleted);
    }
  }
}
