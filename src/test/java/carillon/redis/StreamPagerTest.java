package carillon.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Engine;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import io.vertx.redis.client.Command;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of pages over several streams when only few entries match. */
@Tag("redis")
class StreamPagerTest {
  private static final int ENTRIES = 2000;

  /** Returns the number of entries that the first call for a page reads in four streams. */
  private static int first(int top) {
    return 4 * (8 + 2 * top / 4);
  }

  private final AtomicInteger looked = new AtomicInteger();
  private Engine engine;

  @BeforeEach
  void start() {
    RedisServer.shared().flush();
    engine =
        new Engine(RedisServer.shared(), "a", new TestClock(Instant.parse("2026-11-20T12:00:00Z")));
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  private static String stream(int partition) {
    return Engine.KEYS.outcomes(partition);
  }

  /** Adds entries that share milliseconds. Returns their values, the newest first. */
  private List<String> add(Random random) {
    List<String> newestLast = new ArrayList<>();
    long millis = 1;
    while (newestLast.size() < ENTRIES) {
      for (int partition = 0; partition < Engine.KEYS.partitions(); partition++) {
        for (int sequence = 1; sequence <= random.nextInt(4); sequence++) {
          String value = millis + "." + partition + "." + sequence;
          String id = millis + "-" + sequence;
          engine.redis(Command.XADD, stream(partition), id, "job", "s/g/c/j", "value", value);
          newestLast.add(value);
        }
      }
      millis++;
    }
    return IntStream.range(0, newestLast.size())
        .mapToObj(i -> newestLast.get(newestLast.size() - 1 - i))
        .toList();
  }

  private StreamPager.Page<String> page(
      Predicate<String> isWanted, String after, int top, int budget) {
    looked.set(0);
    StreamPager.PageWindow window =
        new StreamPager.PageWindow(0, Long.MAX_VALUE, "", StreamPager.LOOK, budget);
    return engine.stores(
        stores ->
            new StreamPager<>(
                    stores.link(),
                    StreamPagerTest::stream,
                    window,
                    after,
                    (id, fields) -> {
                      looked.incrementAndGet();
                      return Optional.of(fields.get(3).toString());
                    },
                    isWanted,
                    value -> false)
                .page(IntStream.range(0, 4).boxed().toList(), 0, top));
  }

  @ParameterizedTest
  @CsvSource({"1, 7, 128", "2, 100, 300", "3, 5, 1", "4, 20, 1000"})
  void pagesOfBoundedWorkHaveAllThatIsWantedOnceInOrder(int seed, int top, int budget) {
    Random random = new Random(seed);
    List<String> all = add(random);
    Predicate<String> isWanted = value -> Math.floorMod(value.hashCode(), 50) == seed;
    List<String> found = new ArrayList<>();
    int pages = 0;
    Optional<String> after = Optional.of("");

    while (after.isPresent()) {
      StreamPager.Page<String> page = page(isWanted, after.get(), top, budget);

      assertTrue(looked.get() <= Math.max(first(top), budget), () -> looked + " looked at");
      assertTrue(page.entries().size() <= top);
      found.addAll(page.entries());
      after = page.after();
      pages++;
    }

    assertEquals(all.stream().filter(isWanted).toList(), found);
    assertTrue(pages > found.size() / top, () -> found.size() + " found at once");
  }
}
