package carillon.api.jobs;

import carillon.access.AuditEntry.AuditContext;
import carillon.api.http.EtagPreconditions;
import carillon.job.CollectionName;
import carillon.job.JobDefinition;
import carillon.job.Pause.PauseOptions;
import carillon.job.Precondition;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.State;
import carillon.job.collection.CollectionLimits;
import carillon.job.collection.JobCollection;
import carillon.json.CollectionCodec;
import carillon.secret.Vault;
import carillon.store.ChangeRetries;
import carillon.store.Stores;
import carillon.store.collection.CollectionStore;
import carillon.store.collection.CollectionStore.FoundCollection;
import carillon.store.collection.DisabledMarkers;
import carillon.store.collection.JobQuota;
import carillon.store.job.AuditLog;
import carillon.store.node.FormatGuard;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Function;

/** Operations of clients on collections that take more than one call of the store. */
public final class CollectionOperations {
  private static final Future<Boolean> NEVER_THERE = Future.succeededFuture(false);

  private final CollectionStore collections;
  private final DisabledMarkers disabledMarkers;
  private final FormatGuard formats;
  private final JobQuota quota;
  private final AuditLog audit;
  private final Vault vault;

  public CollectionOperations(Stores stores, Vault vault) {
    this.collections = stores.collection().collections();
    this.disabledMarkers = stores.collection().disabledMarkers();
    this.formats = stores.node().formatGuard();
    this.quota = stores.collection().jobQuota();
    this.audit = stores.job().auditLog();
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
      AuditContext context) {
    Future<CollectionDefinition> whole =
        definition.keepsSecrets()
            ? collections
                .find(name)
                .map(found -> definition.keeping(found.map(JobCollection::definition)))
            : Future.succeededFuture(definition);
    return whole.compose(admitted -> store(name, vault.seal(name, admitted), condition, context));
  }

  private Future<CollectionStore.Put> store(
      CollectionName name,
      CollectionDefinition sealed,
      Precondition condition,
      AuditContext context) {
    boolean bounded = CollectionLimits.of(sealed).maxJobs().isPresent();
    return collections
        .put(name, sealed, condition, context.at())
        .compose(put -> noted(put, context))
        .compose(
            put ->
                put.created() || !bounded
                    ? Future.succeededFuture(put)
                    : quota.count(put.collection().name()).map(put));
  }

  private Future<CollectionStore.Put> noted(CollectionStore.Put put, AuditContext context) {
    return audit
        .note(
            context,
            put.collection().name().key(),
            put.before().map(CollectionCodec::withoutSecrets),
            Optional.of(CollectionCodec.withoutSecrets(put.collection().definition())))
        .map(put);
  }

  /**
   * Deletes the collection with all its jobs.
   *
   * @return false when there was none; fails with PRECONDITION_FAILED
   */
  public Future<Boolean> delete(CollectionName name, Precondition condition, AuditContext context) {
    return collections
        .look(name)
        .compose(
            found ->
                collections
                    .delete(name, condition)
                    .compose(
                        existed ->
                            existed
                                ? gone(name, found.flatMap(FoundCollection::collection), context)
                                : NEVER_THERE));
  }

  private Future<Boolean> gone(
      CollectionName name, Optional<JobCollection> found, AuditContext context) {
    Optional<String> before =
        found.map(JobCollection::definition).map(CollectionCodec::withoutSecrets);
    return audit.note(context, name.key(), before, Optional.empty()).map(true);
  }

  /** Changes what the document mentions. Fails as {@link #change} does. */
  Future<JobCollection> patch(
      CollectionName name,
      CollectionCodec codec,
      byte[] patch,
      Precondition condition,
      AuditContext context) {
    return change(
        name,
        condition,
        context,
        current ->
            vault.seal(
                name, codec.patch(current, patch).keeping(Optional.of(current.definition()))));
  }

  /** Disables the collection. Fails as {@link #change} does. */
  Future<JobCollection> disable(
      CollectionName name, PauseOptions options, Precondition condition, AuditContext context) {
    return formats
        .require(JobDefinition.SCHEDULE_FORMAT, options.guardedProperty())
        .compose(
            understood ->
                change(
                    name,
                    condition,
                    context,
                    current -> disabled(current.definition(), options, context)));
  }

  private static CollectionDefinition disabled(
      CollectionDefinition current, PauseOptions options, AuditContext context) {
    return current.state() == State.DISABLED && options.isMet(current.pause())
        ? current
        : current.paused(Optional.of(options.pause(current.pause(), context.by(), context.at())));
  }

  /**
   * Gives the collection another definition. Fails with COLLECTION_NOT_FOUND, INVALID,
   * PRECONDITION_FAILED.
   */
  public Future<JobCollection> change(
      CollectionName name,
      Precondition condition,
      AuditContext context,
      Function<JobCollection, CollectionDefinition> update) {
    return new ChangeRetries()
        .repeat(
            failure -> ChangeRetries.isOvertaken(failure, condition),
            () ->
                checked(name, condition)
                    .compose(
                        current -> write(current, reseal(name, update.apply(current)), context)));
  }

  /** Seals secrets again that an older key has sealed, so that none is written back under it. */
  private CollectionDefinition reseal(CollectionName name, CollectionDefinition definition) {
    return vault.hasOlderKeys() ? vault.seal(name, definition) : definition;
  }

  /**
   * Writes nothing where nothing changes, but the disabled marker, which a change that was not
   * answered may have left unset: this may be its repetition.
   */
  private Future<JobCollection> write(
      JobCollection current, CollectionDefinition definition, AuditContext context) {
    if (definition.equals(current.definition())) {
      return disabledMarkers.settleIfEverDisabled(current.name()).map(current);
    }
    Precondition unchanged = Precondition.revision(current.revision());
    return store(current.name(), definition, unchanged, context)
        .map(CollectionStore.Put::collection);
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
