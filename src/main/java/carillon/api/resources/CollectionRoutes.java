package carillon.api.resources;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.EtagPreconditions;
import carillon.api.http.QueryParameters;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.Hold.Holds;
import carillon.job.collection.JobCollection;
import carillon.job.collection.JobCollection.DamagedCollection;
import carillon.job.name.CollectionName;
import carillon.store.Stores;
import carillon.store.collection.CollectionStore;
import carillon.store.collection.HoldReader;
import io.vertx.core.Future;
import java.util.List;

/** Handlers of job collections. */
public final class CollectionRoutes {
  private final CollectionStore store;
  private final HoldReader holds;
  private final CollectionOperations operations;

  public CollectionRoutes(Stores stores, CollectionOperations operations) {
    this.store = stores.collection().collections();
    this.holds = stores.collection().holds();
    this.operations = operations;
  }

  /** Lists the collections of a subscription or group that the caller may see. */
  public Future<ApiResponse> list(ApiRequest request) {
    QueryParameters query = request.query();
    return store
        .list(request.visible(), query.after(), query.skip(), query.top())
        .compose(
            page ->
                waits(request, page.names())
                    .map(
                        waits ->
                            ApiResponse.json(
                                    200,
                                    request
                                        .codec()
                                        .collections()
                                        .page(
                                            page.collections(),
                                            page.damaged(),
                                            page.after().map(request::nextLink),
                                            waits))
                                .withWarning(DamagedCollection.warning(page.damaged()))));
  }

  /** Reads the wider pauses that hold collections back; the native dialect alone answers them. */
  private Future<Holds> waits(ApiRequest request, List<CollectionName> names) {
    return request.codec().collections().answersWaits()
        ? holds.wider(names)
        : Future.succeededFuture(Holds.NONE);
  }

  /** Enables the collection. */
  public Future<ApiResponse> enable(ApiRequest request) {
    return operations
        .change(
            request.path().collection(),
            EtagPreconditions.ofWrite(request.http()),
            request.auditContext(),
            current -> current.definition().enabled(request.now()))
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
        .compose(put -> answer(put.created() ? 201 : replaced, request, put.collection()));
  }

  private Future<ApiResponse> answer(int status, ApiRequest request, JobCollection collection) {
    return waits(request, List.of(collection.name()))
        .map(waits -> answer(status, request, collection, waits));
  }

  private static ApiResponse answer(
      int status, ApiRequest request, JobCollection collection, Holds waits) {
    return ApiResponse.json(status, request.codec().collections().collection(collection, waits))
        .withRevision(collection.revision());
  }

  public Future<ApiResponse> get(ApiRequest request) {
    CollectionName name = request.path().collection();
    Future<Holds> waits = waits(request, List.of(name));
    return store
        .get(name)
        .compose(
            collection ->
                waits.map(
                    holding ->
                        EtagPreconditions.unlessKnown(
                            request.http(),
                            collection.revision(),
                            () -> answer(200, request, collection, holding))));
  }

  public Future<ApiResponse> patch(ApiRequest request) {
    return operations
        .patch(
            request.path().collection(),
            request.codec().collections(),
            request.body(),
            EtagPreconditions.ofWrite(request.http()),
            request.auditContext())
        .compose(collection -> answer(200, request, collection));
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
