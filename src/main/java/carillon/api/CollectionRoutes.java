package carillon.api;

import carillon.codec.Dialect;
import carillon.job.CollectionDefinition;
import carillon.job.CollectionName;
import carillon.job.JobCollection;
import carillon.store.CollectionStore;
import io.vertx.core.Future;

/** Job collections over HTTP. */
final class CollectionRoutes {
  private final CollectionStore store;
  private final CollectionOperations operations;

  CollectionRoutes(CollectionStore store, CollectionOperations operations) {
    this.store = store;
    this.operations = operations;
  }

  /** All collections of a subscription or a group. */
  Future<Answer> collections(ApiRequest request) {
    if (!request.method().equals("GET")) {
      throw request.notAllowed("GET");
    }
    Query query = request.query();
    return store
        .list(
            Gate.visible(request.caller(), request.path().subscription(), request.path().group()),
            query.after(),
            query.skip(),
            query.top())
        .map(
            page ->
                Answer.json(
                    200,
                    request
                        .wire()
                        .collectionWriter()
                        .page(page.collections(), page.after().map(request::nextLink))));
  }

  /** One collection. */
  Future<Answer> collection(ApiRequest request) {
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
  Future<Answer> gate(ApiRequest request, CollectionDefinition.State state) {
    if (!request.method().equals("POST")) {
      throw request.notAllowed("POST");
    }
    return operations
        .change(
            request.path().collection(),
            Conditions.ofWrite(request.http()),
            request.change(),
            current -> current.definition().in(state))
        .map(collection -> Answer.empty(200).withRevision(collection.revision()));
  }

  private Future<Answer> put(ApiRequest request, CollectionName name) {
    CollectionDefinition definition = request.wire().collectionReader().read(request.body());
    return operations
        .put(name, definition, Conditions.ofWrite(request.http()), request.change())
        .map(put -> answer(putStatus(request, put), request, put.collection()));
  }

  /** The service answered 201 whether the collection was new or not. */
  private static int putStatus(ApiRequest request, CollectionStore.Put put) {
    return put.created() || request.path().dialect() == Dialect.ARM ? 201 : 200;
  }

  private static Answer answer(int status, ApiRequest request, JobCollection collection) {
    return Answer.json(status, request.wire().collectionWriter().collection(collection))
        .withRevision(collection.revision());
  }

  private Future<Answer> get(ApiRequest request, CollectionName name) {
    return store
        .get(name)
        .map(
            collection ->
                Conditions.isKnown(request.http(), collection.revision())
                    ? Answer.empty(304).withRevision(collection.revision())
                    : answer(200, request, collection));
  }

  private Future<Answer> patch(ApiRequest request, CollectionName name) {
    return operations
        .patch(
            name,
            request.wire().collectionReader(),
            request.body(),
            Conditions.ofWrite(request.http()),
            request.change())
        .map(collection -> answer(200, request, collection));
  }

  private Future<Answer> delete(ApiRequest request, CollectionName name) {
    return operations
        .delete(name, Conditions.ofWrite(request.http()), request.change())
        .map(existed -> Answer.empty(existed ? 200 : 204));
  }
}
