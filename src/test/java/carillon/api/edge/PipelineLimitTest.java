package carillon.api.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.RawHttp;
import carillon.api.TestLimits;
import carillon.api.http.WithEventLoop;
import carillon.support.Await;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of connections that send many requests together, beside one that does not. */
class PipelineLimitTest extends WithEventLoop {
  private static final String END = " HTTP/1.1\r\nHost: h\r\n\r\n";
  private static final int READS = 400; // one-byte chunks of 2 KB, and some

  private final List<String> begun = new CopyOnWriteArrayList<>();
  private final AtomicInteger chunks = new AtomicInteger();
  private final AtomicInteger chunksBefore = new AtomicInteger();
  private int port;

  @BeforeEach
  void listen() {
    ConnectionTimeouts patience =
        new ConnectionTimeouts(Duration.ofMinutes(1), System::nanoTime, TestLimits.admission());
    port = listen(patience, this::answer);
  }

  private void answer(HttpServerRequest request) {
    begun.add(request.path());
    if (request.path().equals("/other")) {
      chunksBefore.set(chunks.get());
    }
    if (request.path().equals("/events")) {
      request.response().putHeader("Content-Type", "text/event-stream").setChunked(true).write(":");
      return;
    }
    request.handler(chunk -> chunks.incrementAndGet());
    long pause = request.path().equals("/later") ? 50 : 0;
    request
        .end()
        .compose(end -> pause == 0 ? Future.succeededFuture() : vertx.timer(pause))
        .onSuccess(passed -> request.response().end("x".repeat(1000)));
  }

  private Socket connect() throws IOException {
    Socket socket = RawHttp.connect(port);
    socket.getOutputStream().write(bytes("GET /first" + END)); // the server knows it now
    socket.getInputStream().readNBytes(1000);
    return socket;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Sends both before the server reads. */
  private void atOnce(Socket one, String many, Socket other) throws IOException {
    CompletableFuture<Void> busy = new CompletableFuture<>();
    CompletableFuture<Void> sent = new CompletableFuture<>();
    loop.runOnContext(
        go -> {
          busy.complete(null);
          sent.join();
        });
    busy.join();
    one.getOutputStream().write(bytes(many));
    other.getOutputStream().write(bytes("GET /other" + END));
    sent.complete(null);
    Await.until("the other request", () -> begun.contains("/other"));
  }

  @Test
  void othersHaveATurnBetweenTheRequestsOfAConnection() throws IOException {
    try (Socket one = connect();
        Socket other = connect()) {
      atOnce(one, ("GET /" + END).repeat(60), other);

      assertTrue(begun.indexOf("/other") <= 10, begun::toString);
      Await.until("all answers", () -> begun.size() == 63);
    }
  }

  @Test
  void othersHaveATurnBetweenThePiecesOfABody() throws IOException {
    try (Socket one = connect();
        Socket other = connect()) {
      String head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";

      atOnce(one, head + "1\r\nx\r\n".repeat(5000) + "0\r\n\r\n", other);

      assertTrue(chunksBefore.get() <= READS, chunksBefore::toString);
      Await.until("the whole body", () -> chunks.get() == 5000);
    }
  }

  @Test
  @Timeout(60)
  void whoeverDoesNotReadAnswersIsReadNoFurther() throws IOException {
    try (SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
      channel.configureBlocking(false);
      ByteBuffer requests = ByteBuffer.wrap(bytes(("GET /" + END).repeat(1000)));
      int answered = -1;
      while (answered != begun.size()) {
        answered = begun.size();
        send(channel, requests);
        LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
      }

      ByteBuffer answers = ByteBuffer.allocate(64 * 1024);
      while (begun.size() < answered + 1000) {
        channel.read(answers);
        answers.clear();
        send(channel, requests);
      }
    }
  }

  /** Sends as many requests as fit into the buffers of the connection. */
  private static void send(SocketChannel channel, ByteBuffer requests) throws IOException {
    while (channel.write(requests) > 0) {
      if (!requests.hasRemaining()) {
        requests.rewind();
      }
    }
  }

  @Test
  void requestsOfOneConnectionAreAnsweredInTheirOrder() throws IOException {
    try (Socket socket = connect()) {
      StringBuilder requests = new StringBuilder();
      for (int i = 0; i < 500; i++) {
        requests.append("POST /").append(i).append(" HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n");
        requests.append("\r\nabc");
      }
      socket.getOutputStream().write(bytes(requests.toString()));

      while (begun.size() < 501) {
        socket.getInputStream().readNBytes(1000); // its answers
      }

      for (int i = 0; i < 500; i++) {
        assertEquals("/" + i, begun.get(i + 1));
      }
    }
  }

  private static String untilClosed(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
  }

  @Test
  void aRequestForWhichThereIsNoRoomIsAnsweredAfterThoseBefore() throws IOException {
    AdmissionLimits little = TestLimits.admission(AllowedHosts.any(), 1 << 20);
    port =
        listen(
            new ConnectionTimeouts(Duration.ofMinutes(1), System::nanoTime, little), this::answer);
    try (Socket socket = RawHttp.connect(port)) {
      socket.getOutputStream().write(bytes("GET /later" + END + "GET /x" + END + "GET /y" + END));

      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

      assertTrue(all.startsWith("HTTP/1.1 200"), all);
      assertTrue(all.indexOf("HTTP/1.1 503") > 1000, all);
      assertEquals(List.of("/later"), begun);
    }
  }

  @Test
  void whoeverEndsItsSideAfterItsRequestsStillGetsTheAnswers() throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(bytes(("GET /later" + END).repeat(3)));
      socket.shutdownOutput();

      String answers = untilClosed(socket);

      assertEquals(3, answers.split("HTTP/1.1 200 OK", -1).length - 1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nab",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        "GET /cut HTTP/1.1\r\nHost: h\r\nAcc",
        "GET /cut"
      })
  void whoeverIsCutOffInARequestGetsTheAnswersToThoseBefore(String cut) throws IOException {
    for (int before = 1; before <= 3; before++) {
      try (Socket socket = connect()) {
        socket.getOutputStream().write(bytes(("GET /later" + END).repeat(before) + cut));
        socket.shutdownOutput();

        String answers = untilClosed(socket);

        assertEquals(before, answers.split("HTTP/1.1 200 OK", -1).length - 1, answers);
      }
    }
  }

  @Test
  void aConnectionWhoseClientEndsItsSideIsClosedWhenNothingIsOwed() throws IOException {
    try (Socket idle = connect();
        Socket partial = connect();
        Socket endless = connect()) {
      idle.shutdownOutput();
      partial
          .getOutputStream()
          .write(bytes("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nab"));
      partial.shutdownOutput();
      endless.getOutputStream().write(bytes("GET /events" + END));
      Await.until("the stream", () -> begun.contains("/events"));
      endless.shutdownOutput();

      untilClosed(idle);
      untilClosed(partial);
      untilClosed(endless);
    }
  }
}
