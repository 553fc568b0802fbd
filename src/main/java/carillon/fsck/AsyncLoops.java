package carillon.fsck;

import carillon.store.operation.RawRedisReader;
import carillon.store.operation.RawRedisReader.Pair;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Steps one after the other, however many: a chain of futures would come to its end by a call
 * within a call for each.
 */
final class AsyncLoops {
  private static final int SIDE_BY_SIDE = 64;

  private AsyncLoops() {}

  /** Repeats a step for as long as it says that there is more to do. */
  static Future<Void> whileMore(Supplier<Future<Boolean>> step) {
    Promise<Void> done = Promise.promise();
    go(step, done);
    return done.future();
  }

  private static void go(Supplier<Future<Boolean>> step, Promise<Void> done) {
    Future<Boolean> more = step.get();
    while (more.succeeded() && more.result()) {
      more = step.get();
    }
    more.onComplete(
        (again, failure) -> {
          if (failure != null) {
            done.fail(failure);
          } else if (again) {
            go(step, done);
          } else {
            done.complete();
          }
        });
  }

  /** One after the other. */
  static <T> Future<Void> each(List<T> all, Function<T, Future<Void>> step) {
    return parts(all, 1, step);
  }

  /** Some side by side, then the next. */
  static <T> Future<Void> inTurn(List<T> all, Function<T, Future<Void>> step) {
    return parts(all, SIDE_BY_SIDE, step);
  }

  private static <T> Future<Void> parts(List<T> all, int size, Function<T, Future<Void>> step) {
    int[] from = {0};
    return whileMore(
        () -> {
          if (from[0] >= all.size()) {
            return Future.succeededFuture(false);
          }
          int to = Math.min(all.size(), from[0] + size);
          List<Future<Void>> some = all.subList(from[0], to).stream().map(step).toList();
          from[0] = to;
          return Future.all(some).map(true);
        });
  }

  /** All that is read from Redis slice by slice. */
  static Future<Void> slices(
      Function<String, Future<RawRedisReader.Slice<Pair>>> read,
      Function<Pair, Future<Void>> step) {
    String[] from = {RawRedisReader.EDGE};
    return whileMore(
        () ->
            read.apply(from[0])
                .compose(
                    slice -> {
                      from[0] = slice.next();
                      return inTurn(slice.items(), step).map(!slice.isLast());
                    }));
  }
}
