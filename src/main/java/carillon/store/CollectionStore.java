package carillon.store;

import carillon.codec.StoredForm;
import carillon.job.CollectionDefinition;
import carillon.job.CollectionName;
import carillon.job.ErrorCode;
import carillon.job.JobCollection;
import carillon.job.JobException;
import carillon.job.Precondition;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Job collections. A collection and its jobs live in different slots, so nothing here is atomic
 * with a job. Every future may fail with {@link ErrorCode#STORE_UNAVAILABLE}. Confined to the event
 * loop of its link.
 */
public final class CollectionStore {
  private static final LuaScript PUT = LuaScript.named("put_collection");
  private static final LuaScript DELETE_JOBS = LuaScript.named("delete_jobs");
  private static final int SLICE = 256;
  private static final int CACHED = 10_000;
  private static final Duration FRESH = Duration.ofSeconds(1);

  private final RedisLink link;
  private final Keys keys;
  private final InstantSource clock;
  private final Map<CollectionName, Known> known = new HashMap<>();

  public CollectionStore(RedisLink link, Keys keys, InstantSource clock) {
    this.link = link;
    this.keys = keys;
    this.clock = clock;
  }

  private record Known(CollectionName name, Instant until) {}

  /**
   * A write that was made.
   *
   * @param created false when it replaced a collection
   */
  public record Put(boolean created, JobCollection collection) {}

  /**
   * A page of collections in the order of their folded names.
   *
   * @param after where to continue, when there is more
   */
  public record Page(List<JobCollection> collections, Optional<String> after) {}

  /** Creates or replaces. Fails with {@link ErrorCode#PRECONDITION_FAILED}. */
  public Future<Put> put(
      CollectionName name, CollectionDefinition definition, Precondition condition, Instant now) {
    // Listed before it is there: a list leaves out what it does not find, whereas nothing would
    // find what is not listed.
    Future<Response> listed =
        link.send(
            Request.cmd(Command.ZADD)
                .arg(keys.collections(subscription(name)))
                .arg(0)
                .arg(listing(name)));
    Future<Response> written =
        link.eval(
            PUT,
            List.of(keys.collection(name)),
            List.of(
                condition.argument(),
                Long.toString(now.toEpochMilli()),
                now.toString(),
                name.subscription() + "/" + name.group() + "/" + name.collection(),
                StoredForm.write(definition)));
    return Future.all(listed, written)
        .map(both -> put(name, definition, now, written.result()))
        .compose(put -> gate(name, definition.state(), now).map(put));
  }

  private static Put put(
      CollectionName name, CollectionDefinition definition, Instant now, Response reply) {
    String word = reply.get(0).toString();
    if (word.equals("REFUSED")) {
      throw new JobException(
          ErrorCode.PRECONDITION_FAILED,
          "Job collection '"
              + name.collection()
              + "' is not in the state that If-Match or If-None-Match asks for.");
    }
    JobCollection collection =
        new JobCollection(
            parse(reply.get(2).toString()),
            definition,
            reply.get(1).toLong(),
            Instant.parse(reply.get(3).toString()),
            now);
    return new Put(word.equals("CREATED"), collection);
  }

  /**
   * A closed gate stands in a hash of its own, which every node reads with its heartbeat; see
   * {@link Gate}.
   */
  private Future<Void> gate(CollectionName name, CollectionDefinition.State state, Instant now) {
    if (state != CollectionDefinition.State.ENABLED) {
      return link.send(
              Request.cmd(Command.HSET).arg(keys.gates()).arg(name.key()).arg(Gate.closed(now)))
          .mapEmpty();
    }
    return link.send(Request.cmd(Command.HEXISTS).arg(keys.gates()).arg(name.key()))
        .compose(
            closed ->
                closed.toInteger() == 0
                    ? Future.succeededFuture()
                    : link.send(
                        Request.cmd(Command.HSET)
                            .arg(keys.gates())
                            .arg(name.key())
                            .arg(Gate.open(now))))
        .mapEmpty();
  }

  /** Fails with {@link ErrorCode#COLLECTION_NOT_FOUND}. */
  public Future<JobCollection> get(CollectionName name) {
    return find(name).map(found -> found.orElseThrow(() -> notFound(name)));
  }

  /** Empty when there is none. */
  public Future<Optional<JobCollection>> find(CollectionName name) {
    return link.send(Request.cmd(Command.HGETALL).arg(keys.collection(name)))
        .map(
            hash ->
                hash.size() == 0 || hash.get("definition") == null || hash.get("deleting") != null
                    ? Optional.empty()
                    : Optional.of(read(hash)));
  }

  private static JobCollection read(Response hash) {
    return new JobCollection(
        parse(hash.get("name").toString()),
        StoredForm.readCollection(hash.get("definition").toString()),
        hash.get("revision").toLong(),
        Instant.parse(hash.get("created").toString()),
        Instant.parse(hash.get("modified").toString()));
  }

  /**
   * The collection's name as it was first written, if it exists: what a job write asks before
   * anything else. Remembered for a second. Fails with {@link ErrorCode#COLLECTION_NOT_FOUND}.
   */
  public Future<CollectionName> resolve(CollectionName name) {
    Instant now = clock.instant();
    Known remembered = known.get(name);
    if (remembered != null && now.isBefore(remembered.until)) {
      return Future.succeededFuture(remembered.name);
    }
    return get(name)
        .map(
            collection -> {
              if (known.size() >= CACHED) {
                known.clear();
              }
              known.put(name, new Known(collection.name(), now.plus(FRESH)));
              return collection.name();
            });
  }

  /**
   * Removes a collection with all its jobs, in bounded slices, one partition after the other. When
   * it is interrupted, the collection is gone for everybody already, and deleting it again ends the
   * work.
   *
   * @return false when there was none
   */
  public Future<Boolean> delete(CollectionName name) {
    known.remove(name);
    return link.send(Request.cmd(Command.EXISTS).arg(keys.collection(name)))
        .compose(
            exists ->
                exists.toInteger() == 0
                    ? Future.succeededFuture(false)
                    : deleteAll(name).map(true));
  }

  private Future<Void> deleteAll(CollectionName name) {
    Future<Response> marked =
        link.send(
            Request.cmd(Command.HSET)
                .arg(keys.collection(name))
                .arg("deleting")
                .arg(clock.instant().toString()));
    return IntStream.range(0, keys.partitions())
        .boxed()
        .reduce(
            marked.<Void>mapEmpty(),
            (before, partition) -> before.compose(done -> deleteJobs(name, partition)),
            (left, right) -> right)
        .compose(
            done ->
                Future.all(
                    link.send(
                        Request.cmd(Command.ZREM)
                            .arg(keys.collections(subscription(name)))
                            .arg(listing(name))),
                    link.send(Request.cmd(Command.HDEL).arg(keys.gates()).arg(name.key())),
                    link.send(Request.cmd(Command.DEL).arg(keys.collection(name)))))
        .mapEmpty();
  }

  private Future<Void> deleteJobs(CollectionName name, int partition) {
    String inside = name.key() + "/";
    return link.eval(
            DELETE_JOBS,
            List.of(
                keys.jobs(partition, name.key()),
                keys.due(partition),
                keys.gated(partition, name.key())),
            List.of(
                Integer.toString(SLICE),
                keys.jobPrefix(partition) + inside,
                keys.historyPrefix(partition) + inside,
                inside))
        .compose(
            deleted ->
                deleted.toInteger() < SLICE
                    ? Future.succeededFuture()
                    : deleteJobs(name, partition));
  }

  /**
   * A page of the collections of a subscription, or of one group of it.
   *
   * @param after where to begin, empty text for the beginning
   * @param top most collections on the page
   */
  public Future<Page> list(String subscription, Optional<String> group, String after, int top) {
    String prefix = group.map(g -> g.toLowerCase(Locale.ROOT) + "/").orElse("");
    String from = after.isEmpty() ? (prefix.isEmpty() ? "-" : "[" + prefix) : "(" + after;
    String to = prefix.isEmpty() ? "+" : "(" + prefix.substring(0, prefix.length() - 1) + "0";
    String folded = subscription.toLowerCase(Locale.ROOT);
    return link.send(
            Request.cmd(Command.ZRANGE)
                .arg(keys.collections(folded))
                .arg(from)
                .arg(to)
                .arg("BYLEX")
                .arg("LIMIT")
                .arg(0)
                .arg(top + 1))
        .compose(listed -> page(folded, listed.stream().map(Objects::toString).toList(), top));
  }

  private Future<Page> page(String subscription, List<String> listings, int top) {
    List<String> shown = listings.subList(0, Math.min(top, listings.size()));
    List<Future<Optional<JobCollection>>> found =
        shown.stream().map(listing -> find(parse(subscription + "/" + listing))).toList();
    Optional<String> after =
        listings.size() > top ? Optional.of(shown.get(shown.size() - 1)) : Optional.empty();
    return Future.all(found)
        .map(all -> new Page(found.stream().flatMap(one -> one.result().stream()).toList(), after));
  }

  private static String subscription(CollectionName name) {
    return name.subscription().toLowerCase(Locale.ROOT);
  }

  private static String listing(CollectionName name) {
    return name.key().substring(name.subscription().length() + 1);
  }

  private static CollectionName parse(String path) {
    String[] parts = path.split("/", -1);
    return new CollectionName(parts[0], parts[1], parts[2]);
  }

  private static JobException notFound(CollectionName name) {
    return new JobException(
        ErrorCode.COLLECTION_NOT_FOUND,
        "The Resource 'Microsoft.Scheduler/jobcollections/"
            + name.collection()
            + "' under resource group '"
            + name.group()
            + "' was not found.");
  }
}
