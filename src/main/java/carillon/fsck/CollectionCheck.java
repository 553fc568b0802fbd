package carillon.fsck;

import static carillon.fsck.CheckContext.unless;

import carillon.fsck.FindingVerifier.Suspicion;
import carillon.job.Precondition;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionLimits;
import carillon.job.name.CollectionName;
import carillon.job.name.JobException;
import carillon.json.StoredJson;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.store.collection.CollectionStore;
import carillon.store.operation.RawRedisReader;
import carillon.store.operation.RawRedisReader.Pair;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Check of collections. Each collection must be readable and listed, and have the limits of its
 * definition. Each list entry and each job must have its collection.
 */
final class CollectionCheck {
  private static final String LISTED = "score 0";

  private final CheckContext context;
  private final RawRedisReader reader;
  private final Keys keys;
  private final FindingVerifier verifier;
  private final CollectionStore collections;
  private final DisabledMarkerCheck markers;
  private final Set<String> withJobs = new HashSet<>();

  CollectionCheck(CheckContext context, CollectionStore collections, DisabledMarkerCheck markers) {
    this.context = context;
    this.reader = context.reader;
    this.keys = context.keys;
    this.verifier = context.verifier;
    this.collections = collections;
    this.markers = markers;
  }

  /** Checks a collection that is stored. */
  Future<Void> check(String collection) {
    Optional<CollectionName> name = CheckContext.collectionName(collection);
    if (name.isEmpty()) {
      return Future.succeededFuture();
    }
    String key = keys.collection(name.get());
    return reader.hash(key).compose(hash -> check(name.get(), key, hash));
  }

  private Future<Void> check(CollectionName name, String key, Map<String, String> hash) {
    if (hash.isEmpty() || hash.containsKey("deletedAt")) {
      return Future.succeededFuture();
    }
    Optional<String> unreadable = unreadable(hash);
    if (unreadable.isPresent()) {
      return verifier.settle(
          new Suspicion(
              FindingKind.UNREADABLE, key, "a collection", unreadable.get(), sameAs(key, hash)));
    }
    verifier.defer(() -> lookIfListed(name), () -> reader.list(name).map(true));
    markers.check(name);
    verifier.defer(() -> lookAtLimits(name), () -> writeAgain(name));
    return Future.succeededFuture();
  }

  private static ConditionalCommands sameAs(String key, Map<String, String> hash) {
    ConditionalCommands proof = new ConditionalCommands();
    for (String field : List.of("revision", "definition", "epoch")) {
      RawRedisReader.whenSame(proof, key, field, hash.get(field));
    }
    return proof.whenNone("HGET", key, "deletedAt").when("1", "EXISTS", key);
  }

  private static Optional<String> unreadable(Map<String, String> hash) {
    Optional<String> strange =
        hash.keySet().stream().filter(field -> !RawRedisReader.isUtf8(hash.get(field))).findFirst();
    if (strange.isPresent()) {
      return strange.map(field -> field + ", which is not UTF-8: " + hash.get(field));
    }
    try {
      if (!JobSnapshot.COUNT.matcher(hash.get("revision")).matches()) {
        return Optional.of("revision " + hash.get("revision"));
      }
      if (!JobSnapshot.COUNT.matcher(hash.getOrDefault("epoch", "0")).matches()) {
        return Optional.of("epoch " + hash.get("epoch"));
      }
      StoredJson.readCollection(hash.get("definition"));
      Instant.parse(hash.get("created"));
      Instant.parse(hash.get("modified"));
      CollectionName.parse(hash.get("name"));
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private Future<Optional<Finding>> lookIfListed(CollectionName name) {
    String list = keys.collections(name.subscription());
    String member = name.group() + "/" + name.collection();
    Finding finding = new Finding(FindingKind.NOT_LISTED, list + " " + member, LISTED, "nothing");
    return unless(
        reader.scores(list, List.of(member)).map(scores -> scores.get(0) != null),
        () -> context.collection(name).map(there -> there.map(collection -> finding)));
  }

  private Future<Optional<Finding>> lookAtLimits(CollectionName name) {
    return reader
        .fields(keys.collection(name), "definition", "deletedAt", "limits", "maxJobs", "quotaEpoch")
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
                          keys.collection(name) + " limits, maxJobs, quotaEpoch",
                          limits.text().isEmpty() ? "none" : limits.text(),
                          fields.subList(2, 5).toString()));
            });
  }

  private static String maxJobs(CollectionLimits limits) {
    return limits.maxJobs().isPresent() ? Integer.toString(limits.maxJobs().getAsInt()) : "";
  }

  /** Writes the stored definition as a client would: other limits than before begin an epoch. */
  private Future<Boolean> writeAgain(CollectionName name) {
    String key = keys.collection(name);
    return reader
        .perform(
            new ConditionalCommands()
                .whenNone("HGET", key, "deletedAt")
                .when("1", "HEXISTS", key, "definition")
                .then("HDEL", key, "maxJobs", "quotaEpoch")
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
                            context.clock.instant())
                        .map(true)
                        .recover(
                            failure ->
                                failure instanceof JobException
                                    ? Future.succeededFuture(false)
                                    : Future.failedFuture(failure)));
  }

  /** Checks the list of a subscription's collections. */
  Future<Void> checkList(String subscription) {
    String list = keys.collections(subscription);
    return SliceLoops.items(
        from -> reader.members(list, from),
        pair -> {
          Optional<CollectionName> name =
              CheckContext.collectionName(subscription + "/" + pair.name());
          if (name.isEmpty()) {
            return verifier.settle(unlisted(list, pair, FindingKind.UNREADABLE));
          }
          Suspicion suspect = unlisted(list, pair, FindingKind.LISTED_WITHOUT_COLLECTION);
          verifier.defer(
              () ->
                  unless(
                      reader.exists(keys.collection(name.get())),
                      () ->
                          reader
                              .scores(list, List.of(pair.name()))
                              .map(
                                  scores ->
                                      Optional.ofNullable(scores.get(0))
                                          .map(listed -> suspect.finding()))),
              () -> reader.perform(suspect.proof()));
          return Future.succeededFuture();
        });
  }

  private static Suspicion unlisted(String list, Pair pair, FindingKind kind) {
    return new Suspicion(
        kind,
        list + " " + pair.name(),
        "nothing, as there is no such collection",
        LISTED,
        new ConditionalCommands()
            .whenSame(pair.value(), "ZSCORE", list, pair.name())
            .then("ZREM", list, pair.name()));
  }

  /** Notes that a collection has jobs in a partition: it must be there. */
  void sawJobs(int partition, String collection) {
    if (withJobs.add(collection)) {
      CheckContext.collectionName(collection)
          .ifPresent(
              name ->
                  verifier.defer(() -> lookIfThere(name, partition), () -> make(name, partition)));
    }
  }

  private Future<Optional<Finding>> lookIfThere(CollectionName name, int partition) {
    Finding missing =
        new Finding(
            FindingKind.NO_COLLECTION,
            keys.collection(name),
            "a collection, as there are jobs in it",
            "nothing");
    return unless(
        reader.exists(keys.collection(name)),
        () ->
            reader
                .size(keys.jobs(partition, name.key()))
                .map(jobs -> Optional.of(missing).filter(found -> jobs > 0)));
  }

  /**
   * Creates the missing collection of existing jobs, so that they can be seen again, and deleted if
   * they are not wanted.
   */
  private Future<Boolean> make(CollectionName name, int partition) {
    return newestEpoch(name, partition)
        .compose(
            epoch -> {
              String key = keys.collection(name);
              String now = context.clock.instant().toString();
              ConditionalCommands made =
                  new ConditionalCommands()
                      .when("0", "EXISTS", key)
                      .then("HSET", key, "name", name.key())
                      .then("HSET", key, "definition", StoredJson.write(CollectionDefinition.PLAIN))
                      .then("HSET", key, "revision", Long.toString(context.clock.millis()))
                      .then("HSET", key, "created", now)
                      .then("HSET", key, "modified", now);
              return reader.perform(
                  epoch == 0 ? made : made.then("HSET", key, "epoch", Long.toString(epoch)));
            })
        .compose(done -> reader.list(name).map(done));
  }

  /**
   * Returns the newest epoch of the collection's jobs. A later deletion uses the epoch, and must
   * reach these jobs.
   */
  private Future<Long> newestEpoch(CollectionName name, int partition) {
    long[] newest = {0};
    return SliceLoops.items(
            from -> reader.members(keys.jobs(partition, name.key()), from),
            pair -> {
              String job = name.key() + pair.name().substring(pair.name().indexOf('/'));
              return reader
                  .fields(keys.job(partition, job), "epoch")
                  .map(
                      fields -> {
                        if (fields.get(0) != null) {
                          newest[0] = Math.max(newest[0], Long.parseLong(fields.get(0)));
                        }
                        return null;
                      });
            })
        .map(done -> newest[0]);
  }
}
