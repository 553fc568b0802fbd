package carillon.store.operation;

import carillon.job.name.ErrorCode;
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
 * Live events about ended attempts, which nodes exchange while somebody watches. They are only for
 * display: no decision depends on them, and excess events are left out.
 *
 * <p>The store uses a stream with plain commands instead of channels. A stream needs no separate
 * connection and no other rights, and is wherever the other keys are. Every future may fail with
 * {@link ErrorCode#STORE_UNAVAILABLE}. Confined to the event loop of its link.
 */
public final class LiveStore {
  /** Maximum number of batches of all nodes. Each node writes a few per second. */
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
   * Live events that a node wrote together.
   *
   * @param id rises with time
   * @param leftOut number of further ended attempts, which were too many
   * @param attempts attempts in the format of the writer
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

  /** Whether somebody is subscribed. */
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

  /** Returns the id between events before this instant and later ones. */
  public static String at(Instant instant) {
    return instant.toEpochMilli() + "-0";
  }

  /** Whether this node wrote the batch. */
  public boolean isOwn(LiveBatch batch) {
    return batch.node.equals(node);
  }

  /** Returns the batches of any node after the one with this id. */
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
          // field of another version
        }
      }
    }
    return new LiveBatch(entry.get(0).toString(), teller, leftOut, attempts);
  }
}
