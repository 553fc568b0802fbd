package carillon.node;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watchdog that ends the process when its heap is full, as {@code -XX:+ExitOnOutOfMemoryError}
 * does: an event loop that lost a callback to an {@link OutOfMemoryError} goes on, answers nobody,
 * and holds what other nodes could do. Whoever supervises the process starts it again; a jar cannot
 * carry options of the virtual machine.
 */
public final class HeapPressure {
  /** As the option has it. */
  static final int EXIT_CODE = 3;

  private static final Logger LOG = LoggerFactory.getLogger(HeapPressure.class);
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Where so much is not to be had, even after a collection, nothing useful is done any more. */
  private static final int PROBE_BYTES = 256 * 1024;

  /** Written so that the allocation is not optimized away. */
  private static volatile byte[] probe;

  /** Given up so that the process can end: also that takes some of the heap. */
  private static volatile byte[] reserve = new byte[2 * PROBE_BYTES];

  private HeapPressure() {}

  /** Begins to watch; for as long as the process lives. */
  public static void start() {
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> ended(failure));
    Thread thread = new Thread(HeapPressure::watch, "heap-watch");
    thread.setDaemon(true);
    thread.start();
  }

  private static void watch() {
    try {
      while (probe == null && reserve != null) {
        LockSupport.parkNanos(EVERY_NANOS);
        probe = new byte[PROBE_BYTES];
        probe = null;
      }
    } catch (OutOfMemoryError e) {
      halt();
    }
  }

  /**
   * Handles the uncaught error of a thread: ends the process if it is an {@link OutOfMemoryError}.
   * Netty's subclass of that is about its own pools, not the heap.
   */
  static void ended(Throwable failure) {
    if (failure.getClass() == OutOfMemoryError.class) {
      halt();
    }
    LOG.atError().setCause(failure).log("a thread ended with an uncaught error");
  }

  private static void halt() {
    reserve = null;
    try {
      System.err.println("carillon: the heap is full, ending; give Java more of it (-Xmx)");
    } finally {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }
}
