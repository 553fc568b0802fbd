package carillon.api.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import carillon.access.AuditEntry.AuditContext;
import carillon.job.JobDefinition;
import carillon.job.Precondition;
import carillon.job.StoredJob;
import carillon.job.action.RetryPolicy;
import carillon.job.collection.CollectionDefinition;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.JobState;
import carillon.json.JobCodec.JobSubmission;
import carillon.json.JobDefaults;
import carillon.store.Stores;
import carillon.support.Engine;
import carillon.support.JobJson;
import carillon.support.Keys256;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("redis")
class JobChangesTest {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final AuditContext CLIENT = Engine.auditContext(NOW);

  /** The first try finds another revision, the next another attempt, and so on in turn. */
  @Test
  void aChangeThatIsOvertakenInSeveralWaysIsTriedFiveTimesInAll() {
    RedisServer redis = RedisServer.shared();
    redis.flush();
    try (Engine engine = new Engine(redis, "node", new TestClock(NOW))) {
      engine.stores(
          stores ->
              stores
                  .collection()
                  .collections()
                  .put(Engine.COLLECTION, CollectionDefinition.PLAIN, Precondition.NONE, NOW));
      engine.put("j", JobJson.get("http://localhost/").startTime(NOW.plusSeconds(60)).json());
      AtomicInteger tries = new AtomicInteger();

      JobException refusal =
          assertThrows(
              JobException.class,
              () ->
                  engine.stores(
                      stores ->
                          changes(engine, stores)
                              .patch(
                                  Engine.name("j"),
                                  job -> {
                                    boolean isOdd = tries.incrementAndGet() % 2 == 1;
                                    raise(stores, isOdd ? "revision" : "attemptRevision");
                                    return disabled(job);
                                  },
                                  Precondition.NONE,
                                  CLIENT)));

      assertEquals(ErrorCode.CONFLICT, refusal.code());
      assertEquals(5, tries.get());
    }
  }

  private static JobChanges changes(Engine engine, Stores stores) {
    SubmissionSealer sealer = new SubmissionSealer(engine.vertx(), Keys256.VAULT);
    JobDefaults defaults =
        new JobDefaults(RetryPolicy.standard(Duration.ofSeconds(1), 1), Duration.ofSeconds(1));
    return new JobOperations(stores, engine.vertx().eventBus(), sealer, defaults).changes();
  }

  /** Changes Redis before the change under test writes what it computed. */
  private static void raise(Stores stores, String field) {
    stores.link().send(Request.cmd(Command.HINCRBY).arg(Engine.hash("j")).arg(field).arg(1));
  }

  private static JobSubmission disabled(StoredJob job) {
    JobDefinition same = job.definition();
    return new JobSubmission(same, Optional.of(JobState.DISABLED), NOW, false);
  }
}
