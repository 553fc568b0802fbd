package carillon.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.Precondition;
import carillon.job.StoredJob;
import carillon.job.action.HttpCall;
import carillon.job.action.Secret;
import carillon.job.attempt.Attempt;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.WebhookSigning;
import carillon.secret.Vault;
import carillon.store.operation.SecretRewriteStore;
import carillon.support.Await;
import carillon.support.Engine;
import carillon.support.JobJson;
import carillon.support.Keys256;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import carillon.support.TestRedis;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that secrets move to a new key while the scheduler works. */
@Tag("redis")
class RotationTest {
  private static final String OLD = Keys256.ring(1).activeId();
  private static final String NEW = Keys256.ring(2).activeId();
  private static final Vault ROTATING = Vault.of(Keys256.ring(2, 1));
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final int JOBS = 600;

  private final TestClock clock = new TestClock(NOON);
  private final Vertx vertx = Vertx.vertx();
  private final TestRedis redis = redis();
  private Engine engine;

  TestRedis redis() {
    return RedisServer.shared();
  }

  @BeforeEach
  void start() {
    redis.flush();
    engine = new Engine(redis.setup(), "node", clock);
  }

  @AfterEach
  void stop() {
    Await.result(vertx.close());
    engine.close();
  }

  private static JobJson secured() {
    return JobJson.get("https://h/")
        .secure()
        .request(
            "authentication",
            new JsonObject().put("username", "u").put("password", "canary").put("type", "basic"));
  }

  private StoredJob put(String name) {
    return engine.put(
        name, secured().errorAction(secured()).startTime("2027-01-01T00:00:00Z").json());
  }

  private KeyRotationVerticle rotation(Vault vault) {
    KeyRotationVerticle rotation = new KeyRotationVerticle(engine.storage(), vault);
    Await.result(vertx.deployVerticle(rotation));
    return rotation;
  }

  @Test
  void everySecretComesUnderTheActiveKeyAndNothingElseChanges() {
    for (int i = 0; i < JOBS; i++) {
      put("j" + i);
    }
    WebhookSigning signing = new WebhookSigning(List.of(new Secret("whsec_" + Keys256.key(3))));
    CollectionDefinition signed =
        Keys256.VAULT.seal(Engine.COLLECTION, CollectionDefinition.PLAIN.with(signing));
    engine.stores(
        stores ->
            stores
                .collection()
                .collections()
                .put(Engine.COLLECTION, signed, Precondition.NONE, NOON));
    StoredJob before = engine.get("j7");
    assertTrue(redis.dump().contains("sealed:v1:" + OLD));

    rotation(ROTATING);
    Await.until("rotation", () -> !redis.dump().contains("sealed:v1:" + OLD));

    StoredJob after = engine.get("j7");
    assertEquals(before.revision(), after.revision());
    assertEquals(before.next(), after.next());
    String dump = redis.dump();
    assertEquals(2 * JOBS + 1, dump.split("sealed:v1:" + NEW, -1).length - 1);
    Vault alone = Vault.of(Keys256.ring(2));
    alone.unseal(
        "default/default/default/j7", Attempt.Phase.MAIN, after.definition().action().call());
  }

  @Test
  void aHeaderThatAnEarlierVersionLeftInClearIsSealed() {
    StoredJob before =
        engine.put(
            "j",
            JobJson.get("http://h/")
                .request("headers", new JsonObject().put("X-Api-Key", "k"))
                .startTime("2027-01-01T00:00:00Z")
                .json());
    SecretRewriteStore.Definition sealed = firstDefinition();
    String clear = sealed.text().replaceAll("sealed:v1:[^\"]+", "canary");
    engine.stores(stores -> stores.operation().secretRewrites().replace(sealed, clear));
    assertTrue(redis.dump().contains("canary"));

    rotation(ROTATING);
    Await.until("rotation", () -> !redis.dump().contains("canary"));

    StoredJob after = engine.get("j");
    assertEquals(before.revision(), after.revision());
    HttpCall call =
        (HttpCall)
            Vault.of(Keys256.ring(2))
                .unseal(
                    "default/default/default/j",
                    Attempt.Phase.MAIN,
                    after.definition().action().call());
    assertEquals("canary", call.headers().get("X-Api-Key"));
  }

  private SecretRewriteStore.Definition firstDefinition() {
    String from = SecretRewriteStore.EDGE;
    while (true) {
      String here = from;
      SecretRewriteStore.DefinitionSlice slice =
          engine.stores(stores -> stores.operation().secretRewrites().read(here));
      if (!slice.definitions().isEmpty()) {
        return slice.definitions().get(0);
      }
      assertFalse(slice.next().equals(SecretRewriteStore.EDGE), "there is one");
      from = slice.next();
    }
  }

  @Test
  void whatWasChangedMeanwhileIsLeftAlone() {
    put("j");
    SecretRewriteStore.Definition read = firstDefinition();
    put("j");

    boolean replaced =
        engine.stores(stores -> stores.operation().secretRewrites().replace(read, "old"));

    assertFalse(replaced);
    assertFalse(redis.dump().contains(" old"));
  }

  @Test
  void aSecretThatNoKeyOpensStaysAsItIs() {
    put("j");
    String before = redis.dump();
    KeyRotationVerticle rotation = rotation(Vault.of(Keys256.ring(2, 3)));

    KeyRotationVerticle.RotationCount tally = Await.result(rotation.walk());

    assertEquals(new KeyRotationVerticle.RotationCount(0, 0, 1), tally);
    assertEquals(before, redis.dump());
  }
}
