package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.config.Settings;
import carillon.job.attempt.HistoryEntry;
import carillon.job.name.JobState;
import carillon.support.Await;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests that the places of a destination are returned, whatever the outcome of its calls. */
class PlacesTest extends EngineFixture {
  private static final int PLACES = 2;

  @Override
  Settings settings() {
    return EngineSettings.with("dispatch.maxInFlight=100", "dispatch.maxPerDestination=" + PLACES);
  }

  private void putNow(String job) {
    engine.put(job, JobJson.get(target.url("/" + job)).startTime(clock.instant()).json());
  }

  private void assertAllPlacesAreFree() {
    target.hold();
    for (int i = 0; i < PLACES; i++) {
      putNow("later" + i);
    }
    int before = target.calls().size();
    engine.poll();
    Await.until("as many calls as places", () -> target.calls().size() == before + PLACES);
    target.release();
    engine.awaitIdle();
  }

  /**
   * Simulates a failover that loses a claim: the call is in flight, and the job is due once more.
   */
  @Test
  void aRunThatIsClaimedOnceMoreWhileItsCallIsUnderWayHasAPlaceOfItsOwn() {
    target.hold();
    putNow("j");
    engine.poll();
    target.awaitCalls(1);
    String slot = Engine.slot("j");
    engine.redis(Command.DEL, slot + "claims:node");
    engine.redis(Command.ZADD, slot + "due", "1", "job:" + Engine.name("j").key());
    engine.poll();
    target.awaitCalls(2);
    target.release();
    engine.awaitIdle();

    assertEquals(1, engine.history("j").size());
    assertAllPlacesAreFree();
  }

  /**
   * The second attempt waits for the place of the first, while another node takes it over in a
   * pause.
   */
  @Test
  void whatWaitsForItsPlaceIsNotSentUnderALaterLease() {
    target.hold();
    for (int i = 0; i <= PLACES; i++) {
      putNow("j" + i);
    }
    engine.poll();
    Await.until("calls at all places", () -> target.calls().size() == PLACES);
    Await.until("one that waits", () -> engine.claims() == PLACES + 1);
    engine.freeze();
    recoverAll();
    try (Engine other = new Engine(RedisServer.shared(), "other", clock)) {
      other.beat();
      other.poll();
      Await.until("the calls of the other", () -> target.calls().size() == 2 * PLACES + 1);
      engine.beat();
      target.release();
      other.awaitIdle();
      engine.awaitIdle();
    }

    assertEquals(2 * PLACES + 1, target.calls().size());
  }

  private void recoverAll() {
    for (int i = 0; i < Engine.KEYS.partitions(); i++) {
      int partition = i;
      engine.stores(s -> s.attempt().claims().recover(partition, "node", clock.instant()));
    }
  }

  @Test
  void anAttemptThatThrowsHasFailed() {
    Instant soon = clock.instant().plusSeconds(1);
    for (int i = 0; i <= PLACES; i++) {
      putOnce("damaged" + i, soon);
      damage("damaged" + i);
    }
    engine.stepTo(soon);
    putOnce("sound", soon);
    engine.step();

    for (int i = 0; i <= PLACES; i++) {
      HistoryEntry entry = engine.history("damaged" + i).get(0);
      assertEquals(HistoryEntry.Status.FAILED, entry.status());
      assertEquals("Failed within the scheduler, whose log says why", entry.message());
      assertEquals(JobState.FAULTED, engine.get("damaged" + i).state());
    }
    assertEquals(JobState.COMPLETED, engine.get("sound").state());
  }

  /** Sets a timeout of zero, for which no timer can be set. */
  private void damage(String job) {
    String hash = Engine.hash(job);
    JsonObject definition =
        new JsonObject(engine.redis(Command.HGET, hash, "definition").toString());
    definition.getJsonObject("action").put("timeout", "PT0S");
    engine.redis(Command.HSET, hash, "definition", definition.encode());
  }

  private void putOnce(String job, Instant due) {
    engine.put(job, JobJson.get(target.url("/" + job)).startTime(due).noRetry().json());
  }

  @Test
  void aResultThatRedisRefusesKeepsItsPlaceUntilItIsRecorded() {
    target.hold();
    putNow("j");
    engine.poll();
    target.awaitCalls(1);
    engine.redis(Command.ACL, "LOG", "RESET");
    engine.redis(Command.ACL, "SETUSER", "default", "-hmget");
    try {
      target.release();
      Await.until("a refusal", () -> engine.redis(Command.ACL, "LOG").size() > 0);
      assertEquals(1, engine.claims());
    } finally {
      engine.redis(Command.ACL, "SETUSER", "default", "+@all");
    }
    engine.awaitIdle();

    assertEquals(1, target.calls().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
    assertAllPlacesAreFree();
  }
}
