package carillon.api.jobs;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.EtagPreconditions;
import carillon.api.http.QueryParameters;
import carillon.job.CollectionName;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.State;
import carillon.job.collection.JobCollection;
import carillon.job.collection.JobCollection.DamagedCollection;
import carillon.store.collection.CollectionStore;
import io.vertx.core.Future;

/** Handlers of job collections. */
public final class CollectionRoutes {
  private final CollectionStore store;
  private final CollectionOperations operations;

  public CollectionRoutes(CollectionStore store, CollectionOperations operations) {
    this.store = store;
    this.operations = operations;
  }

  /** Lists the collections of a subscription or group that the caller may see. */
  public Future<ApiResponse> list(ApiRequest request) {
    QueryParameters query = request.query();
    return store
        .list(request.visible(), query.after(), query.skip(), query.top())
        .map(
            page ->
                ApiResponse.json(
                        200,
                        request
                            .codec()
                            .collections()
                            .page(
                                page.collections(),
                                page.damaged(),
                                page.after().map(request::nextLink)))
                    .withWarning(DamagedCollection.warning(page.damaged())));
  }

  /** Enables the collection. */
  public Future<ApiResponse> enable(ApiRequest request) {
    return operations
        .change(
            request.path().collection(),
            EtagPreconditions.ofWrite(request.http()),
            request.auditContext(),
            current -> current.definition().in(State.ENABLED))
        .map(collection -> ApiResponse.empty(200).withRevision(collection.revision()));
  }

  /** Disables the collection: none of its jobs runs. */
  public Future<ApiResponse> disable(ApiRequest request) {
    return operations
        .disable(
            request.path().collection(),
            request.codec().collections().readPause(request.body(), request.now()),
            EtagPreconditions.ofWrite(request.http()),
            request.auditContext())
        .map(collection -> ApiResponse.empty(200).withRevision(collection.revision()));
  }

  /** Creates or replaces a collection. */
  public Future<ApiResponse> put(ApiRequest request) {
    return put(request, 200);
  }

  /** Creates or replaces a collection and answers 201 in either case, as Resource Manager did. */
  public Future<ApiResponse> putAsCreated(ApiRequest request) {
    return put(request, 201);
  }

  private Future<ApiResponse> put(ApiRequest request, int replaced) {
    CollectionName name = request.path().collection();
    CollectionDefinition definition =
        request.codec().collections().read(request.body(), name.collection());
    return operations
        .put(name, definition, EtagPreconditions.ofWrite(request.http()), request.auditContext())
        .map(put -> answer(put.created() ? 201 : replaced, request, put.collection()));
  }

  private static ApiResponse answer(int status, ApiRequest request, JobCollection collection) {
    return ApiResponse.json(status, request.codec().collections().collection(collection))
        .withRevision(collection.revision());
  }

  public Future<ApiResponse> get(ApiRequest request) {
    return store
        .get(request.path().collection())
        .map(
            collection ->
                EtagPreconditions.unlessKnown(
                    request.http(), collection.revision(), () -> answer(200, request, collection)));
  }

  public Future<ApiResponse> patch(ApiRequest request) {
    return operations
        .patch(
            request.path().collection(),
            request.codec().collections(),
            request.body(),
            EtagPreconditions.ofWrite(request.http()),
            request.auditContext())
        .map(collection -> answer(200, request, collection));
  }

  /** Deletes a collection with all its jobs. */
  public Future<ApiResponse> delete(ApiRequest request) {
    return operations
        .delete(
            request.path().collection(),
            EtagPreconditions.ofWrite(request.http()),
            request.auditContext())
        .map(existed -> ApiResponse.empty(existed ? 200 : 204));
  }
}
