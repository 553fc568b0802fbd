package carillon.api.classic;

import carillon.access.AuditEntry.AuditContext;
import carillon.access.Scope;
import carillon.api.classic.ClassicXmlWriter.ServiceListing;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.resources.CollectionOperations;
import carillon.job.Precondition;
import carillon.job.collection.JobCollection;
import carillon.job.collection.JobCollection.DamagedCollection;
import carillon.job.name.CollectionName;
import carillon.job.name.JobException;
import carillon.store.Stores;
import carillon.store.classic.CloudService;
import carillon.store.classic.CloudServiceStore;
import carillon.store.collection.CollectionStore;
import carillon.store.job.AuditLog;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Cloud services over HTTP. A cloud service is a group that has a record or collections. */
final class CloudServiceRoutes {
  private static final int SLICE = 256;

  /** Maximum number of listed collections. The dialect cannot continue a list. */
  private static final int MAX_LISTED = 5000;

  private final CloudServiceStore records;
  private final CollectionStore collections;
  private final CollectionOperations operations;
  private final AuditLog audit;
  private final ClassicXmlWriter xml;

  CloudServiceRoutes(Stores stores, CollectionOperations operations, ClassicXmlWriter xml) {
    this.records = new CloudServiceStore(stores);
    this.collections = stores.collection().collections();
    this.operations = operations;
    this.audit = stores.job().auditLog();
    this.xml = xml;
  }

  /** Creates or replaces a cloud service. */
  Future<ApiResponse> put(ApiRequest request) {
    String subscription = request.path().subscription();
    CloudService service =
        ClassicErrors.read(
            () ->
                ClassicXmlReader.cloudService(
                    subscription, name(request), request.body(), request.now()));
    return records
        .put(service)
        .compose(
            done ->
                audit.note(
                    request.auditContext(),
                    object(subscription, service.name()),
                    Optional.empty(),
                    Optional.of(service.stored())))
        .map(done -> ApiResponse.empty(202).with(etag(service.revision())));
  }

  private static String name(ApiRequest request) {
    return request.path().group().orElseThrow();
  }

  static Map<String, String> etag(long revision) {
    return Map.of("ETag", ClassicXmlWriter.etag(revision));
  }

  private static String object(String subscription, String name) {
    return Scope.group(subscription, name).path();
  }

  /** The cloud service in the path, without its collections. Fails with COLLECTION_NOT_FOUND. */
  Future<CloudService> find(ApiRequest request) {
    String subscription = request.path().subscription();
    String name = name(request);
    List<Scope> group = List.of(Scope.group(subscription, name));
    return records
        .find(subscription, name)
        .compose(
            record ->
                record.isPresent()
                    ? Future.succeededFuture(record.get())
                    : collections
                        .list(group, "", 0, 1)
                        .map(
                            page ->
                                service(
                                    name,
                                    record,
                                    new ListedCollections(page.collections(), page.damaged()))));
  }

  /** A cloud service with the collections that the caller may see. */
  Future<ApiResponse> get(ApiRequest request) {
    String name = name(request);
    return records
        .find(request.path().subscription(), name)
        .compose(
            record ->
                listed(request.visible())
                    .map(
                        all ->
                            answer(new ServiceListing(service(name, record, all), all.readable))
                                .withWarning(DamagedCollection.warning(all.damaged))));
  }

  private ApiResponse answer(ServiceListing listed) {
    return ApiResponse.xml(200, xml.cloudService(listed)).with(etag(listed.service().revision()));
  }

  /**
   * The collections that a caller may see.
   *
   * @param damaged those that cannot be read
   */
  private record ListedCollections(List<JobCollection> readable, List<DamagedCollection> damaged) {}

  private static CloudService service(
      String name, Optional<CloudService> record, ListedCollections collections) {
    return record
        .or(() -> collections.readable.stream().findFirst().map(CloudServiceRoutes::ofGroup))
        .or(() -> collections.damaged.stream().findFirst().map(CloudServiceRoutes::ofGroup))
        .orElseThrow(() -> ClassicErrors.noCloudService(name));
  }

  private static CloudService ofGroup(JobCollection first) {
    return ofGroup(first.name(), first.definition().location());
  }

  private static CloudService ofGroup(DamagedCollection first) {
    return ofGroup(first.name(), Optional.empty());
  }

  private static CloudService ofGroup(CollectionName first, Optional<String> location) {
    return CloudService.ofGroup(first.subscription(), first.group(), location);
  }

  /**
   * All cloud services of a subscription that the caller may see, by name. Fails with INVALID when
   * there are too many.
   */
  Future<ApiResponse> list(ApiRequest request) {
    String subscription = request.path().subscription();
    return records
        .all(subscription)
        .compose(
            found -> {
              found
                  .keySet()
                  .removeIf(name -> !request.caller().sees(Scope.group(subscription, name)));
              return listed(request.visible())
                  .map(
                      all ->
                          ApiResponse.xml(200, xml.cloudServices(grouped(found, all)))
                              .withWarning(DamagedCollection.warning(all.damaged)));
            });
  }

  private static List<ServiceListing> grouped(
      Map<String, CloudService> records, ListedCollections collections) {
    Map<String, CloudService> services = new HashMap<>(records);
    Map<String, List<JobCollection>> groups = new TreeMap<>();
    records.keySet().forEach(key -> groups.put(key, new ArrayList<>()));
    for (DamagedCollection one : collections.damaged) {
      String key = CloudService.key(one.name().group());
      groups.computeIfAbsent(key, none -> new ArrayList<>());
      services.putIfAbsent(key, ofGroup(one));
    }
    for (JobCollection collection : collections.readable) {
      groups
          .computeIfAbsent(CloudService.key(collection.name().group()), key -> new ArrayList<>())
          .add(collection);
    }
    List<ServiceListing> all = new ArrayList<>(groups.size());
    groups.forEach(
        (key, members) -> {
          CloudService record =
              members.isEmpty()
                  ? services.get(key)
                  : records.getOrDefault(key, ofGroup(members.get(0)));
          all.add(new ServiceListing(record, members));
        });
    return all;
  }

  private Future<ListedCollections> listed(List<Scope> visible) {
    return listed(visible, "", new ListedCollections(new ArrayList<>(), new ArrayList<>()));
  }

  private Future<ListedCollections> listed(
      List<Scope> visible, String after, ListedCollections found) {
    return collections
        .list(visible, after, 0, SLICE)
        .compose(
            page -> {
              found.readable.addAll(page.collections());
              found.damaged.addAll(page.damaged());
              if (found.readable.size() > MAX_LISTED) {
                throw JobException.invalid(
                    "There are more than "
                        + MAX_LISTED
                        + " job collections, more than one answer can hold; list them page by page"
                        + " in the native or the ARM dialect.");
              }
              return page.after().isEmpty()
                  ? Future.succeededFuture(found)
                  : listed(visible, page.after().get(), found);
            });
  }

  /**
   * Deletes a cloud service with all its collections and their jobs. When it is interrupted,
   * deleting it again ends the work. Fails with COLLECTION_NOT_FOUND.
   */
  Future<ApiResponse> delete(ApiRequest request) {
    String subscription = request.path().subscription();
    String name = name(request);
    AuditContext context = request.auditContext();
    return find(request)
        .compose(
            service ->
                deleteCollections(subscription, name, context)
                    .compose(done -> records.delete(subscription, name))
                    .compose(
                        done ->
                            audit.note(
                                context,
                                object(subscription, name),
                                Optional.of(service.stored()),
                                Optional.empty())))
        .map(done -> ApiResponse.empty(202));
  }

  private Future<Void> deleteCollections(String subscription, String name, AuditContext context) {
    return collections
        .list(List.of(Scope.group(subscription, name)), "", 0, SLICE)
        .compose(
            page -> {
              Future<Boolean> deleted = Future.succeededFuture(true);
              for (CollectionName collection : page.names()) {
                deleted =
                    deleted.compose(
                        before -> operations.delete(collection, Precondition.NONE, context));
              }
              return page.after().isEmpty()
                  ? deleted.mapEmpty()
                  : deleted.compose(done -> deleteCollections(subscription, name, context));
            });
  }
}
