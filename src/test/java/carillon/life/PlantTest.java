package carillon.life;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The walk sees: bugs that the product once had are found when they are planted again. */
@Tag("alone")
class PlantTest {
  private static final String STEPS = "6000";

  @TempDir Path dir;

  @ParameterizedTest
  @EnumSource
  void itsOwnWalkFindsIt(Plant plant) throws Exception {
    String found = plant.find(dir);

    assertTrue(found.contains(plant.rule() + ": "), found);
  }

  @ParameterizedTest
  @EnumSource
  void itsOwnWalkFindsNothingWithoutIt(Plant plant) {
    try (World world = new World(plant.places(), Set.of())) {
      assertEquals(Optional.empty(), plant.directed().in(world));
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("search")
  void randomWalksFindIt(Plant plant) throws Exception {
    String found = plant.find(dir, STEPS);

    assertTrue(found.contains(plant.rule() + ": "), found);
  }
}
