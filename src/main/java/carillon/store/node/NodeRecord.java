package carillon.store.node;

import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Record of a node about itself: {@code carillon:node:<id>}, written with every heartbeat, for
 * operators and {@code GET /nodes}.
 *
 * @param roles roles of the node
 * @param version version of its program
 * @param started when its process started
 * @param lease time after its last heartbeat from which it counts as dead
 * @param leaving whether it was told to stop
 * @param ranks number of partitions for which it is the first, the second, ... to poll
 * @param inFlight number of claims that it holds
 * @param takenOver number of claims of dead nodes that it took over since its start
 * @param format the newest stored format that it reads
 * @param tzdata version of its Java's tz database; empty for a node that does not report it
 */
public record NodeRecord(
    List<String> roles,
    String version,
    Instant started,
    Duration lease,
    boolean leaving,
    List<Integer> ranks,
    int inFlight,
    long takenOver,
    int format,
    String tzdata) {
  public NodeRecord {
    roles = List.copyOf(roles);
    ranks = List.copyOf(ranks);
  }

  Request write(String key, Instant beat) {
    return Request.cmd(Command.HSET)
        .arg(key)
        .arg("roles")
        .arg(String.join(",", roles))
        .arg("version")
        .arg(version)
        .arg("started")
        .arg(started.toString())
        .arg("beat")
        .arg(beat.toString())
        .arg("lease")
        .arg(lease.toString())
        .arg("state")
        .arg(leaving ? "leaving" : "working")
        .arg("ranks")
        .arg(ranks.stream().map(Object::toString).collect(Collectors.joining(",")))
        .arg("inFlight")
        .arg(inFlight)
        .arg("takenOver")
        .arg(takenOver)
        .arg("format")
        .arg(format)
        .arg("tzdata")
        .arg(tzdata);
  }

  /** Parses a record; empty if it is missing or unreadable. */
  static Optional<NodeRecord> read(Response hash) {
    try {
      return hash == null || hash.get("version") == null
          ? Optional.empty()
          : Optional.of(
              new NodeRecord(
                  words(hash.get("roles")),
                  hash.get("version").toString(),
                  Instant.parse(hash.get("started").toString()),
                  Duration.parse(hash.get("lease").toString()),
                  hash.get("state").toString().equals("leaving"),
                  words(hash.get("ranks")).stream().map(Integer::valueOf).toList(),
                  hash.get("inFlight").toInteger(),
                  hash.get("takenOver").toLong(),
                  hash.get("format").toInteger(),
                  Objects.toString(hash.get("tzdata"), "")));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private static List<String> words(Response text) {
    return Arrays.stream(text.toString().split(",")).filter(word -> !word.isEmpty()).toList();
  }
}
