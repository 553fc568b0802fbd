package carillon.store.collection;

import carillon.access.Scope;
import carillon.job.Precondition;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionLimits;
import carillon.job.collection.JobCollection;
import carillon.job.collection.JobCollection.DamagedCollection;
import carillon.job.name.CollectionName;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.json.StoredJson;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.redis.route.RedisErrors;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Store of the definitions of job collections. A collection and its jobs live in different slots,
 * so nothing here is atomic with a job. Every future may fail with {@link
 * ErrorCode#STORE_UNAVAILABLE}. Confined to the event loop of its link.
 */
public final class CollectionStore {
  private static final Script<PutCollectionReply> PUT =
      Script.returning("put_collection", PutCollectionReply::of);

  /** Field of {@code carillon:meta}: name of the collection that the first start created. */
  private static final String FIRST = "firstCollection";

  private static final int CACHED = 10_000;
  private static final Duration FRESH = Duration.ofSeconds(1);

  private final RedisLink link;
  private final Keys keys;
  private final InstantSource clock;
  private final CollectionIndex index;
  private final DisabledMarkers disabledMarkers;
  private final CollectionEpochs epochs;
  private final CollectionDeletion deletion;
  private final Map<CollectionName, Known> known = new HashMap<>();

  public CollectionStore(
      RedisLink link,
      Keys keys,
      InstantSource clock,
      CollectionIndex index,
      DisabledMarkers disabledMarkers,
      CollectionEpochs epochs,
      CollectionDeletion deletion) {
    this.link = link;
    this.keys = keys;
    this.clock = clock;
    this.index = index;
    this.disabledMarkers = disabledMarkers;
    this.epochs = epochs;
    this.deletion = deletion;
  }

  /**
   * Rules of a collection for writing its jobs.
   *
   * @param name name as first written
   * @param epoch rises when the collection is created again after a deletion, and when its limits
   *     change; every partition refuses writes from an earlier epoch
   * @param limits limits for its jobs
   */
  public record CollectionRules(CollectionName name, long epoch, CollectionLimits limits) {}

  private record Known(CollectionRules collection, Instant until) {
    /** Whether the rules are fresh. The clock may have been set back since they were read. */
    boolean isFresh(Instant now) {
      return now.isBefore(until) && !now.isBefore(until.minus(FRESH));
    }
  }

  /**
   * A completed write.
   *
   * @param created false if it replaced a collection
   * @param before replaced definition; empty for a new collection or after a damaged one
   */
  public record Put(
      JobCollection collection, boolean created, Optional<CollectionDefinition> before) {}

  /**
   * A collection, or the reason why it cannot be read.
   *
   * @param name name of the collection
   * @param collection the collection, unless it is damaged
   * @param damaged the reason if it is damaged
   */
  public record FoundCollection(
      CollectionName name,
      Optional<JobCollection> collection,
      Optional<DamagedCollection> damaged) {}

  /**
   * A page of collections in the order of their folded names.
   *
   * @param after position of the next page, if there is one
   */
  public record Page(List<FoundCollection> found, Optional<String> after) {
    /** Returns the readable collections. */
    public List<JobCollection> collections() {
      return found.stream().flatMap(one -> one.collection.stream()).toList();
    }

    /** Returns the damaged collections. */
    public List<DamagedCollection> damaged() {
      return found.stream().flatMap(one -> one.damaged.stream()).toList();
    }

    /** Returns the names of all collections, readable or not. */
    public List<CollectionName> names() {
      return found.stream().map(FoundCollection::name).toList();
    }
  }

  /**
   * Creates or replaces a collection. New limits apply to every write of a job that is answered
   * after this one. Fails with {@link ErrorCode#PRECONDITION_FAILED}.
   */
  public Future<Put> put(
      CollectionName name, CollectionDefinition definition, Precondition condition, Instant now) {
    return definition.needsMarker()
        ? announced(name, definition, condition, now)
        : disabledMarkers
            .isKnown(name)
            .compose(
                known ->
                    known
                        ? announced(name, definition, condition, now)
                        : write(name, definition, condition, now));
  }

  /**
   * Creates the first collection of a new Redis, only once. It does not come back after a user has
   * deleted it.
   *
   * @param name name of a collection of the default group
   */
  public Future<Void> putFirst(String name, Instant now) {
    return link.send(Request.cmd(Command.HEXISTS).arg(keys.meta()).arg(FIRST))
        .compose(
            made ->
                made.toInteger() == 1
                    ? Future.succeededFuture()
                    : put(
                            new CollectionName("default", "default", name),
                            CollectionDefinition.PLAIN,
                            Precondition.NONE,
                            now)
                        .compose(done -> noteFirst(name)))
        .mapEmpty();
  }

  private Future<Response> noteFirst(String name) {
    return link.send(Request.cmd(Command.HSETNX).arg(keys.meta()).arg(FIRST).arg(name));
  }

  private Future<Put> announced(
      CollectionName name, CollectionDefinition definition, Precondition condition, Instant now) {
    return disabledMarkers
        .announce(name)
        .compose(
            announced ->
                write(name, definition, condition, now)
                    .compose(put -> disabledMarkers.dismiss(announced).map(put)));
  }

  private Future<Put> write(
      CollectionName name, CollectionDefinition definition, Precondition condition, Instant now) {
    known.remove(name);
    CollectionLimits limits = CollectionLimits.of(definition);
    // Listed before it exists: a list leaves out collections that do not exist, but an unlisted
    // collection would never be found.
    Future<Void> listed = index.list(name);
    Future<PutCollectionReply> written =
        PUT.on(link)
            .key("collection", keys.collection(name))
            .key("quota", keys.quota(name))
            .arg("condition", condition.argument())
            .arg("now", now.toEpochMilli())
            .iso("now", now)
            .arg("name", name.subscription() + "/" + name.group() + "/" + name.collection())
            .arg("definition", StoredJson.write(definition))
            .arg("limits", limits.text())
            .arg(
                "max_jobs",
                limits.maxJobs().isPresent() ? Integer.toString(limits.maxJobs().getAsInt()) : "")
            .arg("disabled", definition.needsMarker() ? "1" : "")
            .run();
    return Future.all(listed, written)
        .compose(
            both ->
                switch (written.result().word) {
                  case CREATED, REPLACED ->
                      settle(written.result().kept.orElseThrow(), definition, now);
                  case REFUSED -> throw conditionFailed(name);
                  case DELETING ->
                      deletion
                          .endEpoch(name, written.result().epoch)
                          .compose(ended -> write(name, definition, condition, now));
                });
  }

  /**
   * Reply of put_collection.
   *
   * @param kept the stored collection, if something was written
   */
  private record PutCollectionReply(Word word, long epoch, Optional<Kept> kept) {
    private enum Word {
      CREATED,
      REPLACED,
      REFUSED,
      DELETING
    }

    static PutCollectionReply of(Response reply) {
      Word word = Script.word(Word.class, reply.get(0));
      boolean isKept = word == Word.CREATED || word == Word.REPLACED;
      return new PutCollectionReply(
          word,
          reply.get(4).toLong(),
          isKept ? Optional.of(Kept.of(word, reply)) : Optional.empty());
    }
  }

  /**
   * A collection that was written.
   *
   * @param hasOtherLimits whether the previous epoch must be retired
   * @param before the replaced definition, JSON
   * @param hasMarker whether it is or ever was disabled
   */
  private record Kept(
      CollectionName name,
      long revision,
      Instant created,
      long epoch,
      boolean hasOtherLimits,
      Optional<String> before,
      boolean hasMarker) {
    static Kept of(PutCollectionReply.Word word, Response reply) {
      return new Kept(
          CollectionName.parse(reply.get(2).toString()),
          reply.get(1).toLong(),
          Instant.parse(reply.get(3).toString()),
          reply.get(4).toLong(),
          !reply.get(5).toString().isEmpty(),
          word == PutCollectionReply.Word.CREATED
              ? Optional.empty()
              : Optional.of(reply.get(6).toString()),
          !reply.get(7).toString().isEmpty());
    }
  }

  /** Updates the parts of the collection in other slots. */
  private Future<Put> settle(Kept kept, CollectionDefinition definition, Instant now) {
    Put put =
        new Put(
            new JobCollection(kept.name, definition, kept.revision, kept.created, now),
            kept.before.isEmpty(),
            kept.before.flatMap(CollectionStore::readable));
    Future<Void> fenced =
        kept.hasOtherLimits
            ? epochs.retire(kept.name, kept.epoch - 1, CollectionEpochs.EpochEnd.CHANGED)
            : Future.succeededFuture();
    // Listed again, because a concurrent deletion may have removed it from the list.
    Future<Void> listed = put.created() ? index.list(kept.name) : Future.succeededFuture();
    Future<Void> marked =
        kept.hasMarker ? disabledMarkers.settle(kept.name) : Future.succeededFuture();
    return Future.all(fenced, listed, marked).map(put);
  }

  /** Returns the replaced definition; empty if it was damaged. */
  private static Optional<CollectionDefinition> readable(String definition) {
    try {
      return Optional.of(StoredJson.readCollection(definition));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  static JobException conditionFailed(CollectionName name) {
    return new JobException(
        ErrorCode.PRECONDITION_FAILED,
        "Job collection '"
            + name.collection()
            + "' is not in the state that If-Match or If-None-Match asks for.");
  }

  /**
   * Returns a collection. Fails with {@link ErrorCode#COLLECTION_NOT_FOUND} or {@link
   * ErrorCode#COLLECTION_DAMAGED}.
   */
  public Future<JobCollection> get(CollectionName name) {
    return find(name).map(found -> found.orElseThrow(() -> notFound(name)));
  }

  /**
   * Returns a collection; empty if there is none. Fails with {@link ErrorCode#COLLECTION_DAMAGED}.
   */
  public Future<Optional<JobCollection>> find(CollectionName name) {
    return hash(name)
        .map(hash -> hash.isThere() ? Optional.of(readable(hash, name)) : Optional.empty());
  }

  private static JobCollection readable(CollectionHash hash, CollectionName name) {
    FoundCollection found = read(hash, name);
    if (found.damaged.isPresent()) {
      throw damaged(found.damaged.get());
    }
    return found.collection.orElseThrow();
  }

  /** Returns a collection, or the reason why it cannot be read; empty if there is none. */
  public Future<Optional<FoundCollection>> look(CollectionName name) {
    return hash(name)
        .map(
            hash ->
                hash.isThere() ? Optional.of(read(hash, name)) : Optional.<FoundCollection>empty())
        .recover(
            failure ->
                RedisErrors.isWrongType(failure)
                    ? Future.succeededFuture(Optional.of(damaged(name, "its key holds no hash")))
                    : Future.failedFuture(failure));
  }

  private Future<CollectionHash> hash(CollectionName name) {
    return link.send(Request.cmd(Command.HGETALL).arg(keys.collection(name)))
        .map(CollectionHash::new);
  }

  private static FoundCollection read(CollectionHash hash, CollectionName name) {
    try {
      JobCollection collection = hash.read(name);
      return new FoundCollection(collection.name(), Optional.of(collection), Optional.empty());
    } catch (IllegalStateException e) {
      return damaged(name, e.getMessage());
    }
  }

  private static FoundCollection damaged(CollectionName name, String reason) {
    return new FoundCollection(
        name, Optional.empty(), Optional.of(new DamagedCollection(name, reason)));
  }

  /** Returns the failure for a collection that cannot be read. */
  static JobException damaged(DamagedCollection collection) {
    return new JobException(
        ErrorCode.COLLECTION_DAMAGED,
        "Job collection '"
            + collection.name().collection()
            + "' is damaged in Redis: "
            + collection.reason()
            + ". PUT it anew.");
  }

  /**
   * Returns the rules for writing jobs of the collection. They are cached for a second. That is
   * safe because the partitions refuse outdated rules. Fails like {@link #get}.
   */
  public Future<CollectionRules> rules(CollectionName name) {
    Instant now = clock.instant();
    Known remembered = known.get(name);
    if (remembered != null && remembered.isFresh(now)) {
      return Future.succeededFuture(remembered.collection);
    }
    return hash(name)
        .map(
            hash -> {
              if (!hash.isThere()) {
                throw notFound(name);
              }
              if (known.size() >= CACHED) {
                known.clear();
              }
              CollectionRules rules = rules(hash, name);
              known.put(name, new Known(rules, now.plus(FRESH)));
              return rules;
            });
  }

  private static CollectionRules rules(CollectionHash hash, CollectionName name) {
    JobCollection collection = readable(hash, name);
    return new CollectionRules(
        collection.name(), hash.epoch(), CollectionLimits.of(collection.definition()));
  }

  /** Removes a changed collection from the cache of {@link #rules}. */
  public void forget(CollectionName name) {
    known.remove(name);
  }

  /**
   * Deletes the collection with all its jobs; see {@link CollectionDeletion}.
   *
   * @return false if there was none; fails with {@link ErrorCode#PRECONDITION_FAILED}
   */
  public Future<Boolean> delete(CollectionName name, Precondition condition) {
    known.remove(name);
    return deletion.delete(name, condition);
  }

  /**
   * Returns a page of the collections of some parts of one subscription.
   *
   * @param parts disjoint, in the order of names; each costs two range reads at most
   * @param after where to begin, empty text for the beginning
   * @param skip number of collections to leave out first, with the same cost for any number
   * @param top maximum number of collections on the page
   */
  public Future<Page> list(List<Scope> parts, String after, int skip, int top) {
    if (parts.isEmpty()) {
      return Future.succeededFuture(new Page(List.of(), Optional.empty()));
    }
    String subscription = parts.get(0).subscription();
    return new CollectionIndex.EntryReader(link, keys.collections(subscription), top + 1)
        .read(parts, after, skip)
        .compose(listed -> page(subscription, listed, top));
  }

  private Future<Page> page(String subscription, List<String> listings, int top) {
    List<String> shown = listings.subList(0, Math.min(top, listings.size()));
    List<Future<Optional<FoundCollection>>> found =
        shown.stream()
            .map(listing -> look(CollectionName.parse(subscription + "/" + listing)))
            .toList();
    Optional<String> after =
        listings.size() > top ? Optional.of(shown.get(shown.size() - 1)) : Optional.empty();
    return Future.all(found)
        .map(all -> new Page(found.stream().flatMap(one -> one.result().stream()).toList(), after));
  }

  /** Returns the failure for a missing collection. */
  public static JobException notFound(CollectionName name) {
    return new JobException(
        ErrorCode.COLLECTION_NOT_FOUND,
        "Job collection '" + name.collection() + "' was not found.");
  }
}
