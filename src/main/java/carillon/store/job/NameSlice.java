package carillon.store.job;

import carillon.job.name.CollectionName;
import carillon.job.name.JobState;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Consecutive names of a collection's jobs in one partition, in any of the wanted states.
 *
 * @param names names in order, without gaps
 * @param hasMore whether there may be names after the last one
 */
public record NameSlice(List<String> names, boolean hasMore) {
  public static final List<String> ALL_STATES =
      Stream.of(JobState.values()).map(JobState::word).toList();

  private static final Script<List<List<String>>> LIST =
      Script.returning("list_jobs", states -> states.stream().map(NameSlice::names).toList());

  /**
   * Reads names after a name.
   *
   * @param states wanted states, as stored
   * @param after folded name, empty text for the beginning
   * @param limit maximum for each state, 1..256
   */
  public static Future<NameSlice> read(
      RedisLink link,
      Keys keys,
      CollectionName collection,
      int partition,
      List<String> states,
      String after,
      int limit) {
    return LIST.on(link)
        .key("jobs", keys.jobs(partition, collection.key()))
        .arg("after", after)
        .arg("limit", limit)
        .args("states", states)
        .run()
        .map(found -> of(found, limit));
  }

  static List<String> names(Response array) {
    return array.stream().map(Response::toString).toList();
  }

  /** Merges slices of several partitions, up to the end of the shortest incomplete one. */
  static NameSlice merge(List<NameSlice> ranges) {
    return of(
        ranges.stream().flatMap(range -> range.names.stream()),
        ranges.stream().filter(NameSlice::hasMore).map(NameSlice::last));
  }

  /**
   * Merges the names of all states. If a state has more names than were read, the result ends at
   * its last one.
   */
  private static NameSlice of(List<List<String>> states, int limit) {
    return of(
        states.stream().flatMap(List::stream),
        states.stream().filter(state -> state.size() == limit).map(state -> state.get(limit - 1)));
  }

  /** Merges names up to the first end of an incomplete part. Later names may have gaps. */
  private static NameSlice of(Stream<String> names, Stream<String> ends) {
    Optional<String> horizon = ends.min(Comparator.naturalOrder());
    List<String> complete =
        names
            .filter(name -> horizon.isEmpty() || name.compareTo(horizon.get()) <= 0)
            .sorted()
            .toList();
    return new NameSlice(complete, horizon.isPresent());
  }

  /** Returns the first names, at most {@code limit}. */
  List<String> first(int limit) {
    return names.subList(0, Math.min(limit, names.size()));
  }

  /** Returns the name after which to continue. Only for a slice with names. */
  public String last() {
    return names.get(names.size() - 1);
  }
}
