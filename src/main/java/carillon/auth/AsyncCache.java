package carillon.auth;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Cache of asynchronous lookups: keeps each value for a bounded time, and looks a name up once for
 * all who ask at the same time. Does not keep failures. Holds 10,000 names; the oldest goes first.
 * Confined to one event loop.
 */
public final class AsyncCache<T> {
  private static final int MOST = 10_000;

  private final long keptNanos;
  private final LongSupplier nanoClock;
  private final Map<String, Entry<T>> entries = new LinkedHashMap<>();

  private record Entry<T>(Future<T> value, long sinceNanos) {}

  /**
   * An empty cache.
   *
   * @param kept how long a value is kept, counted from when it was asked for
   */
  public AsyncCache(Duration kept, LongSupplier nanoClock) {
    this.keptNanos = kept.toNanos();
    this.nanoClock = nanoClock;
  }

  /** The value of the name: the one that is kept, or else that of a new lookup. */
  public Future<T> get(String name, Supplier<Future<T>> lookup) {
    long now = nanoClock.getAsLong();
    Entry<T> known = entries.get(name);
    if (known != null && now - known.sinceNanos < keptNanos) {
      return known.value;
    }
    Future<T> value = lookup.get();
    entries.remove(name);
    if (entries.size() >= MOST) {
      entries.remove(entries.keySet().iterator().next());
    }
    Entry<T> entry = new Entry<>(value, now);
    entries.put(name, entry);
    return value.onFailure(failure -> entries.remove(name, entry));
  }

  /** Removes the name, so that it is looked up again. */
  void forget(String name) {
    entries.remove(name);
  }
}
