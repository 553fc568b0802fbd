package carillon.life;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Test of the walk: it finds bugs that the product once had when they are planted again. */
@Tag("alone")
@Tag("redis")
class PlantTest {
  private static final String STEPS = "6000";

  @TempDir Path dir;

  @ParameterizedTest
  @MethodSource("carillon.life.Plant#all")
  void itsOwnWalkFindsIt(Plant plant) throws Exception {
    String found = plant.find(dir);

    assertTrue(found.contains(plant.bug().rule() + ": "), found);
  }

  @ParameterizedTest
  @MethodSource("carillon.life.Plant#all")
  void itsOwnWalkFindsNothingWithoutIt(Plant plant) {
    try (World world = new World(plant.places(), Set.of())) {
      assertEquals(Optional.empty(), plant.directed().in(world));
    }
  }

  @ParameterizedTest
  @MethodSource("carillon.life.Plant#all")
  @Tag("search")
  void randomWalksFindIt(Plant plant) throws Exception {
    String found = plant.find(dir, STEPS);

    assertTrue(found.contains(plant.bug().rule() + ": "), found);
  }
}
