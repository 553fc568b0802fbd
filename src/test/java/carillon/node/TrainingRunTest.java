package carillon.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("redis")
class TrainingRunTest {
  @Test
  void jobsAreStoredAndCalledAndNothingIsLeftBehind() throws Exception {
    List<Path> before = directories();

    TrainingRun.TrainingResult result = TrainingRun.run(Duration.ofSeconds(5));

    assertTrue(result.called() > 0, result::toString);
    assertTrue(result.accepted() >= result.called(), result::toString);
    assertEquals(before, directories());
  }

  private static List<Path> directories() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("carillon-train-"))
          .sorted()
          .toList();
    }
  }
}
