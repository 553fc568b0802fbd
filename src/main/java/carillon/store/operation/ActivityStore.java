package carillon.store.operation;

import carillon.job.name.ErrorCode;
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
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Activity of all nodes in each of the last minutes, in total and by destination. Each node adds
 * its own. It is only for display; no decision depends on it. Every future may fail with {@link
 * ErrorCode#STORE_UNAVAILABLE}. Confined to the event loop of its link.
 */
public final class ActivityStore {
  private static final Script<Void> NOTE = Script.returningNothing("note_activity");
  private static final Duration KEPT = Duration.ofHours(2);
  private static final Duration DESTINATIONS_KEPT = Duration.ofMinutes(30);

  private final RedisLink link;
  private final Keys keys;
  private final String node;

  public ActivityStore(RedisLink link, Keys keys, String node) {
    this.link = link;
    this.keys = keys;
    this.node = node;
  }

  /** Writes the activity of this node so far in the minute of an instant. */
  public Future<Void> note(Instant minute, ActivityCounts activity) {
    return note(keys.activity(minute.truncatedTo(ChronoUnit.MINUTES)), activity.text(), KEPT);
  }

  /**
   * Writes the activity of this node at its destinations so far in the minute of an instant.
   *
   * @param destinations by host and port
   */
  public Future<Void> noteDestinations(
      Instant minute, Map<String, DestinationCounts> destinations) {
    String text =
        destinations.entrySet().stream()
            .map(one -> one.getKey() + " " + one.getValue().text())
            .collect(Collectors.joining("\n"));
    return note(keys.destinations(minute.truncatedTo(ChronoUnit.MINUTES)), text, DESTINATIONS_KEPT);
  }

  private Future<Void> note(String minute, String text, Duration kept) {
    return NOTE.on(link)
        .key("activity", minute)
        .arg("node", node)
        .arg("activity", text)
        .arg("kept", kept.toMillis())
        .run();
  }

  /**
   * Returns the total activity of all nodes in each of some minutes.
   *
   * @param minutes 1..60
   */
  public Future<List<ActivityCounts>> read(Instant from, int minutes) {
    List<Future<ActivityCounts>> read =
        minutes(from, minutes)
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

  /**
   * Returns the activity of the nodes at their destinations in each of some minutes. The keys are
   * the node, and then host and port, or {@code other} for destinations that a node does not
   * distinguish.
   *
   * @param minutes 1..30
   */
  public Future<List<Map<String, Map<String, DestinationCounts>>>> readDestinations(
      Instant from, int minutes) {
    List<Future<Map<String, Map<String, DestinationCounts>>>> read =
        minutes(from, minutes)
            .map(minute -> link.send(Request.cmd(Command.HGETALL).arg(keys.destinations(minute))))
            .map(reply -> reply.map(ActivityStore::byNode))
            .toList();
    return Future.all(read).map(all -> read.stream().map(Future::result).toList());
  }

  private static Map<String, Map<String, DestinationCounts>> byNode(Response hash) {
    Map<String, Map<String, DestinationCounts>> nodes = new TreeMap<>();
    for (String node : hash.getKeys()) {
      Map<String, DestinationCounts> destinations = new TreeMap<>();
      hash.get(node)
          .toString()
          .lines()
          .map(line -> line.split(" ", 2))
          .filter(line -> line.length == 2)
          .forEach(line -> destinations.put(line[0], DestinationCounts.read(line[1])));
      nodes.put(node, destinations);
    }
    return nodes;
  }

  private static Stream<Instant> minutes(Instant from, int minutes) {
    return LongStream.range(0, minutes).mapToObj(i -> from.plus(i, ChronoUnit.MINUTES));
  }
}
