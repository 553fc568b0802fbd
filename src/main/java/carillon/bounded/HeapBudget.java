package carillon.bounded;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Maximum number of bytes of the heap that all requests of one kind may hold at a time.
 * Thread-safe.
 */
public final class HeapBudget {
  private final long limit;
  private final AtomicLong taken = new AtomicLong();

  /**
   * Creates an unused budget.
   *
   * @param limit in bytes
   */
  public HeapBudget(long limit) {
    this.limit = limit;
  }

  /** Takes a number of bytes. Returns false, and takes nothing, if too few remain. */
  public boolean take(long bytes) {
    if (taken.addAndGet(bytes) > limit) {
      taken.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  /** Number of taken bytes. */
  public long taken() {
    return taken.get();
  }

  /** Returns bytes to the budget. */
  public void giveBack(long bytes) {
    taken.addAndGet(-bytes);
  }
}
