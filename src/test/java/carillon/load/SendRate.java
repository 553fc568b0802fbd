package carillon.load;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToLongFunction;

/** Says which job is to be sent next, and when. Thread-safe: every event loop asks. */
public interface SendRate {
  /** There is nothing more to send. */
  int END = -1;

  /** Nothing is to be sent yet. */
  int LATER = -2;

  /** The number of the job to send now, from 0 on, or {@link #END} or {@link #LATER}. */
  int next();

  /** So many, as fast as they are answered. */
  static SendRate count(int jobs) {
    AtomicInteger next = new AtomicInteger();
    return () -> {
      int index = next.getAndIncrement();
      return index < jobs ? index : END;
    };
  }

  /** As fast as they are answered, until an instant of {@link EpochMicros}. */
  static SendRate until(long end) {
    AtomicInteger next = new AtomicInteger();
    return () -> EpochMicros.now() < end ? next.getAndIncrement() : END;
  }

  /**
   * Each at its time.
   *
   * @param sendAt of a job, in {@link EpochMicros}; never falls
   */
  static SendRate timed(int jobs, IntToLongFunction sendAt) {
    AtomicInteger next = new AtomicInteger();
    return () -> {
      while (true) {
        int index = next.get();
        if (index >= jobs) {
          return END;
        }
        if (EpochMicros.now() < sendAt.applyAsLong(index)) {
          return LATER;
        }
        if (next.compareAndSet(index, index + 1)) {
          return index;
        }
      }
    };
  }
}
