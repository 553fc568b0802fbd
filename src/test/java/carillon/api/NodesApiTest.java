package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Test of the list of nodes, and of a node that does not serve the API. */
class NodesApiTest extends WithApi {
  private static final long NOW = ApiServer.START.toEpochMilli();

  private void listed(String list, String node, long beat) {
    api.redis.ask("ZADD carillon:" + list + " " + beat + " " + node);
  }

  private void record(String node, String state) {
    api.redis.ask(
        "HSET carillon:node:%s roles api,timer+dispatch version 1.2 started 2026-11-20T08:00:00Z"
                .formatted(node)
            + " beat 2026-11-20T18:00:00Z lease PT10S ranks 22,21,20,1 tzdata 2026a inFlight 17 takenOver 3 format 1"
            + " state "
            + state);
  }

  private JsonObject get(String path) {
    return api.get(path).assertStatus(200).json();
  }

  @Test
  void everyNodeOnTheRedisIsTold() {
    listed("nodes", "A", NOW - 2000);
    record("A", "working");
    listed("nodes", "silent", NOW - 10_001);
    record("silent", "working");
    listed("idle", "stopping", NOW - 1000);
    record("stopping", "leaving");
    listed("nodes", "older", NOW);

    JsonArray nodes = get("/nodes").getJsonArray("value");

    assertEquals(
        new JsonObject(
            """
            {"id": "A", "state": "alive", "lastBeat": "2026-11-20T17:59:58Z", "roles": ["api", "timer+dispatch"],
             "version": "1.2", "tzdata": "2026a", "started": "2026-11-20T08:00:00Z", "partitionsByRank": [22, 21, 20, 1],
             "inFlight": 17, "takenOver": 3}"""),
        nodes.getJsonObject(0));
    assertEquals(
        new JsonObject(
            "{\"id\": \"older\", \"state\": \"unknown\", \"lastBeat\": \"2026-11-20T18:00:00Z\"}"),
        nodes.getJsonObject(1));
    assertEquals(
        List.of("alive", "unknown", "dead", "leaving"),
        nodes.stream().map(node -> ((JsonObject) node).getString("state")).toList());
  }

  @Test
  void theListGoesOnWhereThePageEnds() {
    List.of("a", "B", "c").forEach(node -> listed("nodes", node, NOW));

    JsonObject first = get("/nodes?$top=2");
    String next = first.getString("nextLink");
    JsonObject second = get(next.substring(next.indexOf("/nodes")));

    assertEquals("B", first.getJsonArray("value").getJsonObject(0).getString("id"));
    assertEquals("a", first.getJsonArray("value").getJsonObject(1).getString("id"));
    assertEquals("c", second.getJsonArray("value").getJsonObject(0).getString("id"));
    assertEquals(1, second.getJsonArray("value").size());
    assertEquals(null, second.getString("nextLink"));
    assertEquals(1, get("/nodes?$skip=2").getJsonArray("value").size());
  }

  @Test
  void theListIsOnlyRead() {
    Answer answer = api.delete("/nodes").assertStatus(405);

    assertEquals("GET, HEAD, OPTIONS", answer.header("Allow"));
    api.get("/nodes?$top=0").assertStatus(400);
  }

  @Test
  void aNodeWithoutTheApiTellsOfTheNodesAndRefusesTheRest() {
    try (ApiServer bystander = new ApiServer(setup -> setup.roles = "timer+dispatch")) {
      for (String path : List.of("/nodes", "/health/live", "/health/ready", "/", "/openapi.yaml")) {
        assertEquals(200, bystander.get(path).status(), path);
      }
      for (String path :
          List.of("/jobcollections/default/jobs/j", "/preview", "/subscriptions/s")) {
        Answer answer = bystander.put(path, "{}");
        assertEquals(421, answer.status(), path);
        answer.assertContains("`code`:`MisdirectedRequest`", "node.roles");
      }
    }
  }
}
