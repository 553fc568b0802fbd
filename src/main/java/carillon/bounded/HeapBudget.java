package carillon.bounded;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes of the heap that all requests of one kind may hold at one time. Thread-safe. */
public final class HeapBudget {
  private final long limit;
  private final AtomicLong taken = new AtomicLong();

  /**
   * A budget from which nothing has been taken.
   *
   * @param limit in bytes
   */
  public HeapBudget(long limit) {
    this.limit = limit;
  }

  /** Takes so many bytes; false, and nothing is taken, when they are too many. */
  public boolean take(long bytes) {
    if (taken.addAndGet(bytes) > limit) {
      taken.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  /** Gives back what was taken. */
  public void giveBack(long bytes) {
    taken.addAndGet(-bytes);
  }
}
