package carillon.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.api.ApiServer;
import carillon.support.Await;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long connections are waited for. */
class ConnectionTimeoutsTest {
  private static final byte[] REQUEST =
      "GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int END = -1;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final AtomicLong nanos = new AtomicLong();
  private final ConnectionTimeouts patience =
      new ConnectionTimeouts(Duration.ofMinutes(1), nanos::get, ApiServer.admission());

  @AfterEach
  void stop() {
    Await.result(vertx.close());
  }

  @Test
  void theFirstRequestIsWaitedForLessLong() throws IOException {
    int port = listen();
    try (Socket silent = connect(port);
        Socket used = connect(port)) {
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

  private int listen() {
    Promise<HttpServer> server = Promise.promise();
    loop.runOnContext(
        go ->
            vertx
                .createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false))
                .connectionHandler(patience::opened)
                .requestHandler(
                    request -> {
                      patience.begun(request.connection());
                      request.response().end();
                    })
                .listen(0, "127.0.0.1")
                .onComplete(server));
    return Await.result(server.future()).actualPort();
  }

  private static Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(30_000);
    return socket;
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
