package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.JobJson;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Test of a whole node whose operator switched queues in Redis off. */
class QueuesSwitchedOffTest extends NodeFixture {
  @Test
  void jobsThatWouldFillThemAreRefused() {
    start(Map.of("CARILLON_QUEUES_REDIS", "false"));
    JsonObject list = new JsonObject().put("list", "l").put("message", "m");

    HttpResponse<String> answer =
        send(
            "PUT",
            "/jobcollections/default/jobs/j",
            JobJson.of("redisList", "redisList", list).json(),
            "Content-Type",
            "application/json");

    assertEquals(400, answer.statusCode(), answer.body());
    assertTrue(
        answer.body().contains("action: queues in Redis are switched off here (queues.redis)"),
        answer.body());
  }
}
