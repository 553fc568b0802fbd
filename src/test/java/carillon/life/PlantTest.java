package carillon.life;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The walk sees: bugs that the product once had are found when they are planted again. */
@Tag("planted")
class PlantTest {
  private static final long STEPS = 6000;

  @TempDir Path dir;

  @ParameterizedTest
  @EnumSource
  void theWalkFindsIt(Plant plant) throws Exception {
    String found = plant.walk(dir, STEPS);

    assertTrue(found.contains(plant.rule() + ": "), found);
  }
}
