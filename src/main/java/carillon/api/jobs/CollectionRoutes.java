package carillon.api.jobs;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.AuthenticationHandler;
import carillon.api.http.EtagPreconditions;
import carillon.api.http.QueryParameters;
import carillon.job.CollectionDefinition;
import carillon.job.CollectionName;
import carillon.job.JobCollection;
import carillon.json.Dialect;
import carillon.store.collection.CollectionStore;
import io.vertx.core.Future;

/** Job collections over HTTP. */
public final class CollectionRoutes {
  private final CollectionStore store;
  private final CollectionOperations operations;

  public CollectionRoutes(CollectionStore store, CollectionOperations operations) {
    this.store = store;
    this.operations = operations;
  }

  /** All collections of a subscription or a group. */
  public Future<ApiResponse> collections(ApiRequest request) {
    if (!request.method().equals("GET")) {
      throw request.notAllowed("GET");
    }
    QueryParameters query = request.query();
    return store
        .list(
            AuthenticationHandler.visible(
                request.caller(), request.path().subscription(), request.path().group()),
            query.after(),
            query.skip(),
            query.top())
        .map(
            page ->
                ApiResponse.json(
                    200,
                    request
                        .wire()
                        .collections()
                        .page(page.collections(), page.after().map(request::nextLink))));
  }

  /** One collection. */
  public Future<ApiResponse> collection(ApiRequest request) {
    CollectionName name = request.path().collection();
    return switch (request.method()) {
      case "PUT" -> put(request, name);
      case "GET" -> get(request, name);
      case "PATCH" -> patch(request, name);
      case "DELETE" -> delete(request, name);
      default -> throw request.notAllowed("GET, PUT, PATCH, DELETE");
    };
  }

  /** Opens or closes the gate for all jobs of the collection. */
  public Future<ApiResponse> gate(ApiRequest request, CollectionDefinition.State state) {
    if (!request.method().equals("POST")) {
      throw request.notAllowed("POST");
    }
    return operations
        .change(
            request.path().collection(),
            EtagPreconditions.ofWrite(request.http()),
            request.change(),
            current -> current.definition().in(state))
        .map(collection -> ApiResponse.empty(200).withRevision(collection.revision()));
  }

  private Future<ApiResponse> put(ApiRequest request, CollectionName name) {
    CollectionDefinition definition = request.wire().collections().read(request.body());
    return operations
        .put(name, definition, EtagPreconditions.ofWrite(request.http()), request.change())
        .map(put -> answer(putStatus(request, put), request, put.collection()));
  }

  /** The service answered 201 whether the collection was new or not. */
  private static int putStatus(ApiRequest request, CollectionStore.Put put) {
    return put.created() || request.path().dialect() == Dialect.ARM ? 201 : 200;
  }

  private static ApiResponse answer(int status, ApiRequest request, JobCollection collection) {
    return ApiResponse.json(status, request.wire().collections().collection(collection))
        .withRevision(collection.revision());
  }

  private Future<ApiResponse> get(ApiRequest request, CollectionName name) {
    return store
        .get(name)
        .map(
            collection ->
                EtagPreconditions.isKnown(request.http(), collection.revision())
                    ? ApiResponse.empty(304).withRevision(collection.revision())
                    : answer(200, request, collection));
  }

  private Future<ApiResponse> patch(ApiRequest request, CollectionName name) {
    return operations
        .patch(
            name,
            request.wire().collections(),
            request.body(),
            EtagPreconditions.ofWrite(request.http()),
            request.change())
        .map(collection -> answer(200, request, collection));
  }

  private Future<ApiResponse> delete(ApiRequest request, CollectionName name) {
    return operations
        .delete(name, EtagPreconditions.ofWrite(request.http()), request.change())
        .map(existed -> ApiResponse.empty(existed ? 200 : 204));
  }
}
