package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.support.CarillonProcess;
import carillon.support.NodeClient;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client that Microsoft made for the retired service, npm azure-arm-scheduler. */
class ArmClientIT {
  @TempDir Path dir;

  @Test
  void everyOperationOfTheClientWorks() {
    NodeClient client = NodeClient.require("arm");
    try (CarillonProcess node = CarillonProcess.start(dir, Map.of())) {
      List<JsonNode> answers = client.run(Duration.ofSeconds(60), node.base().toString());

      assertEquals(201, answers.get(0).path("status").asInt(), answers::toString);
      assertEquals("West US", answers.get(1).path("result").path("location").asText());
    }
  }
}
