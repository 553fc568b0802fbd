package carillon.store.node;

import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.redis.ServerPersistence;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * Format of the stored data: fixed at the first start on a Redis and checked at every later one.
 */
public final class StoreFormat {
  /**
   * The format that this program writes. What it does not know in a record of a later one it leaves
   * alone: see src/docs/upgrade.md.
   */
  public static final int FORMAT = 3;

  /**
   * The oldest format that this program reads: format 1 was never released. A new Redis begins with
   * it, so that programs of that format can share it for as long as nothing newer is used.
   */
  private static final int OLDEST = 2;

  private static final Script<Void> RAISE = Script.returningNothing("raise_format");

  private final RedisLink link;
  private final Keys keys;

  public StoreFormat(RedisLink link, Keys keys) {
    this.link = link;
    this.keys = keys;
  }

  /**
   * Writes formats, partitions and date if they are not there, else compares.
   *
   * @return fails with an IllegalStateException, fit for an operator's eyes, when this program
   *     cannot work on what is stored; where that is of another format, nothing is written to it
   */
  public Future<Void> establish(Instant now) {
    return readable().compose(readable -> writeOrCompare(now));
  }

  /** Looks at the schema once more: another program may have made its first start meanwhile. */
  private Future<Void> writeOrCompare(Instant now) {
    String key = keys.meta();
    Future<Response> first = setIfAbsent(key, "created", now.toString());
    Future<Response> schema = setIfAbsent(key, "schema", Integer.toString(OLDEST));
    Future<Response> partitions =
        setIfAbsent(key, "partitions", Integer.toString(keys.partitions()));
    Future<Void> readable = readable();
    Future<Response> found = link.send(Request.cmd(Command.HGET).arg(key).arg("partitions"));
    return Future.all(first, schema, partitions, readable, found)
        .map(
            all -> {
              check(
                  "number of partitions",
                  found.result().toString(),
                  Integer.toString(keys.partitions()));
              return null;
            })
        .compose(same -> raise(link, keys, "format", FORMAT));
  }

  /**
   * Raises a format that the stored data tells; never lowers it.
   *
   * @param field {@code format}, the newest that is written, or {@code schema}, the oldest that a
   *     program must read
   */
  static Future<Void> raise(RedisLink link, Keys keys, String field, int format) {
    return RAISE.on(link).key("meta", keys.meta()).arg("field", field).arg("format", format).run();
  }

  /**
   * Fails with an IllegalStateException, fit for an operator's eyes, when this program is older
   * than what is stored allows, or too new for it. Nothing stored at all is readable.
   */
  public Future<Void> readable() {
    return link.send(Request.cmd(Command.HGET).arg(keys.meta()).arg("schema"))
        .map(
            schema -> {
              if (schema != null) {
                checkSchema(schema.toString());
              }
              return null;
            });
  }

  private static void checkSchema(String schema) {
    if (!schema.matches("\\d{1,9}")) {
      throw new IllegalStateException(
          "the schema in Redis is '" + schema + "', which is no format of Carillon");
    }
    int least = Integer.parseInt(schema);
    if (least > FORMAT) {
      throw new IllegalStateException(
          "what is stored in Redis needs a Carillon that reads format "
              + least
              + "; this one reads up to "
              + FORMAT
              + ": use a newer version");
    }
    if (least < OLDEST) {
      throw new IllegalStateException(
          "what is stored in Redis is of format "
              + least
              + "; this Carillon reads from "
              + OLDEST
              + " on: export the jobs with the program that wrote it ('java -jar carillon-OLD.jar"
              + " export --carry-on --output jobs.ndjson', beside its node) and import them with"
              + " this one into an empty Redis ('java -jar carillon.jar import jobs.ndjson')");
    }
  }

  /** The number of partitions that was fixed at the first start; empty when it is not there. */
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
   * Facts about the Redis servers; of several masters, the least durable counts.
   *
   * @param version of the server
   * @param durability {@code fsync}, {@code everysec} or {@code none}; {@code unknown} where CONFIG
   *     is not allowed
   * @param masters how many hold the keys
   * @param replicas the fewest that any of them has
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

  /** Number of replicas that follow; one that still copies does not count. */
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
