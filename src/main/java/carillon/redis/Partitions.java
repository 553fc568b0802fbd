package carillon.redis;

import io.vertx.core.Future;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** What is asked of, or done in, every partition. */
public final class Partitions {
  private Partitions() {}

  /**
   * Takes a step in all partitions side by side; fails with the first that fails.
   *
   * @param step begins the step in one partition
   * @return the results in the order of the partitions
   */
  public static <T> Future<List<T>> all(Keys keys, IntFunction<Future<T>> step) {
    return Future.all(IntStream.range(0, keys.partitions()).mapToObj(step).toList())
        .map(done -> done.list());
  }
}
