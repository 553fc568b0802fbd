package carillon.support;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits on the test thread for events on other threads. */
public final class Await {
  /** Maximum wait, for a very busy machine. A wait ends as soon as its condition holds. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private Await() {}

  /** Waits for a future and returns its result. Fails if the future fails or takes too long. */
  public static <T> T result(Future<T> future) {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (java.util.concurrent.ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(e.getCause());
    } catch (InterruptedException | java.util.concurrent.TimeoutException e) {
      throw new AssertionError("no result within " + PATIENCE, e);
    }
  }

  /** Waits until a condition holds. {@code what} names it in the failure message. */
  public static void until(String what, BooleanSupplier condition) {
    until(what, PATIENCE, condition);
  }

  /** Waits until a condition holds. {@code what} is evaluated only for the failure message. */
  public static void until(Supplier<String> what, BooleanSupplier condition) {
    until(what, PATIENCE, condition);
  }

  public static void until(String what, Duration patience, BooleanSupplier condition) {
    until(() -> what, patience, condition);
  }

  private static void until(Supplier<String> what, Duration patience, BooleanSupplier condition) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("did not happen within " + patience + ": " + what.get());
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }
}
