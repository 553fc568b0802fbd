package carillon.fsck;

import carillon.store.operation.RawRedisReader;
import carillon.store.operation.RawRedisReader.Slice;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Loops of asynchronous steps of any length. A chain of futures would end in as many nested calls
 * as it has steps.
 */
final class AsyncLoops {
  private static final int CONCURRENT_STEPS = 64;

  private AsyncLoops() {}

  /** Repeats a step as long as it answers true. */
  static Future<Void> whileMore(Supplier<Future<Boolean>> step) {
    Promise<Void> done = Promise.promise();
    repeat(step, done);
    return done.future();
  }

  private static void repeat(Supplier<Future<Boolean>> step, Promise<Void> done) {
    Future<Boolean> more = step.get();
    while (more.succeeded() && more.result()) {
      more = step.get();
    }
    more.onComplete(
        (again, failure) -> {
          if (failure != null) {
            done.fail(failure);
          } else if (again) {
            repeat(step, done);
          } else {
            done.complete();
          }
        });
  }

  /** Performs the step for one item after the other. */
  static <T> Future<Void> each(List<T> items, Function<T, Future<Void>> step) {
    return batches(items, 1, step);
  }

  /** Performs the step for some items at a time. */
  static <T> Future<Void> concurrently(List<T> items, Function<T, Future<Void>> step) {
    return batches(items, CONCURRENT_STEPS, step);
  }

  private static <T> Future<Void> batches(List<T> items, int size, Function<T, Future<Void>> step) {
    int[] from = {0};
    return whileMore(
        () -> {
          if (from[0] >= items.size()) {
            return Future.succeededFuture(false);
          }
          int to = Math.min(items.size(), from[0] + size);
          List<Future<Void>> batch = items.subList(from[0], to).stream().map(step).toList();
          from[0] = to;
          return Future.all(batch).map(true);
        });
  }

  /** Reads slice after slice, and performs the step for each slice. */
  static <T> Future<Void> slices(
      Function<String, Future<Slice<T>>> read, Function<List<T>, Future<Void>> step) {
    String[] from = {RawRedisReader.EDGE};
    return whileMore(
        () ->
            read.apply(from[0])
                .compose(
                    slice -> {
                      from[0] = slice.next();
                      return step.apply(slice.items()).map(!slice.isLast());
                    }));
  }

  /** Reads slice after slice, and performs the step for each item, some at a time. */
  static <T> Future<Void> items(
      Function<String, Future<Slice<T>>> read, Function<T, Future<Void>> step) {
    return slices(read, items -> concurrently(items, step));
  }
}
