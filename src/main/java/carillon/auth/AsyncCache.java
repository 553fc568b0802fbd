package carillon.auth;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What was found out lately, or is being found out; each for a bounded time. What is asked for by
 * several requests at once is looked up once. A failure is not remembered. Confined to one event
 * loop.
 */
final class AsyncCache<T> {
  private static final int MOST = 10_000;

  private final long keptNanos;
  private final LongSupplier nanoClock;
  private final Map<String, Entry<T>> entries = new LinkedHashMap<>();

  private record Entry<T>(Future<T> value, long sinceNanos) {}

  AsyncCache(Duration kept, LongSupplier nanoClock) {
    this.keptNanos = kept.toNanos();
    this.nanoClock = nanoClock;
  }

  /** What is known under this name; counted from when it was asked for, not from the answer. */
  Future<T> get(String name, Supplier<Future<T>> lookup) {
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

  /** Is to be looked up again. */
  void forget(String name) {
    entries.remove(name);
  }
}
