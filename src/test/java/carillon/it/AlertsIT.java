package carillon.it;

import static org.junit.jupiter.api.Assertions.assertFalse;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.RedisServer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Test of the alerts of {@code GET /overview} after real calls. */
class AlertsIT extends ProcessTestBase {
  /** Address without a listener. */
  private static final String REFUSED = "127.0.0.1:9";

  @Test
  void aDestinationWhoseCallsFailNeedsAttentionOnAllNodes() {
    try (RedisServer redis = RedisServer.start();
        CarillonProcess node = start(on(redis));
        CarillonProcess other = start(on(redis))) {
      assertFalse(what(other).contains("Calls of " + REFUSED + " fail"));
      for (int i = 0; i < 6; i++) {
        node.send("PUT", Jobs.PATH + "refused" + i, Jobs.now("http://" + REFUSED + "/"));
      }

      Await.until(
          "the alert of the destination",
          PATIENCE,
          () -> what(other).contains("Calls of " + REFUSED + " fail"));
      Await.until(
          "the alert of all attempts",
          PATIENCE,
          () -> what(other).contains("100 % of attempts fail"));
    }
  }

  private static List<String> what(CarillonProcess node) {
    JsonNode attention = Jobs.read(node.get("/overview").body()).get("attention");
    return StreamSupport.stream(attention.spliterator(), false)
        .map(item -> item.get("what").textValue())
        .toList();
  }
}
