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
 * does. An event loop that lost a callback to an {@link OutOfMemoryError} continues, answers
 * nobody, and keeps work from other nodes. The supervisor of the process starts it again. A jar
 * cannot carry options of the virtual machine.
 */
public final class HeapPressure {
  /** Exit code of the process, the same as with {@code -XX:+ExitOnOutOfMemoryError}. */
  static final int EXIT_CODE = 3;

  private static final Logger LOG = LoggerFactory.getLogger(HeapPressure.class);
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Size of the probe. If it cannot be allocated, even after a collection, the node does no more
   * useful work.
   */
  private static final int PROBE_BYTES = 256 * 1024;

  /** Written so that the allocation is not optimized away. */
  private static volatile byte[] probe;

  private static final byte[] MESSAGE =
      "carillon: the heap is full, ending; give Java more of it (-Xmx)\n"
          .getBytes(StandardCharsets.US_ASCII);

  /** Standard error. {@link System#err} would need heap to write. */
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
   * Makes the virtual machine load the classes of {@link Runtime#halt}. A class that is first
   * needed when the heap is full cannot be loaded, and a released reserve would immediately be
   * taken by other threads. After this call, a halt needs no heap.
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
      // standard error is closed; the exit code remains
    } finally {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }
}
