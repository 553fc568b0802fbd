package carillon.benchmark;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Lets the main thread, never an event loop, wait. */
final class Blocking {
  private Blocking() {}

  /**
   * The result; a failure is thrown as it is when unchecked, else as the cause of an
   * IllegalStateException with the same message.
   */
  static <T> T on(Future<T> future, Duration limit) {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException unchecked
          ? unchecked
          : new IllegalStateException(e.getCause().getMessage(), e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("no answer within " + limit.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      throw Interrupted.of(e);
    }
  }

  static void sleep(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      throw Interrupted.of(e);
    }
  }
}
