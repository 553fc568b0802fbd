package carillon.api.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Test of connections that arrive faster than they are accepted. */
class AcceptLimitTest {
  /** Number of connections, more than may wait for an event loop. */
  private static final int CROWD = AcceptLimit.MAX_OPENING + 200;

  private static final byte[] REQUEST =
      "GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger opened = new AtomicInteger();
  private final List<Socket> sockets = new ArrayList<>();
  private AcceptLimit limit;
  private Vertx vertx;

  /** Serves on one event loop; returns the port. */
  private int listen(int perAddress) {
    limit = new AcceptLimit(perAddress, nanos::get);
    vertx = Vertx.builder().withTransport(limit.transport()).build();
    HttpServer server =
        vertx
            .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
            .connectionHandler(connection -> opened.incrementAndGet())
            .requestHandler(request -> request.response().end());
    return Await.result(server.listen()).actualPort();
  }

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    Await.result(vertx.close());
  }

  private Socket connect(int port, String from) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(from, 0));
    socket.setSoTimeout(30_000);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    sockets.add(socket);
    return socket;
  }

  private static boolean isServed(Socket socket) throws IOException {
    try {
      socket.getOutputStream().write(REQUEST);
      String answer = "";
      for (int read = 0; read >= 0 && !answer.endsWith("\r\n\r\n"); answer += (char) read) {
        read = socket.getInputStream().read();
      }
      return answer.startsWith("HTTP/1.1 200");
    } catch (SocketException reset) {
      return false;
    }
  }

  @Test
  void anAddressOpensSoManyInASecondAndOthersAreServed() throws IOException {
    int port = listen(2);

    assertTrue(isServed(connect(port, "127.0.0.1")));
    assertTrue(isServed(connect(port, "127.0.0.1")));
    assertEquals(false, isServed(connect(port, "127.0.0.1")));
    assertTrue(isServed(connect(port, "127.0.0.2")));
    assertEquals(3, opened.get());

    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertTrue(isServed(connect(port, "127.0.0.1")));
    assertTrue(isServed(sockets.get(0)), "an open one is not counted again");
  }

  @Test
  void zeroIsAnyNumber() throws IOException {
    int port = listen(0);

    for (int i = 0; i < 20; i++) {
      assertTrue(isServed(connect(port, "127.0.0.1")));
    }
  }

  /** Otherwise each connection would be a task of the event loop, ahead of later tasks. */
  @Test
  void whileTheEventLoopIsBusyTheOthersWaitInTheKernel() throws Exception {
    int port = listen(0);
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    Socket first = connect(port, "127.0.0.1");
    assertTrue(isServed(first));
    vertx
        .getOrCreateContext()
        .runOnContext(
            go -> {
              busy.countDown();
              Await.until("the end of the work", () -> free.getCount() == 0);
            });
    busy.await();

    for (int i = 0; i < CROWD; i++) {
      connect(port, "127.0.0.1");
    }
    Await.until("a full queue", () -> limit.opening() >= AcceptLimit.MAX_OPENING);
    int waiting = limit.opening();
    free.countDown();

    for (Socket socket : sockets) {
      assertTrue(isServed(socket));
    }
    assertEquals(CROWD + 1, opened.get());
    assertTrue(waiting < AcceptLimit.MAX_OPENING + 16, () -> waiting + " wait");
    Await.until("an empty queue", () -> limit.opening() == 0);
  }
}
