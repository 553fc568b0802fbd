package carillon.node;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
  /** The exit code of the process, which is that of {@code -XX:+ExitOnOutOfMemoryError}. */
  static final int EXIT_CODE = 3;

  private static final Logger LOG = LoggerFactory.getLogger(HeapPressure.class);
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Where so much is not to be had, even after a collection, nothing useful is done any more. */
  private static final int PROBE_BYTES = 256 * 1024;

  /** Written so that the allocation is not optimized away. */
  private static volatile byte[] probe;

  private static final byte[] MESSAGE =
      "carillon: the heap is full, ending; give Java more of it (-Xmx)\n"
          .getBytes(StandardCharsets.US_ASCII);

  /** Not {@link System#err}, which needs heap to write. */
  private static final FileOutputStream STDERR = new FileOutputStream(FileDescriptor.err);

  private HeapPressure() {}

  /** Begins to watch; for as long as the process lives. */
  public static void start() {
    loadShutdown();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> ended(failure));
    Thread thread = new Thread(HeapPressure::watch, "heap-watch");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Makes the virtual machine load what {@link Runtime#halt} uses: a class that is first asked for
   * when the heap is full cannot be loaded any more, and whatever a reserve gave back, other
   * threads take at once. From here on, to end takes nothing of the heap.
   */
  private static void loadShutdown() {
    Thread none = new Thread(() -> {});
    Runtime.getRuntime().addShutdownHook(none);
    Runtime.getRuntime().removeShutdownHook(none);
  }

  private static void watch() {
    try {
      while (probe == null) {
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
    try {
      STDERR.write(MESSAGE);
    } catch (IOException e) {
      // nobody reads it; the exit code tells
    } finally {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }
}
