package carillon.api.classic;

import carillon.access.Scope;
import carillon.api.classic.ClassicXmlWriter.Listed;
import carillon.api.http.ApiRequest;
import carillon.api.http.RoutePermission;
import carillon.api.jobs.CollectionOperations;
import carillon.job.AuditEntry.AuditContext;
import carillon.job.CloudService;
import carillon.job.JobCollection;
import carillon.job.JobException;
import carillon.job.Precondition;
import carillon.json.StoredJson;
import carillon.store.Stores;
import carillon.store.collection.CloudServiceStore;
import carillon.store.collection.CollectionStore;
import carillon.store.job.AuditLog;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Cloud services as the classic dialect sees them: the groups that have a record, and the groups
 * that have collections.
 */
final class CloudServices {
  private static final int SLICE = 256;

  /** The dialect has no way to continue a list, and an answer must end somewhere. */
  private static final int MAX_LISTED = 5000;

  private final CloudServiceStore records;
  private final CollectionStore collections;
  private final CollectionOperations operations;
  private final AuditLog audit;

  CloudServices(Stores stores, CollectionOperations operations) {
    this.records = stores.cloudServices();
    this.collections = stores.collections();
    this.operations = operations;
    this.audit = stores.audit();
  }

  Future<Void> put(CloudService service, AuditContext by) {
    return records
        .put(service)
        .compose(
            done ->
                audit.note(
                    by,
                    object(service.subscription(), service.name()),
                    Optional.empty(),
                    Optional.of(StoredJson.write(service))));
  }

  private static String object(String subscription, String name) {
    return Scope.group(subscription, name).text();
  }

  /** The cloud service without its collections. Fails with COLLECTION_NOT_FOUND. */
  Future<CloudService> get(String subscription, String name) {
    List<Scope> group = List.of(Scope.group(subscription, name));
    return records
        .find(subscription, name)
        .compose(
            record ->
                record.isPresent()
                    ? Future.succeededFuture(record.get())
                    : collections
                        .list(group, "", 0, 1)
                        .map(page -> service(name, record, page.collections())));
  }

  /** The cloud service with what may be seen of it. Fails with COLLECTION_NOT_FOUND. */
  Future<Listed> describe(String subscription, String name, List<Scope> visible) {
    return records
        .find(subscription, name)
        .compose(
            record ->
                listed(visible).map(found -> new Listed(service(name, record, found), found)));
  }

  private static CloudService service(
      String name, Optional<CloudService> record, List<JobCollection> collections) {
    return record
        .or(() -> collections.stream().findFirst().map(CloudServices::ofGroup))
        .orElseThrow(() -> RoutePermission.noCloudService(name));
  }

  private static CloudService ofGroup(JobCollection first) {
    return CloudService.ofGroup(
        first.name().subscription(), first.name().group(), first.definition().location());
  }

  /** What may be seen of all cloud services, by name. Fails with INVALID when too many. */
  Future<List<Listed>> all(ApiRequest request) {
    String subscription = request.path().subscription();
    return records
        .all(subscription)
        .compose(
            found -> {
              found
                  .keySet()
                  .removeIf(name -> !request.caller().sees(Scope.group(subscription, name)));
              return listed(request.visible()).map(list -> grouped(found, list));
            });
  }

  private static List<Listed> grouped(
      Map<String, CloudService> records, List<JobCollection> collections) {
    Map<String, List<JobCollection>> groups = new TreeMap<>();
    records.keySet().forEach(key -> groups.put(key, new ArrayList<>()));
    for (JobCollection collection : collections) {
      groups
          .computeIfAbsent(CloudService.key(collection.name().group()), key -> new ArrayList<>())
          .add(collection);
    }
    List<Listed> all = new ArrayList<>(groups.size());
    groups.forEach(
        (key, members) -> {
          CloudService record = records.get(key);
          all.add(new Listed(record != null ? record : ofGroup(members.get(0)), members));
        });
    return all;
  }

  private Future<List<JobCollection>> listed(List<Scope> visible) {
    return listed(visible, "", new ArrayList<>());
  }

  private Future<List<JobCollection>> listed(
      List<Scope> visible, String after, List<JobCollection> found) {
    return collections
        .list(visible, after, 0, SLICE)
        .compose(
            page -> {
              found.addAll(page.collections());
              if (found.size() > MAX_LISTED) {
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
   * With all its collections and their jobs. When it is interrupted, deleting it again ends the
   * work. Fails with COLLECTION_NOT_FOUND.
   */
  Future<Void> delete(String subscription, String name, AuditContext by) {
    return get(subscription, name)
        .compose(
            service ->
                deleteCollections(subscription, name, by)
                    .compose(done -> records.delete(subscription, name))
                    .compose(
                        done ->
                            audit.note(
                                by,
                                object(subscription, name),
                                Optional.of(StoredJson.write(service)),
                                Optional.empty())));
  }

  private Future<Void> deleteCollections(String subscription, String name, AuditContext by) {
    return collections
        .list(List.of(Scope.group(subscription, name)), "", 0, SLICE)
        .compose(
            page -> {
              Future<Boolean> deleted = Future.succeededFuture(true);
              for (JobCollection collection : page.collections()) {
                deleted =
                    deleted.compose(
                        before -> operations.delete(collection.name(), Precondition.NONE, by));
              }
              return page.after().isEmpty()
                  ? deleted.mapEmpty()
                  : deleted.compose(done -> deleteCollections(subscription, name, by));
            });
  }
}
