package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.SettingsLoader;
import carillon.node.Node;
import carillon.support.Await;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A whole node whose operator switched queues in Redis off. */
class QueuesSwitchedOffTest {
  private Node app;

  @BeforeEach
  void start() {
    RedisServer.shared().flush();
    app =
        Await.result(
            Node.start(
                SettingsLoader.load(
                    List.of(),
                    Map.of(
                        "CARILLON_HTTP_PORT", "0",
                        "CARILLON_PARTITIONS", "4",
                        "CARILLON_QUEUES_REDIS", "false")),
                List.of(RedisServer.shared().uri()),
                false));
  }

  @AfterEach
  void stop() {
    Await.result(app.stop());
  }

  @Test
  void jobsThatWouldFillThemAreRefused() throws Exception {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create(
                            "http://127.0.0.1:" + app.port() + "/jobcollections/default/jobs/j"))
                    .header("Content-Type", "application/json")
                    .PUT(
                        BodyPublishers.ofString(
                            JobJson.of(
                                    "redisList",
                                    "redisList",
                                    new JsonObject().put("list", "l").put("message", "m"))
                                .json()))
                    .build(),
                BodyHandlers.ofString());

    assertEquals(400, answer.statusCode(), answer.body());
    assertTrue(
        answer.body().contains("action: queues in Redis are switched off here (queues.redis)"),
        answer.body());
  }
}
