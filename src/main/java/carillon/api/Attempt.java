package carillon.api;

import io.vertx.core.Future;
import java.util.function.Supplier;

/** Lets a failure travel as a value, also where it was thrown before there was a future. */
final class Attempt {
  private Attempt() {}

  static <T> Future<T> of(Supplier<Future<T>> work) {
    try {
      return work.get();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }
}
