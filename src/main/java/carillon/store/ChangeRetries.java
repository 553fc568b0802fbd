package carillon.store;

import carillon.job.Precondition;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.store.job.MovedJobException;
import io.vertx.core.Future;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Retries of one change that loses against other changes. Each try computes the change from the
 * current state. There are {@link #MAX_TRIES} in all, for any reasons of failure. Confined to the
 * event loop of the stores.
 */
public final class ChangeRetries {
  private static final int MAX_TRIES = 5;

  private int begun = 1;

  /** True until the first retry. */
  public boolean isFirstTry() {
    return begun == 1;
  }

  /** Makes the change, and repeats it after each matching failure until the last try. */
  public <T> Future<T> repeat(Predicate<Throwable> isOvertaken, Supplier<Future<T>> change) {
    return repeat(isOvertaken, UnaryOperator.identity(), change);
  }

  /**
   * Makes the change, and repeats it after each matching failure until the last try.
   *
   * @param last converts the failure of the last try for the caller
   */
  public <T> Future<T> repeat(
      Predicate<Throwable> isOvertaken, UnaryOperator<Throwable> last, Supplier<Future<T>> change) {
    return change
        .get()
        .recover(
            failure -> {
              if (!isOvertaken.test(failure)) {
                return Future.failedFuture(failure);
              }
              return beginsAgain()
                  ? repeat(isOvertaken, last, change)
                  : Future.failedFuture(last.apply(failure));
            });
  }

  /** Makes the change again, or fails with this failure if it was the last try. */
  public <T> Future<T> again(Throwable failure, Supplier<Future<T>> change) {
    return beginsAgain() ? change.get() : Future.failedFuture(failure);
  }

  private boolean beginsAgain() {
    if (begun == MAX_TRIES) {
      return false;
    }
    begun++;
    return true;
  }

  /**
   * Whether a change failed because the job differs from the version that it was computed from.
   * Unlike a client's condition, this also covers changes that no client made.
   */
  public static boolean isMoved(Throwable failure) {
    return failure instanceof MovedJobException;
  }

  /**
   * Whether a change failed because another one came first, or because a condition of the client
   * does not hold.
   */
  public static boolean isOvertaken(Throwable failure) {
    return failure instanceof JobException refusal
        && refusal.code() == ErrorCode.PRECONDITION_FAILED;
  }

  /**
   * Whether a change failed because another one came first and can be tried again. If the client
   * set a condition, the client must decide.
   */
  public static boolean isOvertaken(Throwable failure, Precondition condition) {
    return condition.equals(Precondition.NONE) && isOvertaken(failure);
  }
}
