package carillon.store.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.AuditEntry;
import carillon.access.AuditEntry.AuditFilter;
import carillon.job.JobState;
import carillon.job.Precondition;
import carillon.support.Engine;
import carillon.support.JobJson;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Jobs that are created in one batch. */
class AuditLogTest extends StoreFixture {
  private static final int JOBS = 200;
  private static final String JSON = JobJson.get("http://127.0.0.1:9/").json();

  /** Puts all jobs in one turn of the event loop, those of even numbers by another client. */
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

  /** All jobs that an entry is about. */
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
}
