package carillon.store.operation;

import carillon.job.ErrorCode;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Activity of all nodes in each of the last minutes; each node adds its own. For people to look at;
 * nothing is decided by it. Every future may fail with {@link ErrorCode#STORE_UNAVAILABLE}.
 * Confined to the event loop of its link.
 */
public final class ActivityStore {
  private static final Script<Void> NOTE = Script.returningNothing("note_activity");
  private static final Duration KEPT = Duration.ofHours(2);

  private final RedisLink link;
  private final Keys keys;
  private final String node;

  public ActivityStore(RedisLink link, Keys keys, String node) {
    this.link = link;
    this.keys = keys;
    this.node = node;
  }

  /** Writes the activity of this node in the minute of that instant so far. */
  public Future<Void> note(Instant minute, ActivityCounts activity) {
    return NOTE.on(link)
        .key("activity", keys.activity(minute.truncatedTo(ChronoUnit.MINUTES)))
        .arg("node", node)
        .arg("activity", activity.text())
        .arg("kept", KEPT.toMillis())
        .run();
  }

  /**
   * The activity of all nodes together in each of some minutes.
   *
   * @param minutes 1..60
   */
  public Future<List<ActivityCounts>> read(Instant from, int minutes) {
    List<Future<ActivityCounts>> read =
        LongStream.range(0, minutes)
            .mapToObj(i -> from.plus(i, ChronoUnit.MINUTES))
            .map(minute -> link.send(Request.cmd(Command.HVALS).arg(keys.activity(minute))))
            .map(reply -> reply.map(ActivityStore::sum))
            .toList();
    return Future.all(read).map(all -> read.stream().map(Future::result).toList());
  }

  private static ActivityCounts sum(Response nodes) {
    return nodes.stream()
        .map(node -> ActivityCounts.read(node.toString()))
        .reduce(ActivityCounts.NONE, ActivityCounts::plus);
  }
}
