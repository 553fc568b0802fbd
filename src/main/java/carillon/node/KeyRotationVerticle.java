package carillon.node;

import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.json.StoredJson;
import carillon.redis.route.RedisRoute;
import carillon.secret.Vault;
import carillon.store.StoreFactory;
import carillon.store.Stores;
import carillon.store.operation.SecretRewriteStore;
import carillon.store.operation.SecretRewriteStore.Definition;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verticle that seals all secrets under the active key. After the start of a node it walks once
 * over all jobs and collections, reseals secrets that are under an older key or in clear, and logs
 * the end. Concurrent writes use the active key anyway. It skips an item that somebody changes at
 * the same moment, and checks it again later. Several nodes may do the same concurrently. State is
 * confined to its event loop.
 */
public final class KeyRotationVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(KeyRotationVerticle.class);

  /** Pause between two slices, so that other clients of Redis have their turn. */
  private static final Duration PAUSE = Duration.ofMillis(20);

  private static final Duration BEFORE_NEXT_WALK = Duration.ofSeconds(1);

  private final StoreFactory storeFactory;
  private final Vault vault;
  private Stores stores; // set once started
  private boolean stopped;

  public KeyRotationVerticle(StoreFactory storeFactory, Vault vault) {
    this.storeFactory = storeFactory;
    this.vault = vault;
  }

  /**
   * Result of a walk.
   *
   * @param sealed definitions now under the active key
   * @param overtaken definitions that somebody changed at the same moment
   * @param unreadable definitions with a secret that no key of this node unseals
   */
  public record RotationCount(int sealed, int overtaken, int unreadable) {
    private static final RotationCount NOTHING = new RotationCount(0, 0, 0);
    private static final RotationCount SEALED = new RotationCount(1, 0, 0);
    private static final RotationCount OVERTAKEN = new RotationCount(0, 1, 0);
    private static final RotationCount UNREADABLE = new RotationCount(0, 0, 1);

    private RotationCount plus(RotationCount other) {
      return new RotationCount(
          sealed + other.sealed, overtaken + other.overtaken, unreadable + other.unreadable);
    }
  }

  @Override
  public Future<?> start() {
    return storeFactory
        .open(vertx)
        .onSuccess(
            opened -> {
              stores = opened;
              rotate();
            });
  }

  private void rotate() {
    walk()
        .onSuccess(this::report)
        .onFailure(
            failure -> {
              if (!stopped) {
                LOG.atError()
                    .setCause(failure)
                    .log("secrets cannot be sealed under the active key");
              }
            });
  }

  private void report(RotationCount tally) {
    if (tally.overtaken > 0) {
      vertx.setTimer(BEFORE_NEXT_WALK.toMillis(), id -> rotate());
    } else if (tally.unreadable > 0) {
      LOG.atWarn()
          .addKeyValue("sealed", tally.sealed)
          .addKeyValue("unreadable", tally.unreadable)
          .log(
              "secrets are sealed under the active key, except those that no key of this node"
                  + " opens");
    } else {
      LOG.atInfo()
          .addKeyValue("sealed", tally.sealed)
          .addKeyValue("key", vault.activeKey())
          .log(
              "all secrets are sealed under the active key; when every node has logged this, the"
                  + " older keys can be removed");
    }
  }

  /** Walks once over everything; may be called from any thread. */
  public Future<RotationCount> walk() {
    Promise<RotationCount> done = Promise.promise();
    context.runOnContext(go -> walkAll().onComplete(done));
    return done.future();
  }

  /**
   * Walks over everything. A master that was replaced during the walk counts as a change, because
   * the walk may have missed something.
   */
  private Future<RotationCount> walkAll() {
    List<RedisRoute> servers = stores.operation().secretRewrites().servers();
    return walkOnce()
        .map(
            tally ->
                servers.equals(stores.operation().secretRewrites().servers())
                    ? tally
                    : tally.plus(RotationCount.OVERTAKEN));
  }

  private Future<RotationCount> walkOnce() {
    Promise<RotationCount> walked = Promise.promise();
    walk(SecretRewriteStore.EDGE, RotationCount.NOTHING, walked);
    return walked.future();
  }

  /**
   * Walks in a loop of callbacks. Futures that wait for each other would be too deep a stack for a
   * million jobs.
   */
  private void walk(String from, RotationCount before, Promise<RotationCount> walked) {
    stores
        .operation()
        .secretRewrites()
        .read(from)
        .compose(
            slice ->
                all(slice.definitions()).map(now -> new Walked(slice.next(), before.plus(now))))
        .onFailure(walked::fail)
        .onSuccess(
            at -> {
              if (at.next.equals(SecretRewriteStore.EDGE)) {
                walked.complete(at.count);
              } else {
                vertx.setTimer(PAUSE.toMillis(), passed -> walk(at.next, at.count, walked));
              }
            });
  }

  private record Walked(String next, RotationCount count) {}

  private Future<RotationCount> all(List<Definition> definitions) {
    List<Future<RotationCount>> each =
        definitions.stream()
            .filter(definition -> Vault.mayHoldSecret(definition.text()))
            .map(this::reseal)
            .toList();
    return Future.all(each)
        .map(
            done ->
                each.stream()
                    .map(Future::result)
                    .reduce(RotationCount.NOTHING, RotationCount::plus));
  }

  private Future<RotationCount> reseal(Definition definition) {
    String text;
    try {
      text = definition.isJob() ? job(definition) : collection(definition);
    } catch (JobException | IllegalStateException e) {
      LOG.atWarn()
          .addKeyValue("owner", definition.owner())
          .addKeyValue("error", e.getMessage())
          .log("secrets cannot be sealed under the active key");
      return Future.succeededFuture(RotationCount.UNREADABLE);
    }
    return text.equals(definition.text())
        ? Future.succeededFuture(RotationCount.NOTHING)
        : stores
            .operation()
            .secretRewrites()
            .replace(definition, text)
            .map(replaced -> replaced ? RotationCount.SEALED : RotationCount.OVERTAKEN);
  }

  private String job(Definition definition) {
    return StoredJson.write(
        vault.reseal(
            definition.owner(),
            StoredJson.readJob(new JobKey(definition.owner()), definition.text())));
  }

  private String collection(Definition definition) {
    return StoredJson.write(
        vault.reseal(definition.owner(), StoredJson.readCollection(definition.text())));
  }

  @Override
  public Future<?> stop() {
    stopped = true;
    return stores == null ? Future.succeededFuture() : stores.close();
  }
}
