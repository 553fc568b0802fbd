package carillon.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.RedisServer;
import carillon.support.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the tables of {@code scripts}: the data in Redis before a script, the call, the reply, and
 * the data afterwards. The head of {@code scripts/README} describes the form of a table.
 */
@Tag("redis")
class ScriptTableTest {
  private static final Path TABLES = Path.of("src/test/resources/scripts");
  private static final Path LUA = Path.of("src/main/resources/lua");

  /** Default values for arguments that a call does not name. */
  private static final Map<String, List<String>> DEFAULTS =
      Map.of("bounds", List.of("10 10000 "), "audit_append", List.of("", "10 10000"));

  /** Marker among the entries of a key with a time to live. */
  private static final String EXPIRES = "expires";

  /** Words in capitals that heads use for replies, but that are no replies. */
  private static final Set<String> NO_REPLIES = Set.of("ISO", "XREVRANGE");

  private static final Pattern WORD = Pattern.compile("\\b[A-Z]{3,}\\b");
  private static final Vertx VERTX = Vertx.vertx();
  private static RedisServer redis;
  private static RedisLink link;

  /**
   * Row of a table.
   *
   * @param keys those that the script is called with; all of its head unless the row says so
   * @param call names and values of arguments
   * @param after only the changed entries; a key with the text {@code gone} does not exist
   */
  private record Row(
      String script,
      String title,
      Map<String, Kept> kept,
      Map<String, String> before,
      List<String> keys,
      List<String[]> call,
      List<String> reply,
      Map<String, String> after) {
    @Override
    public String toString() {
      return script + ": " + title;
    }
  }

  /** Type and key of a name in a table. */
  private record Kept(String type, String key) {}

  @BeforeAll
  static void open() {
    redis = RedisServer.start();
    link =
        on(
            () ->
                RedisLink.open(
                    VERTX,
                    TestRedis.standalone(
                        redis.uri(), Duration.ofSeconds(20), Duration.ofMillis(50))));
  }

  @AfterAll
  static void close() {
    on(link::close);
    Await.result(VERTX.close());
    redis.close();
  }

  private static <T> T on(Supplier<Future<T>> step) {
    return Await.result(VERTX.executeBlocking(() -> null).compose(go -> step.get()));
  }

  @BeforeEach
  void flush() {
    redis.flush();
  }

  private static List<Row> rows() throws IOException {
    try (Stream<Path> files = Files.list(TABLES)) {
      return files
          .filter(file -> file.toString().endsWith(".table"))
          .sorted()
          .flatMap(file -> rows(read(file)).stream())
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Row> rows(String table) {
    List<Row> rows = new ArrayList<>();
    Map<String, Kept> kept = new TreeMap<>();
    Map<String, String> texts = new TreeMap<>();
    for (String line : table.lines().filter(text -> !text.isBlank()).toList()) {
      String[] words = replaced(line, texts).split(" +", 2);
      switch (words[0]) {
        case "#" -> {}
        case "let" -> texts.put(words[1].split(" +", 2)[0], words[1].split(" +", 2)[1]);
        case "key" -> {
          String[] key = words[1].split(" +", 3);
          kept.put(key[0], new Kept(key[1], key[2]));
        }
        case "==" -> {
          String[] title = words[1].split(": ", 2);
          rows.add(
              new Row(
                  title[0],
                  title[1],
                  kept,
                  new TreeMap<>(),
                  new ArrayList<>(),
                  new ArrayList<>(),
                  new ArrayList<>(),
                  new TreeMap<>()));
        }
        default -> add(rows.get(rows.size() - 1), words[0], words.length > 1 ? words[1] : "");
      }
    }
    return rows;
  }

  private static String replaced(String line, Map<String, String> texts) {
    return Pattern.compile("\\$(\\w+)")
        .matcher(line)
        .replaceAll(name -> texts.getOrDefault(name.group(1), "undefined").replace("$", "\\$"));
  }

  private static void add(Row row, String section, String text) {
    String[] words = text.split(" +", 2);
    switch (section) {
      case "before" -> row.before.put(words[0], words[1]);
      case "after" -> row.after.put(words[0], words[1]);
      case "keys" -> row.keys.addAll(List.of(text.split(" +")));
      case "reply" -> row.reply.add(text);
      case "call" -> split(text).forEach(argument -> row.call.add(argument.split(": ?", 2)));
      default -> throw new IllegalArgumentException(section + " in " + row);
    }
  }

  private static List<String> split(String entries) {
    return List.of(entries.split(" +\\| +"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aScriptDoesWhatTheTableSays(Row row) {
    LuaScript script = LuaScript.named(row.script);
    Script.Signature head = Script.Signature.of(script.text());
    row.before.forEach((name, entries) -> put(row.kept.get(name), split(entries)));
    List<String> keys = row.keys.isEmpty() ? head.keys() : row.keys;

    Response reply =
        on(
            () ->
                link.eval(
                    script,
                    keys.stream().map(name -> row.kept.get(name).key).toList(),
                    arguments(row, head)));

    assertTrue(
        Pattern.matches(
            Stream.of(row.reply.get(0).split("…", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(".*")),
            text(reply)),
        row + " replied " + text(reply));
    assertEquals(lines(expected(row)), lines(found(row)), row::toString);
  }

  /**
   * Returns the arguments of a row. A script for many calls first gets the numbers of shared and of
   * separate arguments, and the number of calls.
   */
  private static List<String> arguments(Row row, Script.Signature head) {
    List<String> names = Stream.concat(head.shared().stream(), head.arguments().stream()).toList();
    List<String> arguments = new ArrayList<>();
    int given = 0;
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      if (given < row.call.size() && row.call.get(given)[0].equals(name)) {
        arguments.add(row.call.get(given)[1]);
        given++;
      } else {
        List<String> defaults = DEFAULTS.getOrDefault(name, List.of(""));
        arguments.add(defaults.get(i - names.indexOf(name)));
      }
    }
    for (; given < row.call.size(); given++) {
      assertEquals(head.furtherArguments(), row.call.get(given)[0], "argument of " + row);
      arguments.add(row.call.get(given)[1]);
    }
    if (LuaScript.named(row.script).isOfMany()) {
      int shared = head.shared().size();
      arguments.addAll(0, List.of("" + shared, "" + (arguments.size() - shared), "1"));
    }
    return arguments;
  }

  private static void put(Kept kept, List<String> entries) {
    for (String entry : entries) {
      int colon = entry.lastIndexOf(": ");
      String name = colon < 0 ? entry : entry.substring(0, colon);
      String value = colon < 0 ? "" : entry.substring(colon + 2);
      Request request =
          switch (kept.type) {
            case "hash" -> Request.cmd(Command.HSET).arg(kept.key).arg(name).arg(value);
            case "zset" -> Request.cmd(Command.ZADD).arg(kept.key).arg(value).arg(name);
            case "list" -> Request.cmd(Command.RPUSH).arg(kept.key).arg(entry);
            case "string" -> Request.cmd(Command.SET).arg(kept.key).arg(entry);
            case "stream" -> {
              Request add = Request.cmd(Command.XADD).arg(kept.key).arg(name);
              List.of(value.split(" ")).forEach(add::arg);
              yield add;
            }
            default -> throw new IllegalArgumentException(kept.type);
          };
      on(() -> link.send(request));
    }
  }

  /** Returns the keys of a state, by their names in the table. */
  private static Map<String, Set<String>> expected(Row row) {
    Map<String, String> state = new TreeMap<>(row.before);
    state.putAll(row.after);
    state.values().removeIf(entries -> entries.equals("gone"));
    Map<String, Set<String>> expected = new TreeMap<>();
    state.forEach(
        (name, entries) -> expected.put(name, numbered(row.kept.get(name).type, split(entries))));
    return expected;
  }

  /** Numbers ordered entries, so that they can be compared as a set. */
  private static Set<String> numbered(String type, List<String> entries) {
    Set<String> set = new TreeSet<>();
    boolean isOrdered = type.equals("list") || type.equals("stream");
    for (String entry : entries) {
      set.add(isOrdered && !entry.equals(EXPIRES) ? set.size() + " " + entry : entry);
    }
    return set;
  }

  private static Map<String, Set<String>> found(Row row) {
    Map<String, Set<String>> found = new TreeMap<>();
    for (Response key : on(() -> link.send(Request.cmd(Command.KEYS).arg("*")))) {
      String name =
          row.kept.entrySet().stream()
              .filter(entry -> entry.getValue().key.equals(key.toString()))
              .map(Map.Entry::getKey)
              .findFirst()
              .orElse(key.toString());
      String type = on(() -> link.send(Request.cmd(Command.TYPE).arg(key.toString()))).toString();
      Set<String> entries = numbered(type, entries(type, key.toString()));
      if (on(() -> link.send(Request.cmd(Command.PTTL).arg(key.toString()))).toLong() > 0) {
        entries.add(EXPIRES);
      }
      found.put(name, entries);
    }
    return found;
  }

  private static String score(Response score) {
    return new BigDecimal(score.toDouble()).toPlainString();
  }

  private static List<String> entries(String type, String key) {
    List<String> entries = new ArrayList<>();
    switch (type) {
      case "hash" -> {
        Response hash = on(() -> link.send(Request.cmd(Command.HGETALL).arg(key)));
        hash.getKeys().forEach(field -> entries.add(field + ": " + hash.get(field)));
      }
      case "zset" ->
          on(() -> link.send(Request.cmd(Command.ZRANGE).arg(key).arg(0).arg(-1).arg("WITHSCORES")))
              .forEach(pair -> entries.add(pair.get(0) + ": " + score(pair.get(1))));
      case "list" ->
          on(() -> link.send(Request.cmd(Command.LRANGE).arg(key).arg(0).arg(-1)))
              .forEach(entry -> entries.add(entry.toString()));
      case "stream" ->
          on(() -> link.send(Request.cmd(Command.XRANGE).arg(key).arg("-").arg("+")))
              .forEach(entry -> entries.add(id(entry.get(0)) + ": " + words(entry.get(1))));
      default -> entries.add(on(() -> link.send(Request.cmd(Command.GET).arg(key))).toString());
    }
    return entries;
  }

  /** Replaces an id from Redis' clock, because it cannot be in a table. */
  private static String id(Response id) {
    return id.toString().length() > "1000-0".length() ? "*" : id.toString();
  }

  private static String words(Response array) {
    return array.stream().map(Response::toString).collect(Collectors.joining(" "));
  }

  private static String lines(Map<String, Set<String>> state) {
    return state.entrySet().stream()
        .map(key -> key.getKey() + " " + String.join(" | ", key.getValue()))
        .collect(Collectors.joining("\n"));
  }

  private static String text(Response reply) {
    if (reply == null) {
      return "nil";
    }
    if (reply.type() != ResponseType.MULTI) {
      return reply.toString().isEmpty() ? "''" : reply.toString();
    }
    return reply.stream().map(ScriptTableTest::text).collect(Collectors.joining(", ", "[", "]"));
  }

  /** A word in a head without a row that replies with it is a case without a row. */
  @Test
  void everyScriptAndEveryWordOfAReplyHasARow() throws IOException {
    Map<String, Set<String>> shown = new TreeMap<>();
    rows()
        .forEach(
            row ->
                shown
                    .computeIfAbsent(row.script, script -> new TreeSet<>())
                    .addAll(words(row.reply.get(0))));
    List<String> missing = new ArrayList<>();
    try (Stream<Path> files = Files.list(LUA)) {
      for (Path file : files.sorted().toList()) {
        String text = read(file);
        String script = file.getFileName().toString().replace(".lua", "");
        if (!text.contains(" (a fragment, ")) {
          Set<String> words =
              words(text.substring(text.indexOf("-- returns"), text.indexOf("-- cost")));
          words.removeAll(NO_REPLIES);
          words.removeAll(shown.getOrDefault(script, Set.of()));
          words.forEach(word -> missing.add(script + " " + word));
          if (!shown.containsKey(script)) {
            missing.add(script);
          }
        }
      }
    }

    assertEquals(List.of(), missing);
  }

  private static Set<String> words(String text) {
    return WORD.matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
