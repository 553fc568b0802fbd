package carillon.life;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random walks over the life of jobs, from fixed seeds. Longer ones, and others: {@code
 * -Dcarillon.walk.steps=100000 -Dcarillon.walk.seed=7}, and {@code -Dcarillon.walk.theme=DISABLING}
 * for one theme.
 */
@Tag("alone")
@Tag("redis")
class LifeWalkTest {
  private static final long SEED = Long.getLong("carillon.walk.seed", 1);
  private static final long STEPS = Long.getLong("carillon.walk.steps", 800);
  private static final String THEME = System.getProperty("carillon.walk.theme", "");

  /** Number of parallel walks, each in a separate world. A walk waits more than it works. */
  private static final int SIDE_BY_SIDE = 3;

  private static final Map<Theme, Future<String>> WALKS = new EnumMap<>(Theme.class);
  private static ExecutorService walkers;

  @BeforeAll
  static void start() {
    walkers = Executors.newFixedThreadPool(SIDE_BY_SIDE);
    for (Theme theme : Theme.values()) {
      if (THEME.isEmpty() || THEME.equals(theme.name())) {
        WALKS.put(theme, walkers.submit(() -> walk(theme)));
      }
    }
  }

  private static String walk(Theme theme) {
    try (Walker walker = new Walker(() -> new World(theme.places(), Set.of()))) {
      return walker.walk(theme, SEED, STEPS).orElse("");
    }
  }

  @AfterAll
  static void stop() {
    walkers.shutdownNow();
  }

  @ParameterizedTest
  @EnumSource
  void whatMustHoldHolds(Theme theme) throws Exception {
    if (WALKS.containsKey(theme)) {
      assertEquals("", WALKS.get(theme).get());
    }
  }
}
