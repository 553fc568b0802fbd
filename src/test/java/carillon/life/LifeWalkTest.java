package carillon.life;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random walks over the life of jobs, from fixed seeds. Longer ones, and others: {@code
 * -Dcarillon.walk.steps=100000 -Dcarillon.walk.seed=7}, and {@code -Dcarillon.walk.theme=GATES} for
 * one theme.
 */
class LifeWalkTest {
  private static final long SEED = Long.getLong("carillon.walk.seed", 1);
  private static final long STEPS = Long.getLong("carillon.walk.steps", 1680);
  private static final String THEME = System.getProperty("carillon.walk.theme", "");

  private static Walker walker;

  @BeforeAll
  static void start() {
    walker = new Walker();
  }

  @AfterAll
  static void stop() {
    walker.close();
  }

  @ParameterizedTest
  @EnumSource
  void whatMustHoldHolds(Theme theme) {
    if (THEME.isEmpty() || THEME.equals(theme.name())) {
      assertEquals("", walker.walk(theme, SEED, STEPS).orElse(""));
    }
  }
}
