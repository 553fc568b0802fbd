package carillon.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.CarillonProcess;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Test that a node accepts everything shown on the page of recipes. */
class RecipesIT extends ProcessTestBase {
  private static final Pattern PART = Pattern.compile("(?m)^\\| [^|]+ \\| `(\"(?:[^`]*))` \\|$");

  /** Address without a listener. */
  private static final String TARGET = "http://127.0.0.1:9";

  @Test
  void everyCommandIsAccepted() throws Exception {
    try (CarillonProcess node = start()) {
      String commands =
          String.join("\n", PageCommands.of("recipes.md"))
              .replace("http://127.0.0.1:8080", node.base().toString())
              .replace("http://127.0.0.1:9000", TARGET);

      PageCommands.run(dir, "curl() { command curl -sS --fail-with-body \"$@\"; }\n" + commands);
    }
  }

  @Test
  void everyPartOfAJobIsAccepted() {
    List<String> parts =
        PART.matcher(PageCommands.text("recipes.md")).results().map(row -> row.group(1)).toList();
    assertTrue(parts.size() >= 10, parts::toString);
    try (CarillonProcess node = start()) {
      for (String part : parts) {
        String job = "{\"action\": {\"request\": {\"uri\": \"" + TARGET + "\"}}, " + part + "}";
        var answer = node.send("PUT", Jobs.PATH + "part", job);
        assertTrue(answer.statusCode() < 300, () -> part + ": " + answer.body());
      }
    }
  }
}
