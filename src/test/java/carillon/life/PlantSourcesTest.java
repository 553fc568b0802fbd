package carillon.life;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@link PlantTest} plants fits the sources as they are. */
class PlantSourcesTest {
  @TempDir Path dir;

  @ParameterizedTest
  @EnumSource
  void aPlantedBugCompiles(Plant plant) {
    assertDoesNotThrow(() -> plant.front(dir));
  }
}
