package carillon.load;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToLongFunction;

/**
 * Source of the next job to send and of its time. Thread-safe, because every event loop calls it.
 */
public interface SendRate {
  /** No more jobs to send. */
  int END = -1;

  /** No job to send yet. */
  int LATER = -2;

  /** Returns the number of the job to send now, from 0 on, or {@link #END} or {@link #LATER}. */
  int next();

  /** Returns a rate of this many jobs, as fast as they are answered. */
  static SendRate count(int jobs) {
    AtomicInteger next = new AtomicInteger();
    return () -> {
      int index = next.getAndIncrement();
      return index < jobs ? index : END;
    };
  }

  /**
   * Returns a rate without a limit of jobs, as fast as they are answered, until an instant in
   * {@link EpochMicros}.
   */
  static SendRate until(long end) {
    AtomicInteger next = new AtomicInteger();
    return () -> EpochMicros.now() < end ? next.getAndIncrement() : END;
  }

  /**
   * Returns a rate that sends each job at its time.
   *
   * @param sendAt time to send each job, in {@link EpochMicros}; never decreases
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
