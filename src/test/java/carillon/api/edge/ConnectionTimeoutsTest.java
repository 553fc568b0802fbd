package carillon.api.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.RawHttp;
import carillon.api.TestLimits;
import carillon.api.http.WithEventLoop;
import carillon.support.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Test of the timeouts of connections. */
class ConnectionTimeoutsTest extends WithEventLoop {
  private static final byte[] REQUEST =
      "GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int END = -1;

  private final AtomicLong nanos = new AtomicLong();
  private final ConnectionTimeouts patience =
      new ConnectionTimeouts(Duration.ofMinutes(1), nanos::get, TestLimits.admission());

  @Test
  void theFirstRequestIsWaitedForLessLong() throws IOException {
    int port = listen(patience, request -> request.response().end());
    try (Socket silent = RawHttp.connect(port);
        Socket used = RawHttp.connect(port)) {
      ask(used);
      pass(Duration.ofSeconds(16));

      assertEquals(END, silent.getInputStream().read());

      ask(used);
      pass(Duration.ofSeconds(59));
      ask(used);
      pass(Duration.ofSeconds(66));

      assertEquals(END, used.getInputStream().read());
    }
  }

  private static String ask(Socket socket) throws IOException {
    socket.getOutputStream().write(REQUEST);
    return answer(socket);
  }

  private static String answer(Socket socket) throws IOException {
    String answer = "";
    while (!answer.endsWith("\r\n\r\n")) {
      int read = socket.getInputStream().read();
      assertTrue(read >= 0, answer);
      answer += (char) read;
    }
    return answer;
  }

  @Test
  void idleConnectionsAreToldHowLongTheyMayBeSo() throws IOException {
    int port = listen(patience, request -> request.response().end());
    try (Socket socket = RawHttp.connect(port)) {
      String answer = ask(socket);

      assertTrue(answer.contains("connection: keep-alive\r\n"), answer);
      assertTrue(answer.contains("Keep-Alive: timeout=60\r\n"), answer);
      pass(Duration.ofSeconds(62)); // closed later than announced
      ask(socket);
    }
  }

  @Test
  void aRequestThatDoesNotComeWholeIsAnswered() throws IOException {
    int port = listen(patience, request -> request.endHandler(end -> request.response().end()));
    try (Socket body = RawHttp.connect(port);
        Socket head = RawHttp.connect(port);
        Socket next = RawHttp.connect(port);
        Socket other = RawHttp.connect(port)) {
      write(body, "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc");
      write(head, "GET / HTTP/1.1\r\nHo");
      ask(next);
      write(next, "GET / HTTP/1.1\r\nHo");
      ask(other); // by now the server has read all of it

      pass(Duration.ofSeconds(16));
      assertEquals(List.of("408"), statuses(head));
      pass(Duration.ofSeconds(50));
      body.shutdownOutput(); // no more data follows
      assertEquals(List.of("408"), statuses(body));
      assertEquals(List.of("408"), statuses(next));
    }
  }

  @Test
  void aRequestWhoseAnswerIsLateIsAnswered() throws IOException {
    Promise<HttpServerRequest> asked = Promise.promise();
    int port = listen(patience, asked::complete);
    try (Socket socket = RawHttp.connect(port)) {
      socket.getOutputStream().write(REQUEST);
      Await.result(asked.future());

      pass(Duration.ofSeconds(63));

      assertEquals(List.of("503"), statuses(socket));
    }
  }

  @Test
  void requestsUnderWayAreAnsweredWhenTheServerEnds() throws IOException {
    Promise<HttpServerRequest> asked = Promise.promise();
    int port = listen(patience, asked::complete);
    try (Socket socket = RawHttp.connect(port)) {
      socket.getOutputStream().write(REQUEST);
      Await.result(asked.future());

      onLoop(patience::refuseAll);

      assertEquals(List.of("503"), statuses(socket));
    }
  }

  @Test
  void delaysOfTheEventLoopDoNotCount() throws IOException {
    int port = listen(patience, request -> request.response().end());
    try (Socket silent = RawHttp.connect(port);
        Socket used = RawHttp.connect(port)) {
      ask(used);

      nanos.addAndGet(Duration.ofMinutes(10).toNanos());
      onLoop(patience::enforce);
      onLoop(patience::enforce);

      ask(silent);
      ask(used);
    }
  }

  @Test
  void aRequestThatBeginsToArriveInTimeIsWaitedFor() throws IOException {
    int port = listen(patience, request -> request.response().end());
    try (Socket socket = RawHttp.connect(port)) {
      ask(socket);
      pass(Duration.ofSeconds(55));
      write(socket, "GET / HTTP/1.1\r\n");
      try (Socket other = RawHttp.connect(port)) {
        ask(other); // by now the server has read both
      }
      pass(Duration.ofSeconds(50));
      write(socket, "Host: h\r\n\r\n");

      assertTrue(answer(socket).startsWith("HTTP/1.1 200"));
    }
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Returns the statuses of all answers until the server closes the connection. */
  private static List<String> statuses(Socket socket) throws IOException {
    String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return Pattern.compile("HTTP/1.1 (\\d+)").matcher(all).results().map(m -> m.group(1)).toList();
  }

  /** Lets time pass as an event loop without delays sees it. */
  private void pass(Duration time) {
    long period = patience.period().toNanos();
    for (long left = time.toNanos(); left > 0; left -= period) {
      nanos.addAndGet(Math.min(left, period));
      onLoop(patience::enforce);
    }
  }

  private void onLoop(Runnable step) {
    Promise<Void> enforced = Promise.promise();
    loop.runOnContext(
        go -> {
          step.run();
          enforced.complete();
        });
    Future<Void> done = enforced.future();
    Await.result(done);
  }
}
