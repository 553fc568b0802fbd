package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import carillon.support.NodeClient;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Test of {@code openapi.yaml} with Redocly (npm {@code @redocly/openapi-core}) against rules of
 * OpenAPI 3.1. The file {@code src/test/clients/openapi/redocly.yaml} selects them.
 */
class OpenApiLintIT {
  private static final Path DESCRIPTION = Path.of("src/main/resources/openapi.yaml");

  @TempDir Path dir;

  private static List<JsonNode> problems(Path description) {
    return NodeClient.require("openapi")
        .run(Duration.ofMinutes(2), "lint", description.toAbsolutePath().toString());
  }

  @Test
  void theDescriptionBreaksNoRule() {
    assertEquals("", lines(problems(DESCRIPTION)));
  }

  private static String lines(List<JsonNode> problems) {
    return problems.stream().map(JsonNode::toString).collect(Collectors.joining("\n"));
  }

  /**
   * Each change is valid YAML. The comma ends the description and begins a property, the example
   * has another type, and two operations have the same name.
   */
  @Test
  void whatBreaksARuleIsFound() throws IOException {
    String broken = Files.readString(DESCRIPTION);
    broken = replace(broken, "description: The scheme.", "description: The scheme, if any.");
    broken = replace(broken, "example: default/default", "example: 7");
    broken = replace(broken, "operationId: getProduct", "operationId: getOverview");

    List<JsonNode> problems = problems(Files.writeString(dir.resolve("openapi.yaml"), broken));

    assertEquals(
        Set.of("struct", "no-invalid-parameter-examples", "operation-operationId-unique"),
        problems.stream().map(problem -> problem.path("rule").asText()).collect(Collectors.toSet()),
        () -> lines(problems));
  }

  private static String replace(String text, String part, String other) {
    String replaced = text.replace(part, other);
    assertNotEquals(text, replaced, part);
    return replaced;
  }
}
