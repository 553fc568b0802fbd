package carillon.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("redis")
class CostPhaseTest {
  /**
   * Pattern of the keys in a script header. Skips lines with "only with": plain jobs do not pass
   * those keys.
   */
  private static final Pattern KEY =
      Pattern.compile("(?m)^-- KEYS\\[\\d+] \\w+ +\\{17}:(\\w++)(?!.* only with )");

  @Test
  void aScriptIsKnownByWhatItsHeaderSaysOfItsKeys() throws IOException {
    for (var script : CostPhase.SCRIPTS.entrySet()) {
      Path file = Path.of("src/main/resources/lua", script.getValue() + ".lua");
      String keys =
          KEY.matcher(Files.readString(file))
              .results()
              .map(key -> key.group(1))
              .collect(Collectors.joining(","));

      assertEquals(keys, script.getKey(), file.toString());
    }
  }
}
