package carillon.fsck;

import carillon.bounded.AsyncLoops;
import carillon.store.operation.RawRedisReader;
import carillon.store.operation.RawRedisReader.Slice;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/** Loops over the slices of a key of any size. */
final class SliceLoops {
  private SliceLoops() {}

  /** Reads slice after slice, and performs the step for each slice. */
  static <T> Future<Void> slices(
      Function<String, Future<Slice<T>>> read, Function<List<T>, Future<Void>> step) {
    String[] from = {RawRedisReader.EDGE};
    return AsyncLoops.whileMore(
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
    return slices(read, items -> AsyncLoops.concurrently(items, step));
  }
}
