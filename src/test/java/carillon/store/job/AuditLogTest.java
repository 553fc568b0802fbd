package carillon.store.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.AuditEntry;
import carillon.access.AuditEntry.AuditFilter;
import carillon.job.Precondition;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.JobState;
import carillon.support.Engine;
import carillon.support.JobJson;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of jobs that are created in one batch. */
class AuditLogTest extends StoreFixture {
  private static final int JOBS = 200;
  private static final String JSON = JobJson.get("http://127.0.0.1:9/").json();

  /**
   * Puts all jobs in one turn of the event loop. Jobs of even numbers are put by another client.
   */
  private void putTogether() {
    engine.stores(
        stores ->
            Future.all(
                IntStream.range(0, JOBS)
                    .mapToObj(
                        i ->
                            stores
                                .job()
                                .jobs()
                                .put(
                                    Engine.name("j" + i),
                                    0,
                                    Engine.definition(JSON),
                                    JobState.ENABLED,
                                    Precondition.NONE,
                                    new AuditEntry.AuditContext(
                                        "client" + i % 2, "127.0.0.1", "PUT job", Instant.EPOCH),
                                    Optional.empty()))
                    .toList()));
  }

  private List<AuditEntry> entries(String object) {
    AuditFilter filter = AuditFilter.ALL.of(object);
    return engine.stores(stores -> stores.job().auditLog().page(filter, "", 0, 1000)).entries();
  }

  /** Returns all jobs that an entry is about. */
  private static Stream<String> jobs(AuditEntry entry) {
    String object = entry.facts().get("object");
    String collection = object.substring(0, object.lastIndexOf('/') + 1);
    String others = entry.facts().getOrDefault("others", "");
    return Stream.concat(
        Stream.of(object),
        Arrays.stream(others.split(" ")).filter(name -> !name.isEmpty()).map(collection::concat));
  }

  @Test
  void jobsThatOneClientMakesTogetherShareAnEntryOfTheirBatch() {
    putTogether();

    List<AuditEntry> entries = entries("");

    assertTrue(entries.size() <= 2 * (JOBS / 64 + 2), () -> entries.size() + " entries");
    assertTrue(entries.stream().allMatch(entry -> jobs(entry).count() <= 64));
    for (int client = 0; client < 2; client++) {
      String by = "client" + client;
      int first = client;
      assertEquals(
          IntStream.range(0, JOBS / 2)
              .mapToObj(i -> Engine.name("j" + (2 * i + first)).key())
              .collect(Collectors.toCollection(TreeSet::new))
              .stream()
              .toList(),
          entries.stream()
              .filter(entry -> entry.facts().get("by").equals(by))
              .flatMap(AuditLogTest::jobs)
              .sorted()
              .toList());
    }
  }

  @Test
  void anEntryIsFoundByEachJobOfIt() {
    putTogether();

    for (int i = 0; i < JOBS; i++) {
      String key = Engine.name("j" + i).key();
      List<AuditEntry> found = entries(key);
      assertEquals(1, found.size(), key);
      assertTrue(jobs(found.get(0)).toList().contains(key), key);
      assertEquals("client" + i % 2, found.get(0).facts().get("by"));
    }
    assertEquals(List.of(), entries(Engine.name("j").key()));
    assertEquals(List.of(), entries("default/default/other/j1"));
  }

  @Test
  void aChangeThatCannotBeNotedIsNotMade() {
    String later = JobJson.get("http://127.0.0.1:9/").with("note", "later").json();
    engine.put("old", JSON);
    List<Object> before = stored();
    engine.redis(Command.ACL, "SETUSER", "default", "-xadd");
    List<Runnable> changes =
        List.of(
            () -> engine.put("new", JSON),
            this::putTogether,
            () -> engine.put("old", later),
            () -> engine.change("old", later, JobState.ENABLED),
            () -> engine.setState("old", JobState.DISABLED),
            () -> engine.requestExecution("old"),
            () -> engine.delete("old"));

    List<ErrorCode> refusals =
        changes.stream()
            .map(change -> assertThrows(JobException.class, change::run).code())
            .toList();
    engine.redis(Command.ACL, "SETUSER", "default", "+xadd");

    assertEquals(Collections.nCopies(changes.size(), ErrorCode.STORE_UNAVAILABLE), refusals);
    assertEquals(before, stored());
  }

  /** Returns all keys, the hash of a job, and the list of due jobs. */
  private List<Object> stored() {
    return List.of(
        engine.redis(Command.KEYS, "*").stream().map(Response::toString).sorted().toList(),
        engine.redis(Command.HGETALL, Engine.hash("old")).toString(),
        engine.due());
  }
}
