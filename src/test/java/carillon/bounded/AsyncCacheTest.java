package carillon.bounded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Test of a cache of three seconds, with a stopped clock. */
class AsyncCacheTest {
  private final AtomicLong nanos = new AtomicLong();
  private AsyncCache<String> cache = AsyncCache.ofSlowLookups(Duration.ofSeconds(3), nanos::get);
  private final List<Promise<String>> lookups = new ArrayList<>();

  private Future<String> get() {
    return cache.get(
        "a",
        () -> {
          lookups.add(Promise.promise());
          return lookups.get(lookups.size() - 1).future();
        });
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void noSecondLookupBeginsWhileOneIsUnderWay() {
    Future<String> first = get();
    pass(Duration.ofSeconds(10));
    Future<String> second = get();

    lookups.get(0).complete("x");

    assertEquals(1, lookups.size());
    assertEquals("x", first.result());
    assertEquals("x", second.result());
    get();
    assertEquals(2, lookups.size(), "it was asked for ten seconds ago");
  }

  @Test
  void aResultIsUsedForItsTime() {
    get();
    lookups.get(0).complete("x");
    pass(Duration.ofMillis(2999));
    assertEquals("x", get().result());
    pass(Duration.ofMillis(1));
    get();
    assertEquals(2, lookups.size());
  }

  @Test
  void aFailureAndWhatIsForgottenAreLookedUpAgain() {
    get();
    lookups.get(0).fail("down");
    get();
    cache.forget("a");
    get();
    assertEquals(3, lookups.size());
  }

  @Test
  void whatMustNotBeOlderWaitsForNoLookupThatIs() {
    cache = new AsyncCache<>(Duration.ZERO, nanos::get);

    get();
    get();

    assertEquals(2, lookups.size());
  }
}
