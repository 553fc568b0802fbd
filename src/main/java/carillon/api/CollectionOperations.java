package carillon.api;

import carillon.codec.CollectionReader;
import carillon.codec.CollectionWriter;
import carillon.job.Change;
import carillon.job.CollectionDefinition;
import carillon.job.CollectionLimits;
import carillon.job.CollectionName;
import carillon.job.JobCollection;
import carillon.job.Precondition;
import carillon.store.AuditLog;
import carillon.store.CollectionStore;
import carillon.store.Gates;
import carillon.store.Places;
import carillon.store.Stores;
import carillon.vault.Vault;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Function;

/** What clients do to collections that is more than one call of the store. */
final class CollectionOperations {
  /** So often is a change begun again when another one came between; then the client is told. */
  private static final int CHANGE_ATTEMPTS = 5;

  private static final Future<Boolean> NEVER_THERE = Future.succeededFuture(false);

  private final CollectionStore collections;
  private final Gates gates;
  private final Places places;
  private final AuditLog audit;
  private final Vault vault;

  CollectionOperations(Stores stores, Vault vault) {
    this.collections = stores.collections();
    this.gates = stores.gates();
    this.places = stores.places();
    this.audit = stores.audit();
    this.vault = vault;
  }

  /**
   * Creates or replaces the collection; secrets that were left out stay. A bound on the number of
   * jobs counts those that are there, before this is answered. Fails with INVALID,
   * PRECONDITION_FAILED.
   */
  Future<CollectionStore.Put> put(
      CollectionName name, CollectionDefinition definition, Precondition condition, Change by) {
    Future<CollectionDefinition> whole =
        definition.keepsSecrets()
            ? collections
                .find(name)
                .map(found -> definition.keeping(found.map(JobCollection::definition)))
            : Future.succeededFuture(definition);
    return whole.compose(admitted -> store(name, vault.seal(name, admitted), condition, by));
  }

  private Future<CollectionStore.Put> store(
      CollectionName name, CollectionDefinition sealed, Precondition condition, Change by) {
    boolean bounded = CollectionLimits.of(sealed).maxJobs().isPresent();
    return collections
        .put(name, sealed, condition, by.at())
        .compose(put -> noted(put, by))
        .compose(
            put ->
                put.created() || !bounded
                    ? Future.succeededFuture(put)
                    : places.count(put.collection().name()).map(put));
  }

  private Future<CollectionStore.Put> noted(CollectionStore.Put put, Change by) {
    return audit
        .note(
            by,
            put.collection().name().key(),
            put.before().map(CollectionWriter::open),
            Optional.of(CollectionWriter.open(put.collection().definition())))
        .map(put);
  }

  /**
   * Deletes the collection with all its jobs.
   *
   * @return false when there was none; fails with PRECONDITION_FAILED
   */
  Future<Boolean> delete(CollectionName name, Precondition condition, Change by) {
    return collections
        .find(name)
        .compose(
            found ->
                collections
                    .delete(name, condition)
                    .compose(existed -> existed ? gone(name, found, by) : NEVER_THERE));
  }

  private Future<Boolean> gone(CollectionName name, Optional<JobCollection> found, Change by) {
    Optional<String> before = found.map(JobCollection::definition).map(CollectionWriter::open);
    return audit.note(by, name.key(), before, Optional.empty()).map(true);
  }

  /** Changes what the document mentions. Fails as {@link #change} does. */
  Future<JobCollection> patch(
      CollectionName name,
      CollectionReader reader,
      byte[] change,
      Precondition condition,
      Change by) {
    return change(
        name,
        condition,
        by,
        current ->
            vault.seal(
                name, reader.patch(current, change).keeping(Optional.of(current.definition()))));
  }

  /**
   * Gives the collection another definition. Fails with COLLECTION_NOT_FOUND, INVALID,
   * PRECONDITION_FAILED.
   */
  Future<JobCollection> change(
      CollectionName name,
      Precondition condition,
      Change by,
      Function<JobCollection, CollectionDefinition> change) {
    return change(name, condition, by, change, CHANGE_ATTEMPTS);
  }

  private Future<JobCollection> change(
      CollectionName name,
      Precondition condition,
      Change by,
      Function<JobCollection, CollectionDefinition> change,
      int attempts) {
    return checked(name, condition)
        .compose(current -> write(current, change.apply(current), by))
        .recover(
            failure ->
                condition.equals(Precondition.NONE)
                        && attempts > 1
                        && JobOperations.isOvertaken(failure)
                    ? change(name, condition, by, change, attempts - 1)
                    : Future.failedFuture(failure));
  }

  /**
   * Writes nothing where nothing changes; the gate may be left over from a change that was not
   * answered, and this may be the repeat of it.
   */
  private Future<JobCollection> write(
      JobCollection current, CollectionDefinition definition, Change by) {
    if (definition.equals(current.definition())) {
      return gates.settleIfGated(current.name()).map(current);
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
              Conditions.check(condition, current.revision(), what);
              return current;
            });
  }
}
