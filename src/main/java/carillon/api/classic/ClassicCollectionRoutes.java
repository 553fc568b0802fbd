package carillon.api.classic;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.EtagPreconditions;
import carillon.api.resources.CollectionOperations;
import carillon.job.Precondition;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.JobCollection;
import carillon.job.name.CollectionName;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.store.ChangeRetries;
import carillon.store.classic.CloudService;
import carillon.store.collection.CollectionStore;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Handlers of job collections in the classic dialect. */
final class ClassicCollectionRoutes {
  /** Form of an ETag, whose last digits are the revision; see {@link ClassicXmlWriter#etag}. */
  private static final Pattern ETAG =
      Pattern.compile("00000000-0000-0000-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

  private final CloudServiceRoutes services;
  private final CollectionStore store;
  private final CollectionOperations operations;
  private final ClassicXmlWriter xml;

  ClassicCollectionRoutes(
      CloudServiceRoutes services,
      CollectionStore store,
      CollectionOperations operations,
      ClassicXmlWriter xml) {
    this.services = services;
    this.store = store;
    this.operations = operations;
    this.xml = xml;
  }

  /** Answers whether a name is free. */
  Future<ApiResponse> availability(ApiRequest request) {
    ClassicProviderRoutes.require(request, "op", "checknameavailability");
    String name = ClassicProviderRoutes.required(request, "resourceName");
    return service(request)
        .compose(service -> exists(service.collection(name)))
        .map(exists -> ApiResponse.xml(200, ClassicXmlWriter.availability(!exists)));
  }

  private Future<Boolean> exists(CollectionName name) {
    return store.look(name).map(Optional::isPresent);
  }

  private Future<CloudService> service(ApiRequest request) {
    return services.find(request);
  }

  Future<ApiResponse> get(ApiRequest request) {
    return store
        .get(request.path().collection())
        .map(found -> ApiResponse.xml(200, xml.collection(found)));
  }

  /** Handles a PUT. It creates and never changes unless it has an If-Match. */
  Future<ApiResponse> put(ApiRequest request) {
    CollectionName name = request.path().collection();
    return condition(request)
        .map(condition -> update(request, name, condition))
        .orElseGet(() -> create(request, name.collection()));
  }

  private static Optional<Precondition> condition(ApiRequest request) {
    return Optional.ofNullable(request.http().getHeader(HttpHeaders.IF_MATCH))
        .map(ClassicCollectionRoutes::matching);
  }

  private static Precondition matching(String match) {
    String bare = match.trim().replace("\"", "");
    return ETAG.matcher(bare).matches()
        ? Precondition.revision(UUID.fromString(bare).getLeastSignificantBits())
        : EtagPreconditions.matching(match.trim());
  }

  private Future<ApiResponse> create(ApiRequest request, String collection) {
    return service(request)
        .compose(service -> create(request, service, collection))
        .map(ClassicCollectionRoutes::accepted);
  }

  private Future<JobCollection> create(
      ApiRequest request, CloudService service, String collection) {
    CollectionDefinition empty = CollectionDefinition.PLAIN.at(service.geoRegion());
    ClassicXmlReader.Collection wanted =
        ClassicErrors.read(() -> ClassicXmlReader.collection(empty, request.body()));
    if (wanted.isUpdate()) {
      throw ClassicErrors.badRequest(
          "BadRequest", "If-Match: is missing; an update needs it beside the ETag element.");
    }
    CollectionName name = service.collection(collection);
    return operations
        .put(name, wanted.definition(), Precondition.ABSENT, request.auditContext())
        .map(CollectionStore.Put::collection)
        .recover(
            failure ->
                ChangeRetries.isOvertaken(failure)
                    ? createdBefore(name, wanted.definition())
                    : Future.failedFuture(failure));
  }

  /** Answers a repeated creation as the first, unless there is another collection now. */
  private Future<JobCollection> createdBefore(CollectionName name, CollectionDefinition wanted) {
    return store
        .get(name)
        .map(
            current -> {
              if (!current.definition().equals(wanted)) {
                throw conflict(name, "exists already; to change it, send If-Match with its ETag.");
              }
              return current;
            });
  }

  /** A refusal in terms of ETags, where the other dialects name revisions. */
  private static JobException conflict(CollectionName name, String what) {
    return new JobException(
        ErrorCode.CONFLICT, "Job collection '" + name.collection() + "' " + what);
  }

  private Future<ApiResponse> update(
      ApiRequest request, CollectionName name, Precondition condition) {
    return operations
        .change(
            name,
            condition,
            request.auditContext(),
            current ->
                ClassicErrors.read(
                        () -> ClassicXmlReader.collection(current.definition(), request.body()))
                    .definition())
        .map(ClassicCollectionRoutes::accepted)
        .recover(
            failure ->
                Future.failedFuture(
                    ChangeRetries.isOvertaken(failure)
                        ? conflict(name, "has another ETag than If-Match names; read it again.")
                        : failure));
  }

  private static ApiResponse accepted(JobCollection collection) {
    return ApiResponse.empty(202).with(CloudServiceRoutes.etag(collection.revision()));
  }

  /** Deletes a collection with all its jobs. */
  Future<ApiResponse> delete(ApiRequest request) {
    CollectionName name = request.path().collection();
    Precondition condition = condition(request).orElse(Precondition.NONE);
    // Read first, to distinguish a missing collection from a deleted one.
    return store
        .look(name)
        .map(found -> found.orElseThrow(() -> CollectionStore.notFound(name)))
        .compose(found -> operations.delete(name, condition, request.auditContext()))
        .map(done -> ApiResponse.empty(202));
  }
}
