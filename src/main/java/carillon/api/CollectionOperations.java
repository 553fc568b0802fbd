package carillon.api;

import carillon.codec.CollectionReader;
import carillon.job.CollectionDefinition;
import carillon.job.CollectionLimits;
import carillon.job.CollectionName;
import carillon.job.JobCollection;
import carillon.job.Precondition;
import carillon.store.CollectionStore;
import carillon.store.Places;
import carillon.vault.Vault;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/** What clients do to collections that is more than one call of the store. */
final class CollectionOperations {
  /** So often is a change begun again when another one came between; then the client is told. */
  private static final int CHANGE_ATTEMPTS = 5;

  private final CollectionStore collections;
  private final Places places;
  private final Vault vault;

  CollectionOperations(CollectionStore collections, Places places, Vault vault) {
    this.collections = collections;
    this.places = places;
    this.vault = vault;
  }

  /**
   * Creates or replaces the collection; secrets that were left out stay. A bound on the number of
   * jobs counts those that are there, before this is answered. Fails with INVALID,
   * PRECONDITION_FAILED.
   */
  Future<CollectionStore.Put> put(
      CollectionName name, CollectionDefinition definition, Precondition condition, Instant now) {
    Future<CollectionDefinition> whole =
        definition.keepsSecrets()
            ? collections
                .find(name)
                .map(found -> definition.keeping(found.map(JobCollection::definition)))
            : Future.succeededFuture(definition);
    return whole.compose(admitted -> store(name, vault.seal(name, admitted), condition, now));
  }

  private Future<CollectionStore.Put> store(
      CollectionName name, CollectionDefinition sealed, Precondition condition, Instant now) {
    boolean bounded = CollectionLimits.of(sealed).maxJobs().isPresent();
    return collections
        .put(name, sealed, condition, now)
        .compose(
            put ->
                put.created() || !bounded
                    ? Future.succeededFuture(put)
                    : places.count(put.collection().name()).map(put));
  }

  /** Changes what the document mentions. Fails as {@link #change} does. */
  Future<JobCollection> patch(
      CollectionName name,
      CollectionReader reader,
      byte[] change,
      Precondition condition,
      Instant now) {
    return change(
        name,
        condition,
        now,
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
      Instant now,
      Function<JobCollection, CollectionDefinition> change) {
    return change(name, condition, now, change, CHANGE_ATTEMPTS);
  }

  private Future<JobCollection> change(
      CollectionName name,
      Precondition condition,
      Instant now,
      Function<JobCollection, CollectionDefinition> change,
      int attempts) {
    return checked(name, condition)
        .compose(current -> write(current, change.apply(current), now))
        .recover(
            failure ->
                condition.equals(Precondition.NONE)
                        && attempts > 1
                        && JobOperations.isOvertaken(failure)
                    ? change(name, condition, now, change, attempts - 1)
                    : Future.failedFuture(failure));
  }

  /** Writes nothing where nothing changes. */
  private Future<JobCollection> write(
      JobCollection current, CollectionDefinition definition, Instant now) {
    if (definition.equals(current.definition())) {
      return Future.succeededFuture(current);
    }
    Precondition unchanged = Precondition.revision(current.revision());
    return store(current.name(), definition, unchanged, now).map(CollectionStore.Put::collection);
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
