package carillon.timer;

import carillon.access.AuditEntry.AuditContext;
import carillon.job.Pause;
import carillon.job.Precondition;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.State;
import carillon.job.collection.JobCollection;
import carillon.job.collection.PauseScope;
import carillon.job.name.CollectionName;
import carillon.json.CollectionCodec;
import carillon.json.StoredJson;
import carillon.store.Stores;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends pauses of collections automatically, by enabling them as a client would. Also begins planned
 * pauses. The next heartbeat repeats what failed. Confined to the timer's event loop.
 */
final class CollectionResumer {
  private static final Logger LOG = LoggerFactory.getLogger(CollectionResumer.class);

  private final Stores stores;
  private final InstantSource clock;

  CollectionResumer(Stores stores, InstantSource clock) {
    this.stores = stores;
    this.clock = clock;
  }

  /** Begins a planned pause when its instant has come. Never fails. */
  Future<Void> begin(String key) {
    return logged(
        key,
        PauseScope.ofKey(key)
            .map(scope -> stores.collection().disabledMarkers().settle(scope))
            .orElseGet(() -> follow(CollectionName.parse(key))));
  }

  /** Ends the pause of a collection, a group or everything if it is over. Never fails. */
  Future<Void> resume(String key) {
    return logged(
        key,
        PauseScope.ofKey(key).map(this::resume).orElseGet(() -> follow(CollectionName.parse(key))));
  }

  private Future<Void> resume(PauseScope scope) {
    Instant now = clock.instant();
    return stores
        .collection()
        .scopePauses()
        .change(scope, pause -> pause.flatMap(one -> one.current(now)), now)
        .compose(
            change ->
                change.before().equals(change.after())
                    ? Future.succeededFuture()
                    : stores
                        .job()
                        .auditLog()
                        .note(
                            new AuditContext(Pause.PROGRAM, "", "resume", now),
                            scope.auditObject(),
                            change.before().map(StoredJson::write),
                            change.after().map(StoredJson::write)));
  }

  /** Disables or enables a collection as its pause says. Sets its marker if nothing changes. */
  private Future<Void> follow(CollectionName name) {
    return stores
        .collection()
        .collections()
        .find(name)
        .compose(
            found ->
                found
                    .filter(it -> !followed(it).equals(it.definition()))
                    .map(it -> write(it, followed(it)))
                    .orElseGet(
                        () -> stores.collection().disabledMarkers().settleIfEverDisabled(name)));
  }

  private static Future<Void> logged(String key, Future<Void> done) {
    return done.onFailure(
            failure ->
                LOG.atWarn()
                    .addKeyValue("collection", key)
                    .addKeyValue("error", failure.getMessage())
                    .log("the pause of a collection cannot be ended; trying again later"))
        .otherwiseEmpty();
  }

  private CollectionDefinition followed(JobCollection collection) {
    return collection.definition().following(clock.instant());
  }

  private Future<Void> write(JobCollection collection, CollectionDefinition changed) {
    Instant now = clock.instant();
    String action = changed.state() == State.ENABLED ? "resume collection" : "disable collection";
    AuditContext context = new AuditContext(Pause.PROGRAM, "", action, now);
    return stores
        .collection()
        .collections()
        .put(collection.name(), changed, Precondition.revision(collection.revision()), now)
        .compose(
            put ->
                stores
                    .job()
                    .auditLog()
                    .note(
                        context,
                        collection.name().key(),
                        Optional.of(CollectionCodec.withoutSecrets(collection.definition())),
                        Optional.of(CollectionCodec.withoutSecrets(changed))))
        .onSuccess(
            done ->
                LOG.atInfo()
                    .addKeyValue("collection", collection.name().key())
                    .addKeyValue("state", changed.state().word())
                    .log("a collection has changed its state as its pause said"))
        .mapEmpty();
  }
}
