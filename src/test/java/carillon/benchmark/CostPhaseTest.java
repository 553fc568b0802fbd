package carillon.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CostPhaseTest {
  /** Without keys that plain jobs do not give, whose line says "only with" what they are given. */
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
