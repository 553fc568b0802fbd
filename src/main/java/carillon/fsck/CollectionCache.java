package carillon.fsck;

import carillon.job.CollectionDefinition;
import carillon.job.CollectionName;
import carillon.json.StoredJson;
import carillon.redis.Keys;
import carillon.store.operation.RawRedisReader;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Supplier;

/** What is stored of collections, for those who check what other slots say of them. */
final class CollectionCache {
  private final RawRedisReader inspection;
  private final Keys keys;

  CollectionCache(RawRedisReader inspection, Keys keys) {
    this.inspection = inspection;
    this.keys = keys;
  }

  /** Empty for what no client can have made, or can reach. */
  static Optional<CollectionName> name(String collection) {
    try {
      return Optional.of(CollectionName.parse(collection))
          .filter(name -> name.key().equals(collection));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  /** Empty when it is gone or going. */
  Future<Optional<CollectionDefinition>> find(CollectionName name) {
    return inspection
        .fields(keys.collection(name), "definition", "deleting")
        .map(
            fields ->
                fields.get(0) == null || fields.get(1) != null
                    ? Optional.empty()
                    : Optional.of(StoredJson.readCollection(fields.get(0))));
  }

  /** What else is to be looked at where the collection is not there; nothing is wrong if it is. */
  Future<Optional<Finding>> unlessThere(
      CollectionName name, Supplier<Future<Optional<Finding>>> look) {
    return inspection
        .exists(keys.collection(name))
        .compose(there -> there ? Future.succeededFuture(Optional.empty()) : look.get());
  }
}
