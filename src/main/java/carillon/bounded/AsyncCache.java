package carillon.bounded;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Cache of lookups: their results, and those under way, by name, each for a bounded time. What is
 * asked for by several requests at once is looked up once. A failure is not remembered. Of {@value
 * #MAX_ENTRIES} entries, the one that was not used for longest makes room. Confined to one event
 * loop.
 */
public final class AsyncCache<T> {
  private static final int MAX_ENTRIES = 10_000;

  private final long keptNanos;
  private final LongSupplier nanoClock;
  private final boolean waitsForSlow;
  private final Map<String, Entry<T>> entries = new LruMap<>(MAX_ENTRIES);

  private record Entry<T>(Future<T> value, long sinceNanos) {}

  /**
   * An empty cache.
   *
   * @param kept how long a result is used, from when it was asked for
   * @param nanoClock nanoseconds; where it goes back, nothing that was asked for later is used
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
   * An empty cache of lookups that may take longer than their results are used: while one is under
   * way no second one begins. Not for what must not be older than the time says, such as keys.
   */
  public static <T> AsyncCache<T> ofSlowLookups(Duration kept, LongSupplier nanoClock) {
    return new AsyncCache<>(kept, nanoClock, true);
  }

  /** The cached result under this name, or else that of the lookup. */
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

  /** Removes the result under this name, so that it is looked up again. */
  public void forget(String name) {
    entries.remove(name);
  }
}
