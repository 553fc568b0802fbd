package carillon.api.jobs;

import carillon.api.http.EtagPreconditions;
import carillon.job.AuditEntry.AuditContext;
import carillon.job.CollectionDefinition;
import carillon.job.CollectionLimits;
import carillon.job.CollectionName;
import carillon.job.JobCollection;
import carillon.job.Precondition;
import carillon.json.CollectionCodec;
import carillon.secret.Vault;
import carillon.store.Stores;
import carillon.store.collection.CollectionStore;
import carillon.store.collection.DisabledMarkers;
import carillon.store.collection.JobQuota;
import carillon.store.job.AuditLog;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Function;

/** Operations of clients on collections that take more than one call of the store. */
public final class CollectionOperations {
  private static final Future<Boolean> NEVER_THERE = Future.succeededFuture(false);

  private final CollectionStore collections;
  private final DisabledMarkers disabledMarkers;
  private final JobQuota quota;
  private final AuditLog audit;
  private final Vault vault;

  public CollectionOperations(Stores stores, Vault vault) {
    this.collections = stores.collections();
    this.disabledMarkers = stores.disabledMarkers();
    this.quota = stores.quota();
    this.audit = stores.audit();
    this.vault = vault;
  }

  /**
   * Creates or replaces the collection; secrets that were left out stay. A bound on the number of
   * jobs counts those that are there, before this is answered. Fails with INVALID,
   * PRECONDITION_FAILED.
   */
  public Future<CollectionStore.Put> put(
      CollectionName name,
      CollectionDefinition definition,
      Precondition condition,
      AuditContext by) {
    Future<CollectionDefinition> whole =
        definition.keepsSecrets()
            ? collections
                .find(name)
                .map(found -> definition.keeping(found.map(JobCollection::definition)))
            : Future.succeededFuture(definition);
    return whole.compose(admitted -> store(name, vault.seal(name, admitted), condition, by));
  }

  private Future<CollectionStore.Put> store(
      CollectionName name, CollectionDefinition sealed, Precondition condition, AuditContext by) {
    boolean bounded = CollectionLimits.of(sealed).maxJobs().isPresent();
    return collections
        .put(name, sealed, condition, by.at())
        .compose(put -> noted(put, by))
        .compose(
            put ->
                put.created() || !bounded
                    ? Future.succeededFuture(put)
                    : quota.count(put.collection().name()).map(put));
  }

  private Future<CollectionStore.Put> noted(CollectionStore.Put put, AuditContext by) {
    return audit
        .note(
            by,
            put.collection().name().key(),
            put.before().map(CollectionCodec::open),
            Optional.of(CollectionCodec.open(put.collection().definition())))
        .map(put);
  }

  /**
   * Deletes the collection with all its jobs.
   *
   * @return false when there was none; fails with PRECONDITION_FAILED
   */
  public Future<Boolean> delete(CollectionName name, Precondition condition, AuditContext by) {
    return collections
        .find(name)
        .compose(
            found ->
                collections
                    .delete(name, condition)
                    .compose(existed -> existed ? gone(name, found, by) : NEVER_THERE));
  }

  private Future<Boolean> gone(
      CollectionName name, Optional<JobCollection> found, AuditContext by) {
    Optional<String> before = found.map(JobCollection::definition).map(CollectionCodec::open);
    return audit.note(by, name.key(), before, Optional.empty()).map(true);
  }

  /** Changes what the document mentions. Fails as {@link #change} does. */
  Future<JobCollection> patch(
      CollectionName name,
      CollectionCodec codec,
      byte[] change,
      Precondition condition,
      AuditContext by) {
    return change(
        name,
        condition,
        by,
        current ->
            vault.seal(
                name, codec.patch(current, change).keeping(Optional.of(current.definition()))));
  }

  /**
   * Gives the collection another definition. Fails with COLLECTION_NOT_FOUND, INVALID,
   * PRECONDITION_FAILED.
   */
  public Future<JobCollection> change(
      CollectionName name,
      Precondition condition,
      AuditContext by,
      Function<JobCollection, CollectionDefinition> change) {
    return change(name, condition, by, change, JobOperations.MAX_CHANGE_ATTEMPTS);
  }

  private Future<JobCollection> change(
      CollectionName name,
      Precondition condition,
      AuditContext by,
      Function<JobCollection, CollectionDefinition> change,
      int attempts) {
    return checked(name, condition)
        .compose(current -> write(current, sealedAnew(name, change.apply(current)), by))
        .recover(
            failure ->
                condition.equals(Precondition.NONE)
                        && attempts > 1
                        && JobOperations.isOvertaken(failure)
                    ? change(name, condition, by, change, attempts - 1)
                    : Future.failedFuture(failure));
  }

  /** Seals secrets again that an older key has sealed, so that none is written back under it. */
  private CollectionDefinition sealedAnew(CollectionName name, CollectionDefinition definition) {
    return vault.hasOlderKeys() ? vault.seal(name, definition) : definition;
  }

  /**
   * Writes nothing where nothing changes, but the disabled marker, which a change that was not
   * answered may have left unset: this may be its repetition.
   */
  private Future<JobCollection> write(
      JobCollection current, CollectionDefinition definition, AuditContext by) {
    if (definition.equals(current.definition())) {
      return disabledMarkers.settleIfEverDisabled(current.name()).map(current);
    }
    Precondition unchanged = Precondition.revision(current.revision());
    return store(current.name(), definition, unchanged, by).map(CollectionStore.Put::collection);
  }

  private Future<JobCollection> checked(CollectionName name, Precondition condition) {
    return collections
        .get(name)
        .map(
            current -> {
              String what = "Job collection '" + name.collection() + "'";
              EtagPreconditions.check(condition, current.revision(), what);
              return current;
            });
  }
}
