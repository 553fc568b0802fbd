package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the API tells of the nodes, and a node that does not serve it. */
class NodesApiTest {
  private static final long NOW = ApiServer.START.toEpochMilli();

  private static void listed(ApiServer api, String list, String node, long beat) {
    api.redis.eval(
        "return '' .. redis.call('ZADD', 'carillon:" + list + "', " + beat + ", '" + node + "')");
  }

  private static void record(ApiServer api, String node, String state) {
    api.redis.eval(
        "return '' .. redis.call('HSET', 'carillon:node:"
            + node
            + "', 'roles', 'api,timer+dispatch', 'version', '1.2', 'started', '2026-11-20T08:00:00Z',"
            + " 'beat', '2026-11-20T18:00:00Z', 'lease', 'PT10S', 'state', '"
            + state
            + "', 'ranks', '22,21,20,1', 'inFlight', 17, 'takenOver', 3)");
  }

  private static JsonObject get(ApiServer api, String path) {
    HttpResponse<String> answer = api.send("GET", path, null);
    assertEquals(200, answer.statusCode(), answer.body());
    return new JsonObject(answer.body());
  }

  @Test
  void everyNodeOnTheRedisIsTold() {
    try (ApiServer api = new ApiServer()) {
      listed(api, "nodes", "A", NOW - 2000);
      record(api, "A", "working");
      listed(api, "nodes", "silent", NOW - 10_001);
      record(api, "silent", "working");
      listed(api, "bystanders", "stopping", NOW - 1000);
      record(api, "stopping", "leaving");
      listed(api, "nodes", "older", NOW);

      JsonArray nodes = get(api, "/nodes").getJsonArray("value");

      assertEquals(
          new JsonObject(
              """
              {"id": "A", "state": "alive", "lastBeat": "2026-11-20T17:59:58Z", "roles": ["api", "timer+dispatch"],
               "version": "1.2", "started": "2026-11-20T08:00:00Z", "partitionsByRank": [22, 21, 20, 1],
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
  }

  @Test
  void theListGoesOnWhereThePageEnds() {
    try (ApiServer api = new ApiServer()) {
      List.of("a", "B", "c").forEach(node -> listed(api, "nodes", node, NOW));

      JsonObject first = get(api, "/nodes?$top=2");
      String next = first.getString("nextLink");
      JsonObject second = get(api, next.substring(next.indexOf("/nodes")));

      assertEquals("B", first.getJsonArray("value").getJsonObject(0).getString("id"));
      assertEquals("a", first.getJsonArray("value").getJsonObject(1).getString("id"));
      assertEquals("c", second.getJsonArray("value").getJsonObject(0).getString("id"));
      assertEquals(1, second.getJsonArray("value").size());
      assertEquals(null, second.getString("nextLink"));
      assertEquals(1, get(api, "/nodes?$skip=2").getJsonArray("value").size());
    }
  }

  @Test
  void theListIsOnlyRead() {
    try (ApiServer api = new ApiServer()) {
      HttpResponse<String> answer = api.send("DELETE", "/nodes", null);

      assertEquals(405, answer.statusCode());
      assertEquals("GET", answer.headers().firstValue("Allow").orElse(""));
      assertEquals(400, api.send("GET", "/nodes?$top=0", null).statusCode());
    }
  }

  @Test
  void aNodeWithoutTheApiTellsOfTheNodesAndRefusesTheRest() {
    try (ApiServer api = ApiServer.withoutApi()) {
      for (String path : List.of("/nodes", "/health/live", "/health/ready", "/", "/openapi.yaml")) {
        assertEquals(200, api.send("GET", path, null).statusCode(), path);
      }
      for (String path :
          List.of("/jobcollections/default/jobs/j", "/preview", "/subscriptions/s")) {
        HttpResponse<String> answer = api.send("PUT", path, "{}");
        assertEquals(421, answer.statusCode(), path);
        assertTrue(answer.body().contains("\"code\":\"MisdirectedRequest\""), answer.body());
        assertTrue(answer.body().contains("node.roles"), answer.body());
      }
    }
  }
}
