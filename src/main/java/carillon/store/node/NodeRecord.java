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
 * Record that a node writes of itself with every heartbeat: {@code carillon:node:<id>}, for
 * operators and {@code GET /nodes}.
 *
 * @param roles that it has
 * @param version of its program
 * @param started when this life of it began
 * @param lease how long after its last heartbeat it counts as dead
 * @param leaving it was told to stop
 * @param ranks of how many partitions it is the first, the second, ... to look at
 * @param inFlight claims it holds
 * @param takenOver claims of dead nodes that it let wait again, since it started
 * @param format the newest stored format that it reads
 * @param tzdata version of the tz database that its Java has; empty for a node that does not tell
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

  /** Empty when there is none, or it cannot be understood. */
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
