package carillon.api.resources;

import carillon.access.AuditEntry.AuditContext;
import carillon.api.http.EtagPreconditions;
import carillon.job.Pause;
import carillon.job.Pause.PauseOptions;
import carillon.job.Precondition;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.State;
import carillon.job.collection.CollectionLimits;
import carillon.job.collection.JobCollection;
import carillon.job.name.CollectionName;
import carillon.job.name.JobException;
import carillon.json.CollectionCodec;
import carillon.secret.Vault;
import carillon.store.ChangeRetries;
import carillon.store.Stores;
import carillon.store.collection.CollectionStore;
import carillon.store.collection.CollectionStore.FoundCollection;
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
    this.collections = stores.collection().collections();
    this.disabledMarkers = stores.collection().disabledMarkers();
    this.quota = stores.collection().jobQuota();
    this.audit = stores.job().auditLog();
    this.vault = vault;
  }

  /**
   * Creates or replaces the collection. Omitted secrets stay, and so does a planned pause. If the
   * number of jobs is bounded, the existing jobs are counted before this is answered. Fails with
   * INVALID, PRECONDITION_FAILED.
   */
  public Future<CollectionStore.Put> put(
      CollectionName name,
      CollectionDefinition definition,
      Precondition condition,
      AuditContext context) {
    // Replaces a damaged collection, except when the new definition keeps stored secrets.
    Future<Optional<JobCollection>> stored =
        definition.keepsSecrets()
            ? collections.find(name)
            : collections.look(name).map(found -> found.flatMap(FoundCollection::collection));
    return stored
        .map(found -> definition.keeping(found.map(JobCollection::definition)))
        .compose(admitted -> store(name, vault.seal(name, admitted), condition, context));
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

  /** Changes the parts in the document. Fails as {@link #change} does. */
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

  /** Disables the collection, or plans its pause. Fails as {@link #change} does. */
  Future<JobCollection> disable(
      CollectionName name, PauseOptions options, Precondition condition, AuditContext context) {
    return change(
        name, condition, context, current -> disabled(current.definition(), options, context));
  }

  private static CollectionDefinition disabled(
      CollectionDefinition current, PauseOptions options, AuditContext context) {
    if (current.state() == State.DISABLED && options.isMet(current.pause())) {
      return current;
    }
    if (options.from().isPresent()
        && current.state() != State.ENABLED
        && current.pause().isEmpty()) {
      throw JobException.invalid(
          "from: must be left out while the state in its document disables the collection");
    }
    Pause pause = options.pause(current.pause(), context.by(), context.at());
    return current.paused(pause, context.at());
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

  /** Reseals secrets of an older key, so that a write never keeps the older key. */
  private CollectionDefinition reseal(CollectionName name, CollectionDefinition definition) {
    return vault.hasOlderKeys() ? vault.seal(name, definition) : definition;
  }

  /**
   * Writes the definition if it changes. Otherwise it only settles the disabled marker: this may be
   * the repetition of a change without an answer, which may have left the marker unset.
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
