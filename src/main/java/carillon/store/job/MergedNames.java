package carillon.store.job;

import carillon.job.name.CollectionName;
import carillon.redis.Keys;
import carillon.redis.Partitions;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Names of a collection's jobs over all partitions and states, as one list. Confined to the event
 * loop of its link.
 *
 * <p>The n-th name is found without reading the names before it. Every partition (and state)
 * returns its name at the same fraction of its range. The median of these is close to the wanted
 * name. Every partition then counts its names up to the median. That leaves a smaller range, and
 * fewer names to skip in it. A hash spreads the names over the partitions, so the error is about
 * the square root of the number of names. For a million names, two such steps leave less than one
 * read.
 */
final class MergedNames {
  private static final Script<List<Mark>> RANK =
      Script.returning("name_at_fraction", states -> states.stream().map(Mark::of).toList());
  private static final int SLICE = 256;

  /**
   * Maximum number of steps. The rest is read slice by slice, which happens only if names are not
   * spread evenly.
   */
  private static final int STEPS = 20;

  /**
   * Number of names by which a step aims too low. After a small undershoot one read ends the
   * search, but an overshoot takes another step.
   */
  private static final int MARGIN = SLICE / 2;

  private final RedisLink link;
  private final Keys keys;
  private final CollectionName collection;
  private final List<String> states;

  /**
   * Creates a search.
   *
   * @param states wanted states, as stored
   */
  MergedNames(RedisLink link, Keys keys, CollectionName collection, List<String> states) {
    this.link = link;
    this.keys = keys;
    this.collection = collection;
    this.states = states;
  }

  /** Returns the first {@code limit} names after this one, in order; fewer at the end. */
  Future<List<String>> after(String name, int limit) {
    // Twice the fair share of each partition, so that one round is nearly always enough.
    int share = Math.min(SLICE, 8 + 2 * limit / keys.partitions());
    return Partitions.all(keys, p -> NameSlice.read(link, keys, collection, p, states, name, share))
        .compose(
            ranges -> {
              NameSlice merged = NameSlice.merge(ranges);
              int missing = limit - merged.names().size();
              if (missing <= 0 || !merged.hasMore()) {
                return Future.succeededFuture(merged.first(limit));
              }
              return after(merged.last(), missing).map(rest -> concat(merged.names(), rest));
            });
  }

  private static List<String> concat(List<String> names, List<String> rest) {
    List<String> all = new ArrayList<>(names);
    all.addAll(rest);
    return all;
  }

  /**
   * Returns the number of names in a range.
   *
   * @param after the range begins after this name, empty text for the beginning
   * @param upto the range ends with this name, empty text for the end
   */
  Future<Long> count(String after, String upto) {
    return marks(after, upto, 0).map(MergedNames::total);
  }

  private static long total(List<Mark> marks) {
    return marks.stream().mapToLong(Mark::count).sum();
  }

  /**
   * Returns the name {@code count} places after this one; empty if there are fewer names.
   *
   * @param count 1 or more
   */
  Future<Optional<String>> skip(String name, int count) {
    return marks(name, "", 0)
        .compose(
            marks -> {
              long total = total(marks);
              return total < count
                  ? Future.succeededFuture(Optional.empty())
                  : narrow(new NameRange(name, "", total), count, STEPS);
            });
  }

  /**
   * Range with the wanted name.
   *
   * @param after the range begins after this name
   * @param upto the range ends with this name, empty text for the end
   * @param size number of names in the range
   */
  private record NameRange(String after, String upto, long size) {}

  private Future<Optional<String>> narrow(NameRange range, long count, int steps) {
    if (count == 0) {
      return Future.succeededFuture(Optional.of(range.after));
    }
    if (count <= SLICE || steps == 0) {
      return walk(range.after, count);
    }
    double fraction = Math.max(0, count - MARGIN) / (double) Math.max(range.size, count);
    return marks(range.after, range.upto, fraction)
        .compose(
            marks ->
                median(marks)
                    .map(at -> step(range, count, at, steps))
                    .orElseGet(() -> walk(range.after, count)));
  }

  private Future<Optional<String>> step(NameRange range, long count, String at, int steps) {
    return marks(range.after, at, 0)
        .compose(
            marks -> {
              long passed = total(marks);
              return passed <= count
                  ? narrow(
                      new NameRange(at, range.upto, range.size - passed), count - passed, steps - 1)
                  : narrow(new NameRange(range.after, at, passed), count, steps - 1);
            });
  }

  private Future<Optional<String>> walk(String after, long count) {
    int slice = (int) Math.min(count, SLICE);
    return after(after, slice)
        .compose(
            names -> {
              if (names.size() < slice) {
                return Future.succeededFuture(Optional.empty());
              }
              String last = names.get(slice - 1);
              return count == slice
                  ? Future.succeededFuture(Optional.of(last))
                  : walk(last, count - slice);
            });
  }

  /**
   * Names of one state and partition in a range: their number, and the one at a fraction.
   *
   * @param name name at the requested fraction; empty text without names
   */
  private record Mark(long count, String name) {
    static Mark of(Response reply) {
      return new Mark(reply.get(0).toLong(), reply.get(1).toString());
    }
  }

  private Future<List<Mark>> marks(String after, String upto, double fraction) {
    return Partitions.all(
            keys,
            p ->
                RANK.on(link)
                    .key("jobs", keys.jobs(p, collection.key()))
                    .arg("after", after)
                    .arg("upto", upto)
                    .arg("fraction", Double.toString(fraction))
                    .args("states", states)
                    .run())
        .map(all -> all.stream().flatMap(List::stream).filter(mark -> mark.count > 0).toList());
  }

  /** Returns the median of the names, each weighted by its count. */
  private static Optional<String> median(List<Mark> marks) {
    List<Mark> sorted = marks.stream().sorted(Comparator.comparing(Mark::name)).toList();
    long half = total(marks) / 2;
    for (Mark mark : sorted) {
      half -= mark.count;
      if (half <= 0) {
        return Optional.of(mark.name);
      }
    }
    return Optional.empty();
  }
}
