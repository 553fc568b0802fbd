package carillon.store;

import carillon.job.ErrorCode;
import carillon.job.JobException;
import carillon.job.Precondition;
import carillon.store.job.MovedJobException;
import io.vertx.core.Future;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Retries of one change that others overtake. Each try computes the change from what it finds then;
 * there are {@link #MAX_TRIES} in all, for whatever reasons the earlier ones failed. Confined to
 * the event loop of the stores.
 */
public final class ChangeRetries {
  private static final int MAX_TRIES = 5;

  private int begun = 1;

  /** True until the first retry. */
  public boolean isFirstTry() {
    return begun == 1;
  }

  /** Makes the change, and again while such a failure ends a try that is not the last. */
  public <T> Future<T> repeat(Predicate<Throwable> isOvertaken, Supplier<Future<T>> change) {
    return repeat(isOvertaken, UnaryOperator.identity(), change);
  }

  /**
   * Makes the change, and again while such a failure ends a try that is not the last.
   *
   * @param last makes of the failure of the last try the one that the caller gets
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

  /** Makes the change again after this failure of a try, which stays where that was the last. */
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
   * Whether a change failed because the job is another than the one it was computed from, whoever
   * changed it: a condition of the client is about changes by clients.
   */
  public static boolean isMoved(Throwable failure) {
    return failure instanceof MovedJobException;
  }

  /**
   * Whether a change failed because another came first, or a condition of the client does not hold.
   */
  public static boolean isOvertaken(Throwable failure) {
    return failure instanceof JobException refusal
        && refusal.code() == ErrorCode.PRECONDITION_FAILED;
  }

  /**
   * Whether a change failed because another came first, and may be tried again: where the client
   * has set a condition, that failed, and is theirs to decide about.
   */
  public static boolean isOvertaken(Throwable failure, Precondition condition) {
    return condition.equals(Precondition.NONE) && isOvertaken(failure);
  }
}
