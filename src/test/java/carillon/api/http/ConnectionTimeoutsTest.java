package carillon.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.api.ApiServer;
import carillon.api.RawHttp;
import carillon.support.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How long connections are waited for. */
class ConnectionTimeoutsTest extends WithEventLoop {
  private static final byte[] REQUEST =
      "GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int END = -1;

  private final AtomicLong nanos = new AtomicLong();
  private final ConnectionTimeouts patience =
      new ConnectionTimeouts(Duration.ofMinutes(1), nanos::get, ApiServer.admission());

  @Test
  void theFirstRequestIsWaitedForLessLong() throws IOException {
    int port = listen(patience, request -> request.response().end());
    try (Socket silent = RawHttp.connect(port);
        Socket used = RawHttp.connect(port)) {
      ask(used);
      pass(Duration.ofSeconds(11));

      assertEquals(END, silent.getInputStream().read());

      ask(used);
      pass(Duration.ofSeconds(59));
      ask(used);
      pass(Duration.ofSeconds(61));

      assertEquals(END, used.getInputStream().read());
    }
  }

  private static void ask(Socket socket) throws IOException {
    socket.getOutputStream().write(REQUEST);
    String answer = "";
    while (!answer.endsWith("\r\n\r\n")) {
      answer += (char) socket.getInputStream().read();
    }
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    Promise<Void> enforced = Promise.promise();
    loop.runOnContext(
        go -> {
          patience.enforce();
          enforced.complete();
        });
    Future<Void> done = enforced.future();
    Await.result(done);
  }
}
