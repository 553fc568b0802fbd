package carillon.redis;

import carillon.bounded.AsyncLoops;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Operations over all partitions. */
public final class Partitions {
  private Partitions() {}

  /**
   * Performs a step in all partitions at a time; fails with the first that fails.
   *
   * @param step begins the step in one partition
   * @return the results in the order of the partitions
   */
  public static <T> Future<List<T>> all(Keys keys, IntFunction<Future<T>> step) {
    return all(keys, keys.partitions(), step);
  }

  /**
   * Performs a step in some partitions at a time, in their order, and begins no further one after a
   * failure.
   *
   * @param atATime partitions, at least 1
   * @param step begins the step in one partition
   * @return the results in the order of the partitions
   */
  public static <T> Future<List<T>> all(Keys keys, int atATime, IntFunction<Future<T>> step) {
    List<T> results = new ArrayList<>(keys.partitions());
    return AsyncLoops.whileMore(
            () -> {
              int first = results.size();
              int next = Math.min(keys.partitions(), first + atATime);
              return Future.all(IntStream.range(first, next).mapToObj(step).toList())
                  .map(done -> results.addAll(done.list()) && next < keys.partitions());
            })
        .map(results);
  }
}
