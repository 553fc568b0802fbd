package carillon.store;

import carillon.job.RedisListCall;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Streams and lists that jobs fill and consumers of any make empty. Their keys have a prefix of
 * their own, so that no job can touch Carillon's keys. Confined to the event loop of its link.
 *
 * <p>An entry is added once per execution, whatever repeats the call: the script remembers the
 * executions beside the queue, in the queue's own hash slot. A repeat can only follow a crash or a
 * lost answer, so that the last {@value #REMEMBERED} are enough.
 */
public final class QueueStore {
  private static final LuaScript ADD = LuaScript.named("queue_add");
  private static final int REMEMBERED = 10_000;

  private final RedisLink link;
  private final Keys keys;
  private final TimeKeeper clock;

  QueueStore(RedisLink link, Keys keys, TimeKeeper clock) {
    this.link = link;
    this.keys = keys;
    this.clock = clock;
  }

  /**
   * What became of an entry.
   *
   * @param isRepeat the execution had added it before
   * @param id of a stream's entry; empty for a list or a repeat
   * @param entries in the stream or list now
   * @param dropped the oldest entries of a list, dropped to make room
   */
  public record Added(boolean isRepeat, String id, int entries, int dropped) {}

  /**
   * Adds to a stream. Fails when the key holds something else.
   *
   * @param execution what adds one entry, {@link carillon.job.Run#deliveryId}
   * @param most entries that the stream keeps, about
   */
  public Future<Added> addToStream(
      String stream, String execution, Map<String, String> entry, int most) {
    List<String> texts = new ArrayList<>(2 * entry.size());
    entry.forEach(
        (name, value) -> {
          texts.add(name);
          texts.add(value);
        });
    return add("XADD", stream, execution, most, texts);
  }

  /** Pushes onto a list, as {@link #addToStream} adds to a stream. */
  public Future<Added> push(
      RedisListCall.Side side, String list, String execution, String entry, int most) {
    String command = side == RedisListCall.Side.LEFT ? "LPUSH" : "RPUSH";
    return add(command, list, execution, most, List.of(entry));
  }

  private Future<Added> add(
      String command, String queue, String execution, int most, List<String> entry) {
    Instant now = clock.instant();
    List<String> arguments =
        new ArrayList<>(
            List.of(
                command,
                execution,
                Millis.text(now),
                Integer.toString(most),
                Integer.toString(REMEMBERED)));
    arguments.addAll(entry);
    return link.eval(ADD, List.of(keys.queue(queue), keys.queueAdded(queue)), arguments)
        .map(QueueStore::added);
  }

  private static Added added(Response reply) {
    return new Added(
        reply.get(0).toString().equals("REPEATED"),
        reply.get(1).toString(),
        reply.get(2).toInteger(),
        reply.get(3).toInteger());
  }
}
