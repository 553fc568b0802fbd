package carillon.api.jobs;

import carillon.api.http.ApiRequest;
import carillon.api.http.RoutePermission;
import carillon.api.resources.CollectionOperations;
import carillon.job.Precondition;
import carillon.job.collection.CollectionDefinition;
import carillon.job.name.CollectionName;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.store.ChangeRetries;
import io.vertx.core.Future;
import java.util.function.Supplier;

/**
 * Creation of a collection by the write of its first job. It needs a dialect with this feature, and
 * a caller who could create the collection too.
 */
final class FirstUse {
  private static final byte[] NOTHING_SAID = {'{', '}'};

  private final CollectionOperations collections;

  FirstUse(CollectionOperations collections) {
    this.collections = collections;
  }

  /**
   * Writes a job; once more after its collection has been made.
   *
   * @param condition of the write: a job that must be there needs no new collection
   */
  <T> Future<T> write(ApiRequest request, Precondition condition, Supplier<Future<T>> write) {
    return write
        .get()
        .recover(
            failure ->
                condition.allowsNew() && isMade(request, failure)
                    ? make(request).compose(made -> write.get())
                    : Future.failedFuture(failure));
  }

  /** Whether a write that failed like this would make the collection. */
  boolean isMade(ApiRequest request, Throwable failure) {
    return failure instanceof JobException refusal
        && refusal.code() == ErrorCode.COLLECTION_NOT_FOUND
        && request.path().route().envelope().makesCollections()
        && RoutePermission.GROUP_WRITER.permits(request);
  }

  private Future<Void> make(ApiRequest request) {
    CollectionName name = request.path().collection();
    CollectionDefinition definition =
        request.codec().collections().read(NOTHING_SAID, name.collection());
    return collections
        .put(
            name,
            definition,
            Precondition.ABSENT,
            request.auditContext("collection", request.caller()))
        .<Void>mapEmpty()
        .recover(
            failure -> // a concurrent write created the collection
            ChangeRetries.isOvertaken(failure)
                    ? Future.succeededFuture()
                    : Future.failedFuture(failure));
  }
}
