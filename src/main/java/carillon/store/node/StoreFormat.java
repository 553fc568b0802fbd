package carillon.store.node;

import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.route.ServerPersistence;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * Format of the stored data. It is fixed at the first start on a Redis and checked at every later
 * one.
 */
public final class StoreFormat {
  /** Number of the stored format that this program reads and writes. */
  public static final int FORMAT = 1;

  private static final String FIELD = "format";

  private final RedisLink link;
  private final Keys keys;

  public StoreFormat(RedisLink link, Keys keys) {
    this.link = link;
    this.keys = keys;
  }

  /**
   * Writes format, partitions and date if they are missing, else compares them. Writes nothing to
   * data of another format.
   *
   * @return fails if this program cannot work with the stored data, with an IllegalStateException
   *     fit for operators
   */
  public Future<Void> establish(Instant now) {
    return readable().compose(readable -> writeOrCompare(now));
  }

  /**
   * Writes the values of {@link #establish} again if they are missing, because Redis has lost its
   * data.
   *
   * @return whether something was missing; fails like {@link #establish} if another program has
   *     written other values in the meantime
   */
  public Future<Boolean> keep(Instant now) {
    return link.send(Request.cmd(Command.HGET).arg(keys.meta()).arg("partitions"))
        .compose(
            found ->
                found != null && found.toString().equals(Integer.toString(keys.partitions()))
                    ? Future.succeededFuture(false)
                    : establish(now).map(found == null));
  }

  /**
   * Writes or compares. Reads the format again, because another program may have started for the
   * first time in the meantime.
   */
  private Future<Void> writeOrCompare(Instant now) {
    String key = keys.meta();
    Future<Response> first = setIfAbsent(key, "created", now.toString());
    Future<Response> format = setIfAbsent(key, FIELD, Integer.toString(FORMAT));
    Future<Response> partitions =
        setIfAbsent(key, "partitions", Integer.toString(keys.partitions()));
    Future<Void> readable = readable();
    Future<Response> found = link.send(Request.cmd(Command.HGET).arg(key).arg("partitions"));
    return Future.all(first, format, partitions, readable, found)
        .map(
            all -> {
              check(
                  "number of partitions",
                  found.result().toString(),
                  Integer.toString(keys.partitions()));
              return null;
            });
  }

  /**
   * Fails if the stored data has another format than {@link #FORMAT}, with an IllegalStateException
   * fit for operators. An empty Redis is readable.
   */
  public Future<Void> readable() {
    return link.send(Request.cmd(Command.HGET).arg(keys.meta()).arg(FIELD))
        .map(
            format -> {
              if (format != null) {
                checkFormat(format.toString());
              }
              return null;
            });
  }

  private static void checkFormat(String stored) {
    if (!stored.matches("[1-9]\\d{0,8}")) {
      throw new IllegalStateException(
          "the format in Redis is '" + stored + "', which is no format of Carillon");
    }
    if (Integer.parseInt(stored) > FORMAT) {
      throw new IllegalStateException(
          "the data in Redis has format "
              + stored
              + "; this Carillon reads format "
              + FORMAT
              + ": use a newer version");
    }
  }

  /** Returns the number of partitions, fixed at the first start; empty if it is missing. */
  public Future<OptionalInt> partitions() {
    return link.send(Request.cmd(Command.HGET).arg(keys.meta()).arg("partitions"))
        .map(number -> number == null ? OptionalInt.empty() : OptionalInt.of(number.toInteger()))
        .otherwise(OptionalInt.empty());
  }

  private Future<Response> setIfAbsent(String key, String field, String value) {
    return link.send(Request.cmd(Command.HSETNX).arg(key).arg(field).arg(value));
  }

  private static void check(String what, String found, String wanted) {
    if (!found.equals(wanted)) {
      throw new IllegalStateException(
          "the "
              + what
              + " in Redis is "
              + found
              + ", this node is set to "
              + wanted
              + "; it is fixed at the first start on a Redis");
    }
  }

  /**
   * Facts about the Redis servers. With several masters, the least durable counts.
   *
   * @param version version of the server
   * @param durability {@code fsync}, {@code everysec} or {@code none}; {@code unknown} if CONFIG is
   *     not allowed
   * @param masters number of masters that hold the keys
   * @param replicas smallest number of replicas of any master
   */
  public record ServerFacts(String version, String durability, int masters, int replicas) {}

  /** Asks every master for version, durability and replicas. */
  public Future<ServerFacts> describe() {
    Future<List<Response>> infos =
        link.sendToAll(() -> Request.cmd(Command.INFO).arg("server").arg("replication"));
    return Future.all(infos, durability())
        .map(
            both ->
                new ServerFacts(
                    field(infos.result().get(0).toString(), "redis_version:"),
                    both.resultAt(1),
                    infos.result().size(),
                    infos.result().stream().mapToInt(StoreFormat::replicas).min().orElse(0)));
  }

  private static String field(String info, String name) {
    return info.lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()))
        .findFirst()
        .orElse("unknown");
  }

  /** Returns the number of replicas that follow. A replica that still copies does not count. */
  private static int replicas(Response info) {
    return (int)
        info.toString()
            .lines()
            .filter(line -> line.startsWith("slave") && line.contains("state=online"))
            .count();
  }

  private Future<String> durability() {
    List<String> weakestFirst = List.of("none", "everysec", "fsync");
    return link.sendToAll(ServerPersistence::question)
        .map(
            all ->
                all.stream()
                    .map(settings -> ServerPersistence.of(settings).word())
                    .min(Comparator.comparing(weakestFirst::indexOf))
                    .orElseThrow())
        .otherwise("unknown");
  }
}
