package carillon.engine;

import carillon.config.SettingsLoader;
import carillon.node.Node;
import carillon.support.Await;
import carillon.support.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** Fixture of a whole node on the real Redis, with settings of the test and a client of its API. */
@Tag("redis")
abstract class NodeFixture {
  private static final Map<String, String> SETTINGS =
      Map.of(
          "CARILLON_HTTP_PORT", "0",
          "CARILLON_PARTITIONS", "4",
          "CARILLON_NODE_ID", "n1",
          "CARILLON_EGRESS_LOOPBACK", "allow",
          "CARILLON_RETRY_MIN_INTERVAL", "1ms");

  private final HttpClient http = HttpClient.newHttpClient();
  private Node app;

  @BeforeEach
  final void flush() {
    RedisServer.shared().flush();
  }

  /** Starts the node with these settings in addition to the usual ones. */
  final void start(Map<String, String> more) {
    Map<String, String> settings = new TreeMap<>(SETTINGS);
    settings.putAll(more);
    app =
        Await.result(
            Node.start(
                SettingsLoader.load(List.of(), settings),
                List.of(RedisServer.shared().uri()),
                false));
  }

  @AfterEach
  final void stopNode() {
    if (app != null) {
      Await.result(app.stop());
      app = null;
    }
  }

  final HttpResponse<String> send(String method, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + app.port() + path))
            .method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
