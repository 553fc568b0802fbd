package carillon.store.operation;

import carillon.job.ErrorCode;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Live events that nodes exchange about attempts that end, as long as somebody watches. For people
 * to look at: nothing is decided by it, and what is too much is left out. A stream that is read
 * with plain commands, instead of channels: it needs no connection of its own and no other rights,
 * and goes wherever the other keys go. Every future may fail with {@link
 * ErrorCode#STORE_UNAVAILABLE}. Confined to the event loop of its link.
 */
public final class LiveStore {
  /** Batches of all nodes; each writes a few in a second. */
  private static final int MAX_BATCHES = 128;

  private static final Duration SUBSCRIPTION = Duration.ofSeconds(10);
  private static final Duration KEPT = Duration.ofMinutes(1);
  private static final String NODE = "node";
  private static final String LEFT_OUT = "leftOut";
  private static final String ATTEMPT = "attempt";

  private final RedisLink link;
  private final Keys keys;
  private final String node;

  public LiveStore(RedisLink link, Keys keys, String node) {
    this.link = link;
    this.keys = keys;
    this.node = node;
  }

  /**
   * Live events that a node wrote at once.
   *
   * @param id rises with time
   * @param leftOut attempts that ended too, and were too many
   * @param attempts in the form of whoever told
   */
  public record LiveBatch(String id, String node, long leftOut, List<String> attempts) {}

  /** Subscribes to the events of all nodes for some seconds. */
  public Future<Void> subscribe() {
    return link.send(
            Request.cmd(Command.SET)
                .arg(keys.liveSubscribed())
                .arg(node)
                .arg("PX")
                .arg(SUBSCRIPTION.toMillis()))
        .mapEmpty();
  }

  /** True while somebody is subscribed. */
  public Future<Boolean> isSubscribed() {
    return link.send(Request.cmd(Command.EXISTS).arg(keys.liveSubscribed()))
        .map(reply -> reply.toInteger() == 1);
  }

  /** Writes events for subscribers. */
  public Future<Void> tell(List<String> attempts, long leftOut) {
    Request batch =
        Request.cmd(Command.XADD)
            .arg(keys.live())
            .arg("MAXLEN")
            .arg(MAX_BATCHES)
            .arg("*")
            .arg(NODE)
            .arg(node)
            .arg(LEFT_OUT)
            .arg(leftOut);
    attempts.forEach(attempt -> batch.arg(ATTEMPT).arg(attempt));
    Future<Response> told = link.send(batch);
    Future<Response> bounded =
        link.send(Request.cmd(Command.PEXPIRE).arg(keys.live()).arg(KEPT.toMillis()));
    return Future.all(told, bounded).mapEmpty();
  }

  /** The id that separates events before this instant from later ones. */
  public static String at(Instant instant) {
    return instant.toEpochMilli() + "-0";
  }

  /** True if this node wrote the batch. */
  public boolean isOwn(LiveBatch batch) {
    return batch.node.equals(node);
  }

  /** The batches after that with this id, of any node. */
  public Future<List<LiveBatch>> after(String id) {
    return link.send(
            Request.cmd(Command.XRANGE)
                .arg(keys.live())
                .arg("(" + id)
                .arg("+")
                .arg("COUNT")
                .arg(MAX_BATCHES))
        .map(found -> found.stream().map(LiveStore::batch).toList());
  }

  private static LiveBatch batch(Response entry) {
    String teller = "";
    long leftOut = 0;
    List<String> attempts = new ArrayList<>();
    Response fields = entry.get(1);
    for (int i = 0; i + 1 < fields.size(); i += 2) {
      switch (fields.get(i).toString()) {
        case NODE -> teller = fields.get(i + 1).toString();
        case LEFT_OUT -> leftOut = fields.get(i + 1).toLong();
        case ATTEMPT -> attempts.add(fields.get(i + 1).toString());
        default -> {
          // of another version
        }
      }
    }
    return new LiveBatch(entry.get(0).toString(), teller, leftOut, attempts);
  }
}
