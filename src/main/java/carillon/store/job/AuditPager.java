package carillon.store.job;

import carillon.job.AuditEntry;
import carillon.job.AuditEntry.AuditFilter;
import carillon.job.JobException;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Pager over several streams as one, from the newest entry on: of entries of the same millisecond
 * those of the higher partition come first. Reads a slice of each, and more only of those that are
 * used up. For one page.
 */
final class AuditPager {
  private static final Script<Slice> READ = Script.returning("audit_page", Slice::of);

  /** Entries of a stream that are looked at, and that are taken, in one call. */
  private static final int LOOK = 256;

  private static final int TAKE = 32;
  private static final Pattern ID = Pattern.compile("(\\d{1,15})-(\\d{1,15})_(-?\\d{1,4})");
  private static final Comparator<Place> NEWEST =
      Comparator.comparingLong(Place::millis)
          .thenComparingInt(Place::stream)
          .thenComparingLong(Place::sequence);

  private final RedisLink link;
  private final Keys keys;
  private final AuditFilter filter;
  private final Optional<Place> after;

  /** Position of an entry. */
  private record Place(long millis, long sequence, int stream) {
    static Place parse(String id) {
      Matcher parts = ID.matcher(id);
      if (!parts.matches()) {
        throw JobException.invalid("$skiptoken: must be the token of a nextLink");
      }
      return new Place(
          Long.parseLong(parts.group(1)),
          Long.parseLong(parts.group(2)),
          Integer.parseInt(parts.group(3)));
    }

    String id() {
      return millis + "-" + sequence + "_" + stream;
    }
  }

  /**
   * Some entries of a stream, newest first, as they stand there.
   *
   * @param rest id after which to go on; empty text at the end
   */
  private record Slice(String rest, List<Response> entries) {
    static Slice of(Response reply) {
      return new Slice(reply.get(0).toString(), reply.get(1).stream().toList());
    }
  }

  /** Entries of a stream that were read and not taken yet. */
  private final class Source {
    private final int stream;
    private final Deque<Map.Entry<Place, Map<String, String>>> read = new ArrayDeque<>();
    private String upto;

    Source(int stream) {
      this.stream = stream;
      this.upto = begin(stream);
    }

    boolean isUsedUp() {
      return read.isEmpty() && !upto.isEmpty();
    }

    Place next() {
      return read.getFirst().getKey();
    }

    Future<Void> fill() {
      return READ.on(link)
          .key("audit", keys.audit(stream))
          .arg("upto", upto)
          .arg("from", filter.fromMillis())
          .arg("object", filter.object())
          .arg("look", LOOK)
          .arg("take", TAKE)
          .run()
          .map(
              slice -> {
                upto = slice.rest.isEmpty() ? "" : "(" + slice.rest;
                slice.entries.forEach(entry -> read.add(entry(stream, entry)));
                return null;
              });
    }
  }

  AuditPager(RedisLink link, Keys keys, AuditFilter filter, String after) {
    this.link = link;
    this.keys = keys;
    this.filter = filter;
    this.after = after.isEmpty() ? Optional.empty() : Optional.of(Place.parse(after));
  }

  /** The newest id that a stream may give, as XREVRANGE takes it. */
  private String begin(int stream) {
    String newest =
        filter.untilMillis() == Long.MAX_VALUE ? "+" : Long.toString(filter.untilMillis());
    if (after.isEmpty() || after.get().millis > filter.untilMillis()) {
      return newest;
    }
    Place last = after.get();
    if (stream == last.stream) {
      return "(" + last.millis + "-" + last.sequence;
    }
    return stream > last.stream ? "(" + last.millis + "-0" : Long.toString(last.millis);
  }

  Future<AuditLog.Page> page(List<Integer> streams, int skip, int top) {
    List<Source> sources = streams.stream().map(Source::new).toList();
    return collect(sources, skip, top, new ArrayList<>());
  }

  private Future<AuditLog.Page> collect(
      List<Source> sources, int skip, int top, List<AuditEntry> found) {
    List<Future<Void>> filled =
        sources.stream().filter(Source::isUsedUp).map(Source::fill).toList();
    if (!filled.isEmpty()) {
      return Future.all(filled).compose(all -> collect(sources, skip, top, found));
    }
    int left = skip;
    while (found.size() <= top) {
      Optional<Source> newest =
          sources.stream()
              .filter(source -> !source.read.isEmpty())
              .max(Comparator.comparing(Source::next, NEWEST));
      if (newest.isEmpty()) {
        return Future.succeededFuture(new AuditLog.Page(found, Optional.empty()));
      }
      Map.Entry<Place, Map<String, String>> taken = newest.get().read.removeFirst();
      if (left > 0) {
        left--;
      } else {
        found.add(entry(taken));
      }
      if (newest.get().isUsedUp()) {
        return collect(sources, left, top, found);
      }
    }
    List<AuditEntry> page = List.copyOf(found.subList(0, top));
    return Future.succeededFuture(
        new AuditLog.Page(page, Optional.of(page.get(page.size() - 1).id())));
  }

  private static AuditEntry entry(Map.Entry<Place, Map<String, String>> read) {
    return new AuditEntry(
        read.getKey().id(), Instant.ofEpochMilli(read.getKey().millis), read.getValue());
  }

  private static Map.Entry<Place, Map<String, String>> entry(int stream, Response entry) {
    return Map.entry(
        Place.parse(entry.get(0) + "_" + stream), AuditLog.EntryCodec.of(entry.get(1)));
  }
}
