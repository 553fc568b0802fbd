package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.LogCapture;
import carillon.support.RedisServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of a node that starts on a Redis with a key of another type, and reports it. */
class DamagedStartTest extends NodeFixture {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "calendars",
        "calendarchanges",
        "flows",
        "notices",
        "gates",
        "gatechanges",
        "nodes",
        "idle",
        "cleanup",
        "audit",
        "collections:default",
        "node:n1",
        "{1}:gates",
        "{1}:due",
        "{1}:finished",
        "{1}:lists",
        "{1}:epochs"
      })
  void theFirstNodeStartsThoughAKeyHoldsAnotherType(String key) {
    RedisServer.shared().ask("SET carillon:" + key + " x");

    start(Map.of());

    assertEquals(200, send("GET", "/jobcollections", "").statusCode());
    String answer = send("PUT", "/jobcollections/c", "{\"state\":\"disabled\"}").body();
    assertTrue(
        answer.contains("\"name\":\"c\"") || answer.contains("'carillon:" + key + "'"), answer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"calendars", "calendarchanges", "flows", "notices", "gates", "nodes", "idle"})
  void aNodeStartsThoughAKeyHoldsAnotherType(String key) {
    start(Map.of());
    stopNode();
    RedisServer.shared().ask("DEL carillon:" + key);
    RedisServer.shared().ask("SET carillon:" + key + " x");

    List<String> complaints;
    try (LogCapture log = new LogCapture()) {
      start(Map.of());
      complaints = log.complaints();
    }

    assertEquals(200, send("GET", "/jobcollections", "").statusCode());
    if (key.equals("calendars")) {
      assertTrue(complaints.toString().contains("calendars cannot be read"), complaints::toString);
    }
  }
}
