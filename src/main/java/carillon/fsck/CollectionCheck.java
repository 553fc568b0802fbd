package carillon.fsck;

import carillon.job.CollectionLimits;
import carillon.job.CollectionName;
import carillon.job.JobException;
import carillon.job.Precondition;
import carillon.json.StoredJson;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.store.collection.CollectionStore;
import carillon.store.operation.RawRedisReader;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Collections that are stored: that each can be read, is listed, and has the limits it says. */
final class CollectionCheck {
  private final RawRedisReader inspection;
  private final CollectionStore collections;
  private final Keys keys;
  private final InstantSource clock;
  private final FindingVerifier judge;
  private final CollectionCache stored;
  private final DisabledMarkerCheck gates;

  CollectionCheck(
      RawRedisReader inspection,
      CollectionStore collections,
      Keys keys,
      InstantSource clock,
      FindingVerifier judge,
      CollectionCache stored,
      DisabledMarkerCheck gates) {
    this.inspection = inspection;
    this.collections = collections;
    this.keys = keys;
    this.clock = clock;
    this.judge = judge;
    this.stored = stored;
    this.gates = gates;
  }

  /** A collection that is stored. */
  Future<Void> check(String collection) {
    Optional<CollectionName> name = CollectionCache.name(collection);
    if (name.isEmpty()) {
      return Future.succeededFuture(); // no client can have made it, or can reach it
    }
    String key = keys.collection(name.get());
    return inspection.hash(key).compose(hash -> check(name.get(), key, hash));
  }

  private Future<Void> check(CollectionName name, String key, Map<String, String> hash) {
    if (hash.isEmpty() || hash.containsKey("deleting")) {
      return Future.succeededFuture();
    }
    Optional<String> unreadable = unreadable(hash);
    if (unreadable.isPresent()) {
      return judge.settle(
          List.of(
              new Suspicion(
                  new Finding(FindingKind.UNREADABLE, key, "a collection", unreadable.get()),
                  new ConditionalCommands()
                      .whenSame(hash.get("revision"), "HGET", key, "revision")
                      .whenSame(hash.get("definition"), "HGET", key, "definition")
                      .whenNone("HGET", key, "deleting")
                      .when("1", "EXISTS", key))));
    }
    judge.doubt(new DeferredCheck(() -> lookAtList(name), () -> inspection.list(name).map(true)));
    gates.check(name);
    judge.doubt(new DeferredCheck(() -> lookAtLimits(name), () -> writeAgain(name)));
    return Future.succeededFuture();
  }

  private static Optional<String> unreadable(Map<String, String> hash) {
    try {
      Long.parseLong(hash.get("revision"));
      StoredJson.readCollection(hash.get("definition"));
      Instant.parse(hash.get("created"));
      Instant.parse(hash.get("modified"));
      CollectionName.parse(hash.get("name"));
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private Future<Optional<Finding>> lookAtList(CollectionName name) {
    String list = keys.collections(name.subscription());
    String member = name.group() + "/" + name.collection();
    return inspection
        .scores(list, List.of(member))
        .compose(
            scores ->
                scores.get(0) != null
                    ? Future.succeededFuture(Optional.empty())
                    : stored
                        .find(name)
                        .map(
                            there ->
                                there.map(
                                    collection ->
                                        new Finding(
                                            FindingKind.NOT_LISTED,
                                            list + " " + member,
                                            CollectionListCheck.LISTED,
                                            "nothing"))));
  }

  private Future<Optional<Finding>> lookAtLimits(CollectionName name) {
    return inspection
        .fields(keys.collection(name), "definition", "deleting", "limits", "maxJobs", "bounded")
        .map(
            fields -> {
              if (fields.get(0) == null || fields.get(1) != null) {
                return Optional.empty();
              }
              CollectionLimits limits =
                  CollectionLimits.of(StoredJson.readCollection(fields.get(0)));
              boolean right =
                  limits.text().equals(Objects.requireNonNullElse(fields.get(2), ""))
                      && maxJobs(limits).equals(Objects.requireNonNullElse(fields.get(3), ""))
                      && (fields.get(3) == null) == (fields.get(4) == null);
              return right
                  ? Optional.empty()
                  : Optional.of(
                      new Finding(
                          FindingKind.WRONG_LIMITS,
                          keys.collection(name) + " limits, maxJobs, bounded",
                          limits.text().isEmpty() ? "none" : limits.text(),
                          fields.subList(2, 5).toString()));
            });
  }

  private static String maxJobs(CollectionLimits limits) {
    return limits.maxJobs().isPresent() ? Integer.toString(limits.maxJobs().getAsInt()) : "";
  }

  /** The same definition, as a client would write it: other limits than before begin an epoch. */
  private Future<Boolean> writeAgain(CollectionName name) {
    String key = keys.collection(name);
    return inspection
        .perform(
            new ConditionalCommands()
                .whenNone("HGET", key, "deleting")
                .when("1", "HEXISTS", key, "definition")
                .then("HDEL", key, "maxJobs", "bounded")
                .then("HSET", key, "limits", "unknown"))
        .compose(done -> collections.find(name))
        .compose(
            found ->
                found.isEmpty()
                    ? Future.succeededFuture(false)
                    : collections
                        .put(
                            name,
                            found.get().definition(),
                            Precondition.revision(found.get().revision()),
                            clock.instant())
                        .map(true)
                        .recover(
                            failure ->
                                failure instanceof JobException
                                    ? Future.succeededFuture(false)
                                    : Future.failedFuture(failure)));
  }
}
