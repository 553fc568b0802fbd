package carillon.redis;

import carillon.job.name.IsoInstant;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lua script as a typed function. A call names each key and argument as in the head of the script,
 * in the same order, and gets the decoded reply.
 *
 * <pre>
 * private static final Script&lt;Integer&gt; RELEASE_LIST = Script.returningCount("release_list");
 *
 * Future&lt;Integer&gt; moved = RELEASE_HELD.on(link).key("held", ...).key("due",
 * ...).millis("now", now).arg("limit", 256).run();
 * </pre>
 *
 * <p>With assertions on, a name must be the one at that place of the head. Immutable.
 *
 * @param <R> type of the decoded reply
 */
public final class Script<R> {
  private final LuaScript script;
  private final Signature signature;
  private final Function<Response, R> decoder;

  private Script(String name, Function<Response, R> decoder) {
    this.script = LuaScript.named(name);
    this.signature = Signature.of(script.text());
    this.decoder = decoder;
  }

  /**
   * Returns a script with a special form of reply.
   *
   * @param name file name without ending; a missing file is a bug
   * @param decoder reads the reply; its exception is the failure of the call
   */
  public static <R> Script<R> returning(String name, Function<Response, R> decoder) {
    return new Script<>(name, decoder);
  }

  /**
   * A script that replies with one of some words.
   *
   * @param words a constant for each, in upper case
   */
  public static <E extends Enum<E>> Script<E> returningWord(String name, Class<E> words) {
    return new Script<>(name, reply -> word(words, reply));
  }

  /** A script that replies with a small number. */
  public static Script<Integer> returningCount(String name) {
    return new Script<>(name, Response::toInteger);
  }

  /** A script without a result. */
  public static Script<Void> returningNothing(String name) {
    return new Script<>(name, reply -> null);
  }

  /** The constant that a reply, or a part of one, names; in upper case. */
  public static <E extends Enum<E>> E word(Class<E> words, Response reply) {
    return Enum.valueOf(words, reply.toString().toUpperCase(Locale.ROOT));
  }

  /** Begins a call over this link. */
  public CallBuilder<R> on(RedisLink link) {
    return new CallBuilder<>(this, link);
  }

  /**
   * Builder of one call of a script. Confined to the event loop of its link.
   *
   * @param <R> type of the decoded reply
   */
  public static final class CallBuilder<R> {
    private final Script<R> script;
    private final RedisLink link;
    private final List<String> keys;
    private final List<String> shared;
    private final List<String> arguments;

    private CallBuilder(Script<R> script, RedisLink link) {
      this.script = script;
      this.link = link;
      this.keys = new ArrayList<>(script.signature.keys().size());
      this.shared = new ArrayList<>(script.signature.shared().size());
      this.arguments = new ArrayList<>(script.signature.arguments().size());
    }

    /** The next key. */
    public CallBuilder<R> key(String name, String key) {
      assert name.equals(script.signature.key(keys.size())) : misnamed("key", name);
      keys.add(key);
      return this;
    }

    /** All further keys of a script that takes any number of them. */
    public CallBuilder<R> keys(String name, List<String> further) {
      further.forEach(key -> key(name, key));
      return this;
    }

    /** Adds the next of the arguments that calls of the same batch may share. */
    public CallBuilder<R> shared(String name, String value) {
      assert name.equals(script.signature.shared().get(shared.size())) : misnamed("shared", name);
      shared.add(value);
      return this;
    }

    /** The next argument. */
    public CallBuilder<R> arg(String name, String value) {
      assert name.equals(script.signature.argument(arguments.size())) : misnamed("argument", name);
      arguments.add(value);
      return this;
    }

    /** The next argument, a number. */
    public CallBuilder<R> arg(String name, long value) {
      return arg(name, Long.toString(value));
    }

    /** The next argument, an instant in epoch milliseconds, rounded up. */
    public CallBuilder<R> millis(String name, Instant value) {
      return arg(name, EpochMillis.text(value));
    }

    /** The next argument, an instant in ISO. */
    public CallBuilder<R> iso(String name, Instant value) {
      return arg(name, IsoInstant.text(value));
    }

    /** The next arguments, which the head of the script describes together. */
    public CallBuilder<R> args(String name, Collection<String> values) {
      values.forEach(value -> arg(name, value));
      return this;
    }

    /** Runs the script; {@link RedisLink} explains the meaning of a failure. */
    public Future<R> run() {
      return link.eval(script.script, keys, arguments).map(script.decoder);
    }

    /**
     * Runs the script in a batch with other calls of it that arrive while earlier calls are under
     * way; see {@link ScriptBatcher}. Fails alone, and like {@link #run}.
     */
    public Future<R> runBatched() {
      return runBatched(Future::succeededFuture);
    }

    /**
     * Runs the script in a batch as {@link #runBatched()} does, but answers only when what follows
     * the batch is answered, too, or has failed.
     *
     * @param behind sends what follows, once for each batch
     */
    public Future<R> runBatched(Supplier<? extends Future<?>> behind) {
      return link.batcher(script.script).add(keys, shared, arguments, behind).map(script.decoder);
    }

    private String misnamed(String kind, String name) {
      return script.script.name() + " has no " + kind + " '" + name + "' at this place";
    }
  }

  /**
   * Signature of a script, as its header declares it: the names of its keys and arguments, in
   * order. The name of a key is its kind: {@code {17}:job:<job>} is {@code job}.
   *
   * @param keys names of the keys
   * @param shared names of the arguments that many calls may share; see many.lua
   * @param arguments names of the arguments; arguments with a common description have the same name
   * @param furtherKeys name of each further key; empty text if there is none
   * @param furtherArguments name of each further argument; empty text if there is none
   */
  record Signature(
      List<String> keys,
      List<String> shared,
      List<String> arguments,
      String furtherKeys,
      String furtherArguments) {
    private static final Pattern PARAMETER =
        Pattern.compile(
            "-- (KEYS|SHARED|ARGV)\\[(\\d*)(\\.\\.)?(\\w*)] +"
                + "(?:(?:hash|zsets?|list|string|stream or list|stream|int|text|float) +)?"
                + "(?:\\{\\w+}:|<prefix>-queue:\\{<collection>}:|<prefix>-|see )?(\\w+).*");

    /** Reads the head of a script. */
    static Signature of(String script) {
      Map<String, List<String>> listed =
          Map.of("KEYS", new ArrayList<>(), "SHARED", new ArrayList<>(), "ARGV", new ArrayList<>());
      String furtherKeys = "";
      String furtherArguments = "";
      for (String line : script.split("\n", -1)) {
        Matcher parameter = PARAMETER.matcher(line);
        if (parameter.matches()) {
          List<String> names = listed.get(parameter.group(1));
          String name = parameter.group(5);
          if (parameter.group(3) == null) {
            names.add(name);
          } else if (parameter.group(4).matches("\\d+")) {
            int first = Integer.parseInt(parameter.group(2));
            int last = Integer.parseInt(parameter.group(4));
            for (int i = first; i <= last; i++) {
              names.add(name);
            }
          } else if (parameter.group(1).equals("KEYS")) {
            furtherKeys = name;
          } else {
            furtherArguments = name;
          }
        }
      }
      return new Signature(
          List.copyOf(listed.get("KEYS")),
          List.copyOf(listed.get("SHARED")),
          List.copyOf(listed.get("ARGV")),
          furtherKeys,
          furtherArguments);
    }

    /** Name of the key at this place, from 0. */
    String key(int place) {
      return place < keys.size() ? keys.get(place) : furtherKeys;
    }

    /** Name of the argument at this place, from 0. */
    String argument(int place) {
      return place < arguments.size() ? arguments.get(place) : furtherArguments;
    }
  }
}
