package carillon.bounded;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Rate limiter with a limit of calls for each name in each window of a fixed length. All windows
 * begin at multiples of their length since the epoch. Clients choose the names, so only 10,000
 * names in each window have a separate counter; all others share one. Thread-safe, without locks.
 */
public final class FixedWindowRateLimiter {
  private static final int MAX_TRACKED_NAMES = 10_000;
  private static final int MAX_NAME_LENGTH = 512;
  private static final String OVERFLOW_NAME = "";

  private final int limit;
  private final long windowSeconds;
  private final AtomicReference<Window> current = new AtomicReference<>(new Window(-1));

  private record Window(long number, Map<String, AtomicInteger> taken) {
    Window(long number) {
      this(number, new ConcurrentHashMap<>());
    }

    AtomicInteger counter(String name) {
      AtomicInteger known = taken.get(name);
      if (known != null) {
        return known;
      }
      boolean isTracked = taken.size() < MAX_TRACKED_NAMES && name.length() <= MAX_NAME_LENGTH;
      return taken.computeIfAbsent(
          isTracked ? name : OVERFLOW_NAME, missing -> new AtomicInteger());
    }
  }

  /**
   * Creates an unused limiter.
   *
   * @param limit calls for a name in a window
   * @param window whole seconds
   */
  public FixedWindowRateLimiter(int limit, Duration window) {
    this.limit = limit;
    this.windowSeconds = window.toSeconds();
  }

  /** Takes one call for the name. Returns the remaining number, or -1 if none remained to take. */
  public int take(String name, Instant now) {
    int taken = window(now).counter(name).updateAndGet(count -> count > limit ? count : count + 1);
    return limit - taken;
  }

  /** Whether no call remains for the name. */
  public boolean isUsedUp(String name, Instant now) {
    return window(now).counter(name).get() >= limit;
  }

  private Window window(Instant now) {
    long number = now.getEpochSecond() / windowSeconds;
    Window window = current.get();
    if (window.number == number) {
      return window;
    }
    Window next = new Window(number);
    return current.compareAndSet(window, next) ? next : current.get();
  }

  /** Time until the next window begins; at least a second. */
  public Duration untilRenewal(Instant now) {
    return Duration.ofSeconds(windowSeconds - now.getEpochSecond() % windowSeconds);
  }
}
