package carillon.store.operation;

import carillon.job.Pause;
import carillon.job.collection.PauseScope;
import carillon.job.name.CollectionName;
import carillon.job.name.JobName;
import carillon.redis.ConditionalCommands;
import carillon.redis.EpochMillis;
import carillon.redis.RedisLink;
import carillon.redis.route.RedisErrors;
import carillon.store.collection.CollectionIndex;
import carillon.store.collection.DisabledMarkers;
import carillon.store.collection.QuotaEntry;
import carillon.store.collection.ScopePauses;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Raw access to Redis for the consistency check. Plain reads in bounded slices may be outdated on
 * arrival. Steps of {@link ConditionalCommands} are not. Confined to the event loop of its link.
 */
public final class RawRedisReader {
  /** Cursor for the start and the end of a walk. */
  public static final String EDGE = "0";

  private static final int SLICE = 256;

  /**
   * Replacement for bytes that are not UTF-8 in a decoded text. A valid text may contain it too.
   */
  private static final char REPLACEMENT = '\uFFFD';

  private static final int STRAY = 0xDC00;
  private static final int BYTE = 0xFF;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final RedisLink link;
  private final QuotaEntry quotaEntry;
  private final CollectionIndex index;
  private final DisabledMarkers disabledMarkers;
  private final ScopePauses pauses;

  public RawRedisReader(
      RedisLink link,
      QuotaEntry quotaEntry,
      CollectionIndex index,
      DisabledMarkers disabledMarkers,
      ScopePauses pauses) {
    this.pauses = pauses;
    this.link = link;
    this.quotaEntry = quotaEntry;
    this.index = index;
    this.disabledMarkers = disabledMarkers;
  }

  /**
   * Slice of a walk.
   *
   * @param next cursor of the next slice; {@link #EDGE} at the end
   */
  public record Slice<T>(List<T> items, String next) {
    /** Whether the walk is over. */
    public boolean isLast() {
      return next.equals(EDGE);
    }
  }

  /** A member and its score, or a field and its value. */
  public record Pair(String name, String value) {}

  /** Whether a failure means that a key has another type. */
  public static boolean isWrongType(Throwable failure) {
    return RedisErrors.isWrongType(failure);
  }

  /**
   * Returns a value. Each byte that is not UTF-8 becomes a single surrogate, U+DC00 plus the byte.
   */
  private static String text(Response value) {
    String text = value.toString();
    return text.indexOf(REPLACEMENT) < 0 ? text : strict(value.toBytes());
  }

  private static String strict(byte[] bytes) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    for (CoderResult end = decoder.decode(in, out, true);
        end.isError();
        end = decoder.decode(in, out, true)) {
      for (int i = 0; i < end.length(); i++) {
        out.put((char) (STRAY + (in.get() & BYTE)));
      }
      decoder.reset();
    }
    return out.flip().toString();
  }

  private static boolean isStray(int codePoint) {
    return codePoint >> 8 == STRAY >> 8;
  }

  /** Whether a value that was read here has only UTF-8 bytes. */
  public static boolean isUtf8(String value) {
    return value.codePoints().noneMatch(RawRedisReader::isStray);
  }

  /** Returns the text of a value, with bytes that are not UTF-8 as {@code \\xff}. */
  public static String escaped(String value) {
    StringBuilder escaped = new StringBuilder(value.length());
    value
        .codePoints()
        .forEach(
            c -> {
              if (isStray(c)) {
                escaped.append(String.format("\\x%02x", c & BYTE));
              } else {
                escaped.appendCodePoint(c);
              }
            });
    return escaped.toString();
  }

  /**
   * Adds the condition that a field of a hash is unchanged. If the value is not UTF-8, only its
   * length is compared.
   *
   * @param value value as read; null for none
   */
  public static ConditionalCommands whenSame(
      ConditionalCommands commands, String hash, String field, String value) {
    if (value == null || isUtf8(value)) {
      return commands.whenSame(value, "HGET", hash, field);
    }
    int bytes = value.getBytes(StandardCharsets.UTF_8).length; // each stray byte becomes one
    return commands.when(Integer.toString(bytes), "HSTRLEN", hash, field);
  }

  /** Returns how many servers hold keys. */
  public int masters() {
    return link.masters().size();
  }

  /** Reads a slice of the keys of one server that match a pattern. */
  public Future<Slice<String>> keys(int master, String pattern, String from) {
    return patiently(
        () ->
            link.masters()
                .get(master)
                .send(
                    Request.cmd(Command.SCAN)
                        .arg(from)
                        .arg("MATCH")
                        .arg(pattern)
                        .arg("COUNT")
                        .arg(SLICE))
                .map(
                    reply ->
                        new Slice<>(
                            reply.get(1).stream().map(Response::toString).toList(),
                            reply.get(0).toString())));
  }

  /** Reads a slice of a sorted set: member and score. */
  public Future<Slice<Pair>> members(String key, String from) {
    return walk(Command.ZSCAN, key, from)
        .map(
            slice ->
                new Slice<>(
                    slice.items.stream()
                        .map(pair -> new Pair(pair.name, score(EpochMillis.score(pair.value))))
                        .toList(),
                    slice.next));
  }

  /** Formats a score like Redis, for milliseconds and halves of them. */
  private static String score(double score) {
    return score == Math.rint(score) && Math.abs(score) < 1e18
        ? Long.toString((long) score)
        : Double.isFinite(score) ? new BigDecimal(score).toPlainString() : Double.toString(score);
  }

  /** Reads a slice of a hash: field and value. */
  public Future<Slice<Pair>> entries(String key, String from) {
    return walk(Command.HSCAN, key, from);
  }

  /** Reads a slice of a set. */
  public Future<Slice<String>> setMembers(String key, String from) {
    return patiently(
        () ->
            link.send(Request.cmd(Command.SSCAN).arg(key).arg(from).arg("COUNT").arg(SLICE))
                .map(
                    reply ->
                        new Slice<>(
                            reply.get(1).stream().map(Response::toString).toList(),
                            reply.get(0).toString())));
  }

  private Future<Slice<Pair>> walk(Command command, String key, String from) {
    return patiently(
        () ->
            link.send(Request.cmd(command).arg(key).arg(from).arg("COUNT").arg(SLICE))
                .map(reply -> new Slice<>(pairs(reply.get(1)), reply.get(0).toString())));
  }

  private static List<Pair> pairs(Response flat) {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i + 1 < flat.size(); i += 2) {
      pairs.add(new Pair(flat.get(i).toString(), text(flat.get(i + 1))));
    }
    return pairs;
  }

  /** Reads a whole hash; empty if there is none. Only for small ones. */
  public Future<Map<String, String>> hash(String key) {
    return link.send(Request.cmd(Command.HGETALL).arg(key)).map(RawRedisReader::map);
  }

  private static Map<String, String> map(Response hash) {
    Map<String, String> map = new LinkedHashMap<>();
    for (String field : hash.getKeys()) {
      map.put(field, text(hash.get(field)));
    }
    return map;
  }

  /** Returns the values of fields; null for a missing one. */
  public Future<List<String>> fields(String key, String... names) {
    Request request = Request.cmd(Command.HMGET).arg(key);
    for (String name : names) {
      request.arg(name);
    }
    return link.send(request).map(RawRedisReader::texts);
  }

  /** Returns the scores of members, whole numbers without a point; null for a missing one. */
  public Future<List<String>> scores(String key, List<String> members) {
    Request request = Request.cmd(Command.ZMSCORE).arg(key);
    members.forEach(request::arg);
    return link.send(request)
        .map(
            reply -> {
              List<String> scores = new ArrayList<>(reply.size());
              for (Response item : reply) {
                scores.add(item == null ? null : score(item.toDouble()));
              }
              return scores;
            });
  }

  private static List<String> texts(Response reply) {
    List<String> texts = new ArrayList<>(reply.size());
    for (Response item : reply) {
      texts.add(item == null ? null : text(item));
    }
    return texts;
  }

  /** Returns the length of a list; 0 if there is none. */
  public Future<Long> length(String list) {
    return link.send(Request.cmd(Command.LLEN).arg(list)).map(Response::toLong);
  }

  /** Returns a range of a list. */
  public Future<List<String>> range(String list, long first, long last) {
    return link.send(Request.cmd(Command.LRANGE).arg(list).arg(first).arg(last))
        .map(RawRedisReader::texts);
  }

  /** Reads a slice of a list, in order. */
  public Future<Slice<String>> listed(String list, String from) {
    long first = Long.parseLong(from);
    return patiently(() -> range(list, first, first + SLICE - 1))
        .map(
            entries ->
                new Slice<>(entries, entries.size() < SLICE ? EDGE : Long.toString(first + SLICE)));
  }

  /** Returns the size of a sorted set; 0 if there is none. */
  public Future<Long> size(String set) {
    return link.send(Request.cmd(Command.ZCARD).arg(set)).map(Response::toLong);
  }

  /** Returns the type of a key, named as in Redis' TYPE; {@code none} if there is none. */
  public Future<String> type(String key) {
    return link.send(Request.cmd(Command.TYPE).arg(key)).map(Response::toString);
  }

  public Future<Boolean> exists(String key) {
    return link.send(Request.cmd(Command.EXISTS).arg(key)).map(reply -> reply.toInteger() == 1);
  }

  /** Whether all conditions hold now. Performs nothing. */
  public Future<Boolean> holds(ConditionalCommands facts) {
    return run(facts, false);
  }

  /** Performs the commands if all conditions hold; true if they did. */
  public Future<Boolean> perform(ConditionalCommands repair) {
    return run(repair, true);
  }

  private Future<Boolean> run(ConditionalCommands guarded, boolean withSteps) {
    return patiently(() -> guarded.run(link, withSteps));
  }

  /** Removes the quota entry of a job that does not exist. */
  public Future<Void> settleQuotaEntry(JobName name, Instant now) {
    return patiently(() -> quotaEntry.check(name, now));
  }

  /** Settles a quota entry in doubt with this score, of a bound since this epoch. */
  public Future<Void> settleQuotaEntry(JobName name, String score, String epoch) {
    return patiently(
        () -> quotaEntry.settle(name, score + " " + epoch, QuotaEntry.Outcome.UNKNOWN));
  }

  /** Adds the collection to the list of its subscription. */
  public Future<Void> list(CollectionName name) {
    return patiently(() -> index.list(name));
  }

  /** Sets the disabled marker of the collection according to its state. */
  public Future<Void> settleDisabledMarker(CollectionName name) {
    return patiently(() -> disabledMarkers.settle(name));
  }

  /** Sets the disabled marker of a group or of everything according to its pause. */
  public Future<Void> settleDisabledMarker(PauseScope scope) {
    return patiently(() -> disabledMarkers.settle(scope));
  }

  /** Returns the pauses of groups and of everything, by the keys of their scopes. */
  public Future<Map<String, Pause>> pauses() {
    return patiently(pauses::all);
  }

  /** Repeats a step while Redis is unavailable, for at most half a minute. */
  public <T> Future<T> patiently(Supplier<Future<T>> step) {
    return link.persist(step).timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Completes after this time. */
  public Future<Void> pause(Duration time) {
    return link.pause(time);
  }
}
