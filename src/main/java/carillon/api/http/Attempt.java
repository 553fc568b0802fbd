package carillon.api.http;

import io.vertx.core.Future;
import java.util.function.Supplier;

/** Lets a failure travel as a value, also where it was thrown before there was a future. */
public final class Attempt {
  private Attempt() {}

  public static <T> Future<T> of(Supplier<Future<T>> work) {
    try {
      return work.get();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }
}
