package carillon.support;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits on the test thread for what happens elsewhere. */
public final class Await {
  /** Of a busy machine; who waits for what happens does not wait for long. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Await() {}

  /** The result of a future that is to succeed. */
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

  /** Until something holds; {@code what} is for the failure message. */
  public static void until(String what, BooleanSupplier condition) {
    until(what, PATIENCE, condition);
  }

  /** The same; what is for the message is asked when it is made. */
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
