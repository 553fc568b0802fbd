package carillon.benchmark;

import carillon.support.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Probe of Redis, which also changes some of its settings. Every method waits for the answer. */
final class RedisProbe {
  private static final String REWRITES = "auto-aof-rewrite-percentage";

  private static final int SCAN_COUNT = 1000;
  private static final int UNLINK_AT_ONCE = 1000;

  private final URI uri;
  private final Redis client; // held: a client that nothing refers to closes its connections
  private final RedisConnection connection;

  private RedisProbe(URI uri, Redis client, RedisConnection connection) {
    this.uri = uri;
    this.client = client;
    this.connection = connection;
  }

  static Future<RedisProbe> connect(Vertx vertx, URI uri) {
    Redis client = Redis.createClient(vertx, uri.toString());
    return client.connect().map(connection -> new RedisProbe(uri, client, connection));
  }

  Future<Void> close() {
    return client.close();
  }

  URI uri() {
    return uri;
  }

  /** Returns the facts about Redis for the report. */
  Map<String, String> facts() {
    Map<String, String> server = info("server");
    Map<String, String> facts = new LinkedHashMap<>();
    String binary = server.getOrDefault("executable", "unknown binary");
    facts.put(
        "Redis",
        server.get("redis_version") + ", " + info("memory").get("mem_allocator") + ", " + binary);
    facts.put("appendonly, appendfsync", setting("appendonly") + ", " + setting("appendfsync"));
    facts.put("auto-aof-rewrite-percentage", setting(REWRITES));
    return facts;
  }

  /**
   * Stops rewrites of the append-only file. A rewrite takes a core for seconds whenever the file
   * has doubled, and so affects one figure and not the next.
   */
  void stopRewrites() {
    configure(REWRITES, "0");
  }

  private String setting(String name) {
    try {
      return send(Request.cmd(Command.CONFIG).arg("GET").arg(name)).get(name).toString();
    } catch (RuntimeException | AssertionError e) {
      return "unknown";
    }
  }

  /** Returns the bytes in use, as Redis counts them. */
  long usedMemory() {
    return Long.parseLong(info("memory").get("used_memory"));
  }

  /**
   * Returns the processor time used by the server, without its children (rewrites of the
   * append-only file).
   */
  Duration cpu() {
    Map<String, String> cpu = info("cpu");
    double seconds =
        Double.parseDouble(cpu.get("used_cpu_user")) + Double.parseDouble(cpu.get("used_cpu_sys"));
    return Duration.ofNanos((long) (seconds * TimeUnit.SECONDS.toNanos(1)));
  }

  /**
   * Work done by the server so far.
   *
   * @param scripts number of scripts run
   * @param commands number of commands, including those run by scripts
   * @param received bytes received
   * @param sent bytes sent
   */
  record Counters(long scripts, long commands, long received, long sent, long memory) {
    Counters since(Counters before) {
      return new Counters(
          scripts - before.scripts,
          commands - before.commands,
          received - before.received,
          sent - before.sent,
          memory - before.memory);
    }
  }

  Counters counters() {
    Map<String, String> stats = info("stats");
    String evalsha = info("commandstats").getOrDefault("cmdstat_evalsha", "calls=0,");
    return new Counters(
        Long.parseLong(evalsha.substring("calls=".length(), evalsha.indexOf(','))),
        Long.parseLong(stats.get("total_commands_processed")),
        Long.parseLong(stats.get("total_net_input_bytes")),
        Long.parseLong(stats.get("total_net_output_bytes")),
        usedMemory());
  }

  /**
   * Makes Redis record the duration of each command. {@link #scriptTimes} stops this.
   *
   * @param most maximum number of recorded commands
   */
  void noteTimes(int most) {
    configure("slowlog-max-len", Integer.toString(most));
    configure("slowlog-log-slower-than", "0");
    send(Request.cmd(Command.SLOWLOG).arg("RESET"));
  }

  /**
   * Returns the durations of each kind of script since {@link #noteTimes}, in microseconds. Each
   * duration is that of one call or of one batch of calls. The name of a kind lists the kinds of
   * its keys, such as {@code due,claims,epochs}. Redis records the first 32 words of a command,
   * which include all kinds of its keys.
   */
  Map<String, LongSummaryStatistics> scriptTimes() {
    configure("slowlog-log-slower-than", "-1");
    Map<String, LongSummaryStatistics> times = new TreeMap<>();
    for (Response entry : send(Request.cmd(Command.SLOWLOG).arg("GET").arg(-1))) {
      Response command = entry.get(3);
      if (command.get(0).toString().equalsIgnoreCase("evalsha")) {
        String kinds =
            StreamSupport.stream(command.spliterator(), false)
                .skip(3)
                .limit(command.get(2).toInteger())
                .map(Response::toString)
                .filter(key -> key.contains("}:"))
                .map(RedisProbe::kind)
                .distinct()
                .collect(Collectors.joining(","));
        times
            .computeIfAbsent(kinds, first -> new LongSummaryStatistics())
            .accept(entry.get(2).toLong());
      }
    }
    send(Request.cmd(Command.SLOWLOG).arg("RESET"));
    return times;
  }

  private void configure(String name, String value) {
    send(Request.cmd(Command.CONFIG).arg("SET").arg(name).arg(value));
  }

  private Map<String, String> info(String section) {
    return send(Request.cmd(Command.INFO).arg(section))
        .toString()
        .lines()
        .filter(line -> line.contains(":"))
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.indexOf(':')),
                line -> line.substring(line.indexOf(':') + 1).trim()));
  }

  /**
   * Memory of a key.
   *
   * @param bytes total bytes of the key
   * @param entries number of fields, members or items
   */
  record Usage(String type, long bytes, long entries) {}

  /**
   * Returns the memory of one example of each kind of key, by kind. The kind is the word after the
   * hash tag, or after the prefix.
   *
   * @param patterns patterns of the keys to examine; keys found by earlier patterns are preferred
   */
  Map<String, Usage> examples(List<String> patterns) {
    Map<String, String> keys = new LinkedHashMap<>();
    patterns.forEach(
        pattern -> scan(pattern, found -> found.forEach(key -> keys.putIfAbsent(kind(key), key))));
    Map<String, Usage> examples = new LinkedHashMap<>();
    keys.forEach((kind, key) -> examples.put(kind, usage(key)));
    return examples;
  }

  private static String kind(String key) {
    int tag = key.indexOf("}:");
    String name = key.substring(tag < 0 ? key.indexOf(':') + 1 : tag + 2);
    return name.contains(":") ? name.substring(0, name.indexOf(':')) : name;
  }

  private Usage usage(String key) {
    String type = send(Request.cmd(Command.TYPE).arg(key)).toString();
    long bytes =
        send(Request.cmd(Command.MEMORY).arg("USAGE").arg(key).arg("SAMPLES").arg(0)).toLong();
    long entries =
        switch (type) {
          case "hash" -> send(Request.cmd(Command.HLEN).arg(key)).toLong();
          case "zset" -> send(Request.cmd(Command.ZCARD).arg(key)).toLong();
          case "list" -> send(Request.cmd(Command.LLEN).arg(key)).toLong();
          default -> 1;
        };
    return new Usage(type, bytes, entries);
  }

  /** Removes all keys that start with this prefix. */
  void remove(String prefix) {
    scan(prefix + "*", this::unlink);
  }

  private void unlink(List<String> keys) {
    for (int from = 0; from < keys.size(); from += UNLINK_AT_ONCE) {
      Request unlink = Request.cmd(Command.UNLINK);
      keys.subList(from, Math.min(keys.size(), from + UNLINK_AT_ONCE)).forEach(unlink::arg);
      send(unlink);
    }
  }

  private void scan(String pattern, Consumer<List<String>> found) {
    String cursor = "0";
    do {
      Response page =
          send(
              Request.cmd(Command.SCAN)
                  .arg(cursor)
                  .arg("MATCH")
                  .arg(pattern)
                  .arg("COUNT")
                  .arg(SCAN_COUNT));
      found.accept(
          StreamSupport.stream(page.get(1).spliterator(), false).map(Response::toString).toList());
      cursor = page.get(0).toString();
    } while (!cursor.equals("0"));
  }

  /** Caches a script and returns its SHA-1 digest. */
  String load(String script) {
    return send(Request.cmd(Command.SCRIPT).arg("LOAD").arg(script)).toString();
  }

  private Response send(Request request) {
    return Await.result(connection.send(request));
  }
}
