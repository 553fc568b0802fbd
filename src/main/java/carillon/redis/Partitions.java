package carillon.redis;

import io.vertx.core.Future;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
    return from(0, keys.partitions(), atATime, step);
  }

  private static <T> Future<List<T>> from(
      int first, int end, int atATime, IntFunction<Future<T>> step) {
    int next = Math.min(end, first + atATime);
    Future<List<T>> some =
        Future.all(IntStream.range(first, next).mapToObj(step).toList()).map(done -> done.list());
    return next == end
        ? some
        : some.compose(
            done ->
                from(next, end, atATime, step)
                    .map(rest -> Stream.concat(done.stream(), rest.stream()).toList()));
  }
}
