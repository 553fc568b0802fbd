package carillon.api;

import carillon.job.CollectionDefinition;
import carillon.job.CollectionLimits;
import carillon.job.CollectionName;
import carillon.job.JobCollection;
import carillon.job.Precondition;
import carillon.store.CollectionStore;
import carillon.store.Places;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.function.Function;

/** What clients do to collections that is more than one call of the store. */
final class CollectionOperations {
  /** So often is a change begun again when another one came between; then the client is told. */
  private static final int CHANGE_ATTEMPTS = 5;

  private final CollectionStore collections;
  private final Places places;

  CollectionOperations(CollectionStore collections, Places places) {
    this.collections = collections;
    this.places = places;
  }

  /**
   * Creates or replaces. A bound on the number of jobs counts those that are there, before this is
   * answered. Fails with PRECONDITION_FAILED.
   */
  Future<CollectionStore.Put> put(
      CollectionName name, CollectionDefinition definition, Precondition condition, Instant now) {
    boolean bounded = CollectionLimits.of(definition).maxJobs().isPresent();
    return collections
        .put(name, definition, condition, now)
        .compose(
            put ->
                put.created() || !bounded
                    ? Future.succeededFuture(put)
                    : places.count(put.collection().name()).map(put));
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
    return put(current.name(), definition, unchanged, now).map(CollectionStore.Put::collection);
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
