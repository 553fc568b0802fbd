package carillon.bounded;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Cache of lookups by name: their results and those under way, each for a limited time. Concurrent
 * requests for the same name share one lookup. Failures are not cached. Beyond {@value
 * #MAX_ENTRIES} entries, the least recently used one is evicted. Confined to one event loop.
 */
public final class AsyncCache<T> {
  private static final int MAX_ENTRIES = 10_000;

  private final long keptNanos;
  private final LongSupplier nanoClock;
  private final boolean waitsForSlow;
  private final Map<String, Entry<T>> entries = new LruMap<>(MAX_ENTRIES);

  private record Entry<T>(Future<T> value, long sinceNanos) {}

  /**
   * Creates an empty cache.
   *
   * @param kept how long a result is used, from the start of its lookup
   * @param nanoClock nanoseconds; if it goes back, results of later lookups are not used
   */
  public AsyncCache(Duration kept, LongSupplier nanoClock) {
    this(kept, nanoClock, false);
  }

  private AsyncCache(Duration kept, LongSupplier nanoClock, boolean waitsForSlow) {
    this.keptNanos = kept.toNanos();
    this.nanoClock = nanoClock;
    this.waitsForSlow = waitsForSlow;
  }

  /**
   * Creates an empty cache of lookups that may take longer than their results are used: no second
   * lookup begins while one is under way. Not for results with a strict age limit, such as keys.
   */
  public static <T> AsyncCache<T> ofSlowLookups(Duration kept, LongSupplier nanoClock) {
    return new AsyncCache<>(kept, nanoClock, true);
  }

  /** Returns the cached result for this name, or else starts the lookup. */
  public Future<T> get(String name, Supplier<Future<T>> lookup) {
    long now = nanoClock.getAsLong();
    Entry<T> known = entries.get(name);
    boolean isAwaited = known != null && waitsForSlow && !known.value.isComplete();
    if (isAwaited || (known != null && isFresh(known, now))) {
      return known.value;
    }
    Future<T> value = lookup.get();
    Entry<T> entry = new Entry<>(value, now);
    entries.put(name, entry);
    return value.onFailure(failure -> entries.remove(name, entry));
  }

  private boolean isFresh(Entry<T> entry, long now) {
    return now - entry.sinceNanos >= 0 && now - entry.sinceNanos < keptNanos;
  }

  /** Removes the result for this name, so that it is looked up again. */
  public void forget(String name) {
    entries.remove(name);
  }
}
