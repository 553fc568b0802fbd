package carillon.faults;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("redis")
class PlantedTest {
  @TempDir Path dir;

  @Test
  void theBugsFitTheScriptsAsTheyAre() throws Exception {
    for (Planted bug :
        List.of(
            Planted.CLAIM_WITHOUT_FENCE,
            Planted.FINISH_BEFORE_SEND,
            Planted.SKIPPED_RE_ARM,
            Planted.PURGES_FIRST)) {
      Path front = bug.front(dir);
      try (var scripts = Files.list(front.resolve("lua"))) {
        List<Path> changed = scripts.toList();
        assertFalse(changed.isEmpty(), bug.word());
        for (Path script : changed) {
          String name = "/lua/" + script.getFileName();
          try (var own = Planted.class.getResourceAsStream(name)) {
            assertTrue(
                Files.mismatch(script, Files.write(dir.resolve("own"), own.readAllBytes())) >= 0);
          }
        }
      }
    }
  }
}
