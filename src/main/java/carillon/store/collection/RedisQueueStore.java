package carillon.store.collection;

import carillon.config.QueuesSettings;
import carillon.job.action.RedisListCall;
import carillon.job.name.CollectionName;
import carillon.job.name.JobKey;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.redis.SharedClock;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Streams and lists that jobs fill and any kind of consumers empty. Their keys have a separate
 * prefix, so that no job can touch Carillon's keys. The keys also contain the collection, so that
 * no job can touch a queue of another collection. Confined to the event loop of its link.
 *
 * <p>An execution adds an entry only once, even if the call is repeated. The script remembers the
 * executions beside the queue, in the queue's own hash slot. A repeat can only follow a crash or a
 * lost answer, so the last {@value #REMEMBERED} are enough.
 */
public final class RedisQueueStore {
  private static final Script<Added> ADD = Script.returning("queue_add", RedisQueueStore::added);
  private static final Script<Void> LEAVE = Script.returningNothing("queues_leave");
  private static final int REMEMBERED = 10_000;

  private final RedisLink link;
  private final Keys keys;
  private final SharedClock clock;

  public RedisQueueStore(RedisLink link, Keys keys, SharedClock clock) {
    this.link = link;
    this.keys = keys;
    this.clock = clock;
  }

  /**
   * Result of adding an entry.
   *
   * @param isRepeat whether the execution added it before
   * @param id id of a stream's entry; empty for a list or a repeat
   * @param entries current number of entries in the stream or list
   * @param dropped number of the oldest entries of a list that were dropped to make room
   */
  public record Added(boolean isRepeat, String id, int entries, int dropped) {}

  /** Refusal of a further queue: the collection has the maximum number. */
  public static final class TooManyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyException() {
      super("the collection has too many queues", null, false, false);
    }
  }

  /**
   * A queue of the collection that a job is in, and its maximum length.
   *
   * @param job key of the job that adds
   * @param name name of the queue within the collection
   * @param wanted number of entries that the job wants to keep
   * @param bounds bounds of all queues, regardless of {@code wanted}
   */
  public record Queue(String job, String name, int wanted, QueuesSettings bounds) {}

  /**
   * Adds an entry to a stream. Fails if the key holds another type, or with {@link
   * TooManyException}.
   *
   * @param execution id that adds one entry, {@link carillon.job.attempt.Attempt#deliveryId}
   */
  public Future<Added> addToStream(Queue stream, String execution, Map<String, String> entry) {
    List<String> texts = new ArrayList<>(2 * entry.size());
    entry.forEach(
        (name, value) -> {
          texts.add(name);
          texts.add(value);
        });
    return add("XADD", stream, execution, texts);
  }

  /** Pushes an entry onto a list, like {@link #addToStream} for a stream. */
  public Future<Added> push(RedisListCall.Side side, Queue list, String execution, String entry) {
    String command = side == RedisListCall.Side.LEFT ? "LPUSH" : "RPUSH";
    return add(command, list, execution, List.of(entry));
  }

  private Future<Added> add(String command, Queue queue, String execution, List<String> entry) {
    JobKey job = new JobKey(queue.job());
    String collection = job.collection();
    return ADD.on(link)
        .key("queue", keys.queue(collection, queue.name()))
        .key("added", keys.queueAdded(collection, queue.name()))
        .key("maxlengths", keys.queueMaxLengths(collection, queue.name()))
        .key("sizes", keys.queueSizes(collection))
        .arg("command", command)
        .arg("execution", execution)
        .millis("now", clock.instant())
        .arg("job", job.name())
        .arg("wanted", queue.wanted())
        .arg("max", queue.bounds().redisLength())
        .arg("remembered", REMEMBERED)
        .arg("name", queue.name())
        .arg("maxQueues", queue.bounds().redisQueues())
        .arg("maxBytes", queue.bounds().redisBytes())
        .args("names", entry)
        .run();
  }

  /**
   * Makes the queues of a deleted collection expire in a week, so that consumers can still empty
   * them.
   */
  static Future<Void> leave(RedisLink link, Keys keys, CollectionName collection) {
    return LEAVE.on(link).key("sizes", keys.queueSizes(collection.key())).run();
  }

  private enum Word {
    ADDED,
    REPEATED,
    FULL
  }

  private static Added added(Response reply) {
    Word word = Script.word(Word.class, reply.get(0));
    if (word == Word.FULL) {
      throw new TooManyException();
    }
    return new Added(
        word == Word.REPEATED,
        reply.get(1).toString(),
        reply.get(2).toInteger(),
        reply.get(3).toInteger());
  }
}
