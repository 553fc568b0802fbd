package carillon.redis;

import carillon.job.name.JobException;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Pager over several streams as one, from the newest entry on. In the same millisecond, entries of
 * the higher partition come first. Reads a slice of each stream, and more only of those that are
 * used up. For one page.
 *
 * @param <T> an entry as it is read
 */
public final class StreamPager<T> {
  private static final Script<StreamSlice> READ = Script.returning("audit_page", StreamSlice::of);

  /** Maximum number of entries of a stream that one call examines. */
  public static final int LOOK = 256;

  /** Minimum number of entries that the first call examines: the newest are often enough. */
  private static final int MIN_FIRST_LOOK = 8;

  private static final Pattern ID = Pattern.compile("(\\d{1,15})-(\\d{1,15})_(-?\\d{1,4})");
  private static final Comparator<StreamPosition> NEWEST =
      Comparator.comparingLong(StreamPosition::millis)
          .thenComparingInt(StreamPosition::stream)
          .thenComparingLong(StreamPosition::sequence);

  private final RedisLink link;
  private final IntFunction<String> keys;
  private final PageWindow window;
  private final Optional<StreamPosition> after;
  private final BiFunction<String, Response, Optional<T>> reader;
  private final Predicate<T> isWanted;
  private final Predicate<T> isPast;
  private int looked;

  /**
   * Requested entries.
   *
   * @param fromMillis the oldest, by the instants of their ids
   * @param untilMillis the newest
   * @param object object that their first field names, or a parent of it; empty for all
   * @param take number of entries of a stream that one call reads
   * @param budget maximum number of examined entries for a page, except the first of each stream
   */
  public record PageWindow(
      long fromMillis, long untilMillis, String object, int take, int budget) {}

  /**
   * Page of entries, newest first. If the budget was used up, it has fewer entries than requested,
   * or none, and can be continued.
   *
   * @param after position to continue, when there may be more
   * @param <T> an entry as it is read
   */
  public record Page<T>(List<T> entries, Optional<String> after) {}

  /** Position of an entry. */
  private record StreamPosition(long millis, long sequence, int stream) {
    static StreamPosition parse(String id) {
      Matcher parts = ID.matcher(id);
      if (!parts.matches()) {
        throw JobException.invalid("$skiptoken: must be the token of a nextLink");
      }
      return new StreamPosition(
          Long.parseLong(parts.group(1)),
          Long.parseLong(parts.group(2)),
          Integer.parseInt(parts.group(3)));
    }

    String id() {
      return millis + "-" + sequence + "_" + stream;
    }
  }

  /**
   * Slice of a stream: unchanged entries, newest first.
   *
   * @param rest id after which to continue; empty text at the end
   */
  private record StreamSlice(String rest, List<Response> entries) {
    static StreamSlice all(List<Response> entries, int wanted) {
      boolean isOver = entries.size() < wanted;
      return new StreamSlice(
          isOver ? "" : entries.get(entries.size() - 1).get(0).toString(), entries);
    }

    static StreamSlice of(Response reply) {
      return new StreamSlice(reply.get(0).toString(), reply.get(1).stream().toList());
    }
  }

  /** Entries of a stream that were read and not taken yet. */
  private final class StreamReader {
    private final int stream;
    private final Deque<Map.Entry<StreamPosition, T>> read = new ArrayDeque<>();
    private String upto;
    private int look;

    StreamReader(int stream, int look) {
      this.stream = stream;
      this.look = look;
      this.upto = begin(stream);
    }

    boolean isUsedUp() {
      return read.isEmpty() && !upto.isEmpty();
    }

    StreamPosition next() {
      return read.getFirst().getKey();
    }

    /** Position of the last examined entry; more entries follow it. */
    StreamPosition end() {
      return StreamPosition.parse(upto.substring(1) + "_" + stream);
    }

    private void add(Response entry) {
      StreamPosition position = StreamPosition.parse(entry.get(0) + "_" + stream);
      Optional<T> found = reader.apply(position.id(), entry.get(1));
      if (found.filter(isPast).isPresent()) {
        upto = "";
      } else {
        found.filter(isWanted).ifPresent(wanted -> read.add(Map.entry(position, wanted)));
      }
    }

    private Future<StreamSlice> ofObject(int looked) {
      return READ.on(link)
          .key("audit", keys.apply(stream))
          .arg("upto", upto)
          .arg("from", window.fromMillis)
          .arg("object", window.object)
          .arg("look", looked)
          .arg("take", window.take)
          .run();
    }

    /** Reads entries of every object: without the script, which would only copy them. */
    private Future<StreamSlice> all(int looked) {
      int count = Math.min(looked, window.take);
      return link.send(
              Request.cmd(Command.XREVRANGE)
                  .arg(keys.apply(stream))
                  .arg(upto)
                  .arg(window.fromMillis)
                  .arg("COUNT")
                  .arg(count))
          .map(entries -> StreamSlice.all(entries.stream().toList(), count));
    }

    Future<Void> fill() {
      int looked = look;
      look = Math.min(LOOK, 2 * look);
      return (window.object.isEmpty() ? all(looked) : ofObject(looked))
          .map(
              slice -> {
                upto = slice.rest.isEmpty() ? "" : "(" + slice.rest;
                slice.entries.forEach(this::add);
                return null;
              });
    }
  }

  /**
   * Creates a pager.
   *
   * @param keys names of the streams
   * @param after position to begin, empty for the newest
   * @param reader decodes id and fields; empty if they are unreadable
   * @param isWanted whether the page includes an entry
   * @param isPast whether no wanted entry of the stream follows
   */
  public StreamPager(
      RedisLink link,
      IntFunction<String> keys,
      PageWindow window,
      String after,
      BiFunction<String, Response, Optional<T>> reader,
      Predicate<T> isWanted,
      Predicate<T> isPast) {
    this.link = link;
    this.keys = keys;
    this.window = window;
    this.after = after.isEmpty() ? Optional.empty() : Optional.of(StreamPosition.parse(after));
    this.reader = reader;
    this.isWanted = isWanted;
    this.isPast = isPast;
  }

  /** The newest id that a stream may give, as XREVRANGE takes it. */
  private String begin(int stream) {
    String newest = window.untilMillis == Long.MAX_VALUE ? "+" : Long.toString(window.untilMillis);
    if (after.isEmpty() || after.get().millis > window.untilMillis) {
      return newest;
    }
    StreamPosition last = after.get();
    if (stream == last.stream) {
      return "(" + last.millis + "-" + last.sequence;
    }
    return stream > last.stream ? "(" + last.millis + "-0" : Long.toString(last.millis);
  }

  /**
   * Reads the page.
   *
   * @param streams numbers of the streams, as {@code keys} takes them
   * @param skip how many entries to leave out first
   * @param top most entries on the page
   */
  public Future<Page<T>> page(List<Integer> streams, int skip, int top) {
    int look = firstLook(streams.size(), skip + top);
    List<StreamReader> sources =
        streams.stream().map(stream -> new StreamReader(stream, look)).toList();
    return collect(sources, skip, top, new ArrayList<>());
  }

  /** Returns twice the fair share of each stream, so that one round is often enough. */
  private static int firstLook(int streams, int wanted) {
    return Math.min(LOOK, MIN_FIRST_LOOK + 2 * wanted / streams);
  }

  private Future<Page<T>> collect(
      List<StreamReader> sources, int skip, int top, List<Map.Entry<StreamPosition, T>> found) {
    List<StreamReader> usedUp = sources.stream().filter(StreamReader::isUsedUp).toList();
    if (!usedUp.isEmpty()) {
      int wanted = usedUp.stream().mapToInt(source -> source.look).sum();
      if (looked > 0 && looked + wanted > window.budget) {
        return Future.succeededFuture(cut(sources, top, found));
      }
      looked += wanted;
      return Future.all(usedUp.stream().map(StreamReader::fill).toList())
          .compose(all -> collect(sources, skip, top, found));
    }
    int left = skip;
    while (found.size() <= top) {
      Optional<StreamReader> newest =
          sources.stream()
              .filter(source -> !source.read.isEmpty())
              .max(Comparator.comparing(StreamReader::next, NEWEST));
      if (newest.isEmpty()) {
        return Future.succeededFuture(page(found, Optional.empty()));
      }
      Map.Entry<StreamPosition, T> taken = newest.get().read.removeFirst();
      if (left > 0) {
        left--;
      } else {
        found.add(taken);
      }
      if (newest.get().isUsedUp()) {
        return collect(sources, left, top, found);
      }
    }
    List<Map.Entry<StreamPosition, T>> page = List.copyOf(found.subList(0, top));
    return Future.succeededFuture(page(page, Optional.of(page.get(page.size() - 1).getKey().id())));
  }

  /** Returns the found entries up to the position that was read in every stream. */
  private Page<T> cut(
      List<StreamReader> sources, int top, List<Map.Entry<StreamPosition, T>> found) {
    StreamPosition end =
        sources.stream()
            .filter(source -> !source.upto.isEmpty())
            .map(StreamReader::end)
            .max(NEWEST)
            .orElseThrow();
    List<Map.Entry<StreamPosition, T>> page = new ArrayList<>(found);
    sources.stream()
        .flatMap(source -> source.read.stream())
        .filter(one -> NEWEST.compare(one.getKey(), end) >= 0)
        .sorted(Map.Entry.<StreamPosition, T>comparingByKey(NEWEST).reversed())
        .limit(Math.max(0, top - found.size()))
        .forEach(page::add);
    boolean isFull = page.size() >= top;
    StreamPosition last = isFull ? page.get(top - 1).getKey() : end;
    return page(isFull ? page.subList(0, top) : page, Optional.of(last.id()));
  }

  private static <T> Page<T> page(
      List<Map.Entry<StreamPosition, T>> found, Optional<String> after) {
    return new Page<>(found.stream().map(Map.Entry::getValue).toList(), after);
  }
}
