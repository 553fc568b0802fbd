package carillon.api;

import carillon.codec.ClassicXml.Listed;
import carillon.job.CloudService;
import carillon.job.ErrorCode;
import carillon.job.Excerpt;
import carillon.job.JobCollection;
import carillon.job.JobException;
import carillon.job.Precondition;
import carillon.store.CloudServiceStore;
import carillon.store.CollectionStore;
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
  private static final int MOST_LISTED = 5000;

  private final CloudServiceStore records;
  private final CollectionStore collections;

  CloudServices(CloudServiceStore records, CollectionStore collections) {
    this.records = records;
    this.collections = collections;
  }

  Future<Void> put(CloudService service) {
    return records.put(service);
  }

  /** The cloud service without its collections. Fails with COLLECTION_NOT_FOUND. */
  Future<CloudService> get(String subscription, String name) {
    return records
        .find(subscription, name)
        .compose(
            record ->
                record.isPresent()
                    ? Future.succeededFuture(record.get())
                    : collections
                        .list(subscription, Optional.of(name), "", 0, 1)
                        .map(page -> service(name, record, page.collections())));
  }

  /** The cloud service with its collections. Fails with COLLECTION_NOT_FOUND. */
  Future<Listed> describe(String subscription, String name) {
    return records
        .find(subscription, name)
        .compose(
            record ->
                listed(subscription, Optional.of(name))
                    .map(found -> new Listed(service(name, record, found), found)));
  }

  private static CloudService service(
      String name, Optional<CloudService> record, List<JobCollection> collections) {
    return record
        .or(() -> collections.stream().findFirst().map(CloudServices::ofGroup))
        .orElseThrow(() -> notFound(name));
  }

  private static CloudService ofGroup(JobCollection first) {
    return CloudService.ofGroup(
        first.name().subscription(), first.name().group(), first.definition().location());
  }

  /** All cloud services with their collections, by name. Fails with INVALID when too many. */
  Future<List<Listed>> all(String subscription) {
    return records
        .all(subscription)
        .compose(found -> listed(subscription, Optional.empty()).map(list -> grouped(found, list)));
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

  private Future<List<JobCollection>> listed(String subscription, Optional<String> group) {
    return listed(subscription, group, "", new ArrayList<>());
  }

  private Future<List<JobCollection>> listed(
      String subscription, Optional<String> group, String after, List<JobCollection> found) {
    return collections
        .list(subscription, group, after, 0, SLICE)
        .compose(
            page -> {
              found.addAll(page.collections());
              if (found.size() > MOST_LISTED) {
                throw JobException.invalid(
                    "There are more than "
                        + MOST_LISTED
                        + " job collections, more than one answer can hold; list them page by page"
                        + " in the native or the ARM dialect.");
              }
              return page.after().isEmpty()
                  ? Future.succeededFuture(found)
                  : listed(subscription, group, page.after().get(), found);
            });
  }

  /**
   * With all its collections and their jobs. When it is interrupted, deleting it again ends the
   * work. Fails with COLLECTION_NOT_FOUND.
   */
  Future<Void> delete(String subscription, String name) {
    return get(subscription, name)
        .compose(service -> deleteCollections(subscription, name))
        .compose(done -> records.delete(subscription, name))
        .mapEmpty();
  }

  private Future<Void> deleteCollections(String subscription, String name) {
    return collections
        .list(subscription, Optional.of(name), "", 0, SLICE)
        .compose(
            page -> {
              Future<Boolean> deleted = Future.succeededFuture(true);
              for (JobCollection collection : page.collections()) {
                deleted =
                    deleted.compose(
                        before -> collections.delete(collection.name(), Precondition.NONE));
              }
              return page.after().isEmpty()
                  ? deleted.mapEmpty()
                  : deleted.compose(done -> deleteCollections(subscription, name));
            });
  }

  private static JobException notFound(String name) {
    return new JobException(
        ErrorCode.COLLECTION_NOT_FOUND,
        "The cloud service '" + Excerpt.of(name) + "' was not found.");
  }
}
