package carillon.api.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.RawHttp;
import carillon.api.TestLimits;
import carillon.api.admin.DescriptionRoutes;
import carillon.api.edge.ConnectionTimeouts;
import carillon.support.Await;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of answers that are sent repeatedly. */
class ApiResponseTest extends WithEventLoop {
  private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

  private final Buffer body = Buffer.buffer("[" + "1111,".repeat(1000) + "1]");
  private final ApiResponse once = new ApiResponse(200, body, JSON);
  private final ApiResponse constant = once.constant().with(Map.of("ETag", "\"e\""));

  private byte[] get(int port, String path) throws IOException {
    try (Socket socket = RawHttp.connect(port)) {
      String request =
          "GET "
              + path
              + " HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return socket.getInputStream().readAllBytes();
    }
  }

  /** A changed body appears only in forms that are created again. */
  @ParameterizedTest
  @ValueSource(strings = {"", "?pretty"})
  void formsOfAConstantBodyAreMadeOnce(String query) throws IOException {
    int port =
        listen(
            new ConnectionTimeouts(Duration.ofMinutes(1), System::nanoTime, TestLimits.admission()),
            request -> (request.path().equals("/constant") ? constant : once).send(request));
    byte[] first = get(port, "/constant" + query);
    byte[] firstOnce = get(port, "/once" + query);

    body.setString(1, "2222");

    assertArrayEquals(first, get(port, "/constant" + query));
    assertFalse(Arrays.equals(firstOnce, get(port, "/once" + query)));
  }

  @Test
  void theDescriptionOfTheApiIsConstant() {
    DescriptionRoutes description = new DescriptionRoutes("test", vertx);

    assertTrue(Await.result(description.product(null)).kept().isPresent());
    assertTrue(Await.result(description.openApi(null)).kept().isPresent());
    assertTrue(Await.result(description.openApiJson(null)).kept().isPresent());
  }
}
