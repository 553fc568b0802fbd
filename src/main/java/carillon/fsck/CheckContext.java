package carillon.fsck;

import carillon.job.collection.CollectionDefinition;
import carillon.job.name.CollectionName;
import carillon.json.StoredJson;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.redis.ParsedKey;
import carillon.store.operation.RawRedisReader;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The parts and questions that all checks of one run share. Confined to the run's event loop. */
final class CheckContext {
  final RawRedisReader reader;
  final Keys keys;
  final InstantSource clock;
  final FindingVerifier verifier;
  private final Set<String> reportedTypes = new HashSet<>();

  CheckContext(RawRedisReader reader, Keys keys, InstantSource clock, FindingVerifier verifier) {
    this.reader = reader;
    this.keys = keys;
    this.clock = clock;
    this.verifier = verifier;
  }

  /** Calls the second step only if the first answer is false; otherwise there is no finding. */
  static Future<Optional<Finding>> unless(
      Future<Boolean> isRight, Supplier<Future<Optional<Finding>>> look) {
    return isRight.compose(right -> right ? Future.succeededFuture(Optional.empty()) : look.get());
  }

  /**
   * Returns the value instead of a failure because of a key's type, which is a separate finding.
   */
  static <T> Future<T> orOnWrongType(Future<T> step, T value) {
    return step.recover(
        failure ->
            RawRedisReader.isWrongType(failure)
                ? Future.succeededFuture(value)
                : Future.failedFuture(failure));
  }

  /** The name of a collection; empty if no client can have made or can reach such a one. */
  static Optional<CollectionName> collectionName(String key) {
    try {
      return Optional.of(CollectionName.parse(key)).filter(name -> name.key().equals(key));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  /** The stored definition of a collection; empty if it is gone or being deleted. */
  Future<Optional<CollectionDefinition>> collection(CollectionName name) {
    return reader
        .fields(keys.collection(name), "definition", "deletedAt")
        .map(
            fields ->
                fields.get(0) == null || fields.get(1) != null
                    ? Optional.empty()
                    : Optional.of(StoredJson.readCollection(fields.get(0))));
  }

  /** Checks the type of a key; true if the key can be used, or is gone. */
  Future<Boolean> hasType(String key, ParsedKey.Kind kind) {
    return reader
        .type(key)
        .compose(
            type ->
                type.equals(kind.type()) || type.equals("none")
                    ? Future.succeededFuture(true)
                    : putAway(key, kind, type).map(done -> verifier.isRepairing()));
  }

  private Future<Void> putAway(String key, ParsedKey.Kind kind, String type) {
    String away = keys.damaged(key);
    return reportedTypes.add(key)
        ? verifier.settle(
            new Finding(FindingKind.WRONG_TYPE, key, "a " + kind.type(), "a " + type),
            new ConditionalCommands().when(type, "TYPE", key).thenRename(key, away))
        : Future.succeededFuture();
  }
}
