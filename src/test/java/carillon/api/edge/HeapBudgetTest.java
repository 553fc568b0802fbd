package carillon.api.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.Answer;
import carillon.api.ApiServer;
import carillon.api.RawHttp;
import carillon.api.TestLimits;
import carillon.support.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test of unauthenticated clients that make the API buffer their data, on a node of 4 MB. */
@Tag("redis")
class HeapBudgetTest {
  private static final long HEAP = 4 << 20;
  private static final int BODY = 200_000;

  /** Request whose answer does not end while its client is connected. */
  private static final String STREAM = "GET /console/executions HTTP/1.1\r\nHost: h\r\n\r\n";

  private static final String LIVE = "GET /health/live HTTP/1.1\r\nHost: h\r\n\r\n";

  private static ApiServer node() {
    return new ApiServer(ApiServer.OPEN, TestLimits.admission(AllowedHosts.ANY, HEAP));
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String post(int length) {
    return "PUT /jobcollections/default/jobs/j HTTP/1.1\r\nHost: h\r\nContent-Length: "
        + length
        + "\r\n\r\n";
  }

  @Test
  void largeBodiesBeyondTheBudgetWaitAndSmallOnesDoNot() throws IOException {
    try (ApiServer api = node()) {
      List<Socket> held = new ArrayList<>();
      AtomicReference<Answer> answer = new AtomicReference<>();
      Await.until(
          "a refusal",
          () -> {
            held.add(allButTheEnd(api)); // one of the previous may have been refused itself
            answer.set(api.put("/jobcollections/default/jobs/j", " ".repeat(BODY)));
            return answer.get().status() == 503;
          });
      Answer refused = answer.get();
      assertEquals("1", refused.header("Retry-After"));
      refused.assertContains("ServerBusy");
      api.put("/jobcollections/default/jobs/j", " ".repeat(5000)).assertStatus(400);

      for (Socket socket : held) {
        socket.close();
      }

      Await.until(
          "room",
          () -> api.put("/jobcollections/default/jobs/j", " ".repeat(BODY)).status() == 400);
    }
  }

  private static Socket allButTheEnd(ApiServer api) {
    try {
      Socket socket = RawHttp.connect(api.port());
      send(socket, post(BODY) + " ".repeat(BODY - 1));
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void anAnnouncedBodyTakesNothing() throws IOException {
    try (ApiServer api = node()) {
      List<Socket> held = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        Socket socket = RawHttp.connect(api.port());
        send(socket, post(BODY) + " ");
        held.add(socket);
      }

      api.put("/jobcollections/default/jobs/j", " ".repeat(BODY)).assertStatus(400);

      for (Socket socket : held) {
        socket.close();
      }
    }
  }

  @Test
  void aRequestOfVeryManyHeadersIsRefused() {
    try (ApiServer api = node()) {
      String most = "GET /health/live HTTP/1.1\r\nConnection: close\r\nHost: h\r\n";

      assertTrue(api.sendRaw(most + "a:b\r\n".repeat(98) + "\r\n").startsWith("HTTP/1.1 200 "));
      assertTrue(api.sendRaw(most + "a:b\r\n".repeat(99) + "\r\n").startsWith("HTTP/1.1 431 "));
    }
  }

  @Test
  void whoeverWaitsForAnswersMaySendMoreRequests() {
    try (ApiServer api = node()) {
      String request =
          "GET /health/live HTTP/1.1\r\nHost: h\r\nUser-Agent: " + "x".repeat(250) + "\r\n";

      String answers =
          api.sendRaw((request + "\r\n").repeat(99) + request + "Connection: close\r\n\r\n");

      assertEquals(101, answers.split("HTTP/1.1 200 ", -1).length);
    }
  }

  @Test
  void onlySoManyConnectionsMayLetRequestsWait() throws IOException {
    try (ApiServer api = node()) {
      // The server decides which one is too many after it sent the first bytes of the answer.
      List<Socket> sockets = List.of(waiting(api), waiting(api), waiting(api));
      AtomicReference<List<Socket>> open = new AtomicReference<>();
      Await.until(
          "the end of one too many",
          () -> {
            open.set(sockets.stream().filter(socket -> !isClosed(socket)).toList());
            return open.get().size() == 2;
          });
      Await.until("a refusal", () -> isRefused(api));

      open.get().get(0).close();

      Await.until("room", () -> !isRefused(api));
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  /** Opens a connection with a waiting request. */
  private static Socket waiting(ApiServer api) {
    try {
      Socket socket = RawHttp.connect(api.port());
      socket.setSoTimeout(1000);
      send(socket, STREAM + LIVE);
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isRefused(ApiServer api) {
    try (Socket socket = waiting(api)) {
      return isClosed(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the connection ends within a second; an open stream continues to send. */
  private static boolean isClosed(Socket socket) {
    long start = System.nanoTime();
    try {
      InputStream in = socket.getInputStream();
      while (in.read() >= 0) {
        if (System.nanoTime() - start > Duration.ofSeconds(1).toNanos()) {
          return false;
        }
      }
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
