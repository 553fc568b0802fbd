package carillon.bounded;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Loops of any number of asynchronous steps. A chain of futures would instead end in one nested
 * call for each step.
 */
public final class AsyncLoops {
  private static final int CONCURRENT_STEPS = 64;

  private AsyncLoops() {}

  /** Repeats a step as long as its result is true. Fails if a step fails or throws. */
  public static Future<Void> whileMore(Supplier<Future<Boolean>> step) {
    Promise<Void> done = Promise.promise();
    repeat(step, done);
    return done.future();
  }

  private static void repeat(Supplier<Future<Boolean>> step, Promise<Void> done) {
    Future<Boolean> more = begun(step);
    while (more.succeeded() && more.result()) {
      more = begun(step);
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

  /** Begins a step. An exception becomes a failure, or the loop would never end. */
  private static Future<Boolean> begun(Supplier<Future<Boolean>> step) {
    try {
      return step.get();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  /** Performs the step for each item, one after the other. */
  public static <T> Future<Void> each(List<T> items, Function<T, Future<Void>> step) {
    return batches(items, 1, step);
  }

  /** Performs the step for a limited number of items at a time. */
  public static <T> Future<Void> concurrently(List<T> items, Function<T, Future<Void>> step) {
    return batches(items, CONCURRENT_STEPS, step);
  }

  private static <T> Future<Void> batches(List<T> items, int size, Function<T, Future<Void>> step) {
    return slices(items, size, slice -> Future.all(slice.stream().map(step).toList()).mapEmpty());
  }

  /** Performs the step for slices of the items, one after the other. */
  public static <T> Future<Void> slices(
      List<T> items, int size, Function<List<T>, Future<Void>> step) {
    int[] from = {0};
    return whileMore(
        () -> {
          if (from[0] >= items.size()) {
            return Future.succeededFuture(false);
          }
          int to = Math.min(items.size(), from[0] + size);
          List<T> slice = items.subList(from[0], to);
          from[0] = to;
          return step.apply(slice).map(true);
        });
  }
}
