package carillon.timer;

import carillon.access.AuditEntry.AuditContext;
import carillon.job.CollectionName;
import carillon.job.Pause;
import carillon.job.Precondition;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.State;
import carillon.job.collection.JobCollection;
import carillon.json.CollectionCodec;
import carillon.store.Stores;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resumer of collections whose pause ends by itself: enables them as a client would. What does not
 * succeed is repeated by the next heartbeat. Confined to the timer's event loop.
 */
final class CollectionResumer {
  private static final Logger LOG = LoggerFactory.getLogger(CollectionResumer.class);

  private final Stores stores;
  private final InstantSource clock;

  CollectionResumer(Stores stores, InstantSource clock) {
    this.stores = stores;
    this.clock = clock;
  }

  /** Ends the pause of a collection, if it is over; never fails. */
  Future<Void> resume(String collection) {
    CollectionName name = CollectionName.parse(collection);
    return stores
        .collection()
        .collections()
        .find(name)
        .compose(
            found ->
                found
                    .filter(this::isOver)
                    .map(this::enable)
                    .orElseGet(
                        () -> stores.collection().disabledMarkers().settleIfEverDisabled(name)))
        .onFailure(
            failure ->
                LOG.atWarn()
                    .addKeyValue("collection", collection)
                    .addKeyValue("error", failure.getMessage())
                    .log("the pause of a collection cannot be ended; trying again later"))
        .otherwiseEmpty();
  }

  private boolean isOver(JobCollection collection) {
    Instant now = clock.instant();
    return collection
        .definition()
        .pause()
        .flatMap(Pause::until)
        .filter(until -> !until.isAfter(now))
        .isPresent();
  }

  private Future<Void> enable(JobCollection collection) {
    CollectionDefinition enabled = collection.definition().in(State.ENABLED);
    Instant now = clock.instant();
    AuditContext context = new AuditContext(Pause.PROGRAM, "", "resume collection", now);
    return stores
        .collection()
        .collections()
        .put(collection.name(), enabled, Precondition.revision(collection.revision()), now)
        .compose(
            put ->
                stores
                    .job()
                    .auditLog()
                    .note(
                        context,
                        collection.name().key(),
                        Optional.of(CollectionCodec.withoutSecrets(collection.definition())),
                        Optional.of(CollectionCodec.withoutSecrets(enabled))))
        .onSuccess(
            done ->
                LOG.atInfo()
                    .addKeyValue("collection", collection.name().key())
                    .log("the pause of a collection is over"))
        .mapEmpty();
  }
}
