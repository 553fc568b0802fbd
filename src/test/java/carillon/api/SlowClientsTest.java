package carillon.api;

import carillon.support.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of clients that send their requests very slowly, byte by byte (slowloris). */
@Tag("redis")
class SlowClientsTest {
  private static final int CLIENTS = 2000;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "PUT /jobcollections/c/jobs/j HTTP/1.1\r\nHost: h\r\nX-A: ",
        "PUT /jobcollections/c/jobs/j HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n"
      })
  void theyLoseTheirConnectionsAndNobodyElseDoes(String beginning) throws IOException {
    Duration limit = Duration.ofSeconds(3); // a busy machine needs less for a request
    try (ApiServer api = new ApiServer(setup -> setup.idleTimeout = limit)) {
      List<SocketChannel> slow = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        slow.add(connect(api.port(), beginning));
      }

      Await.until(
          "the end of all slow connections",
          () -> {
            slow.removeIf(client -> !isServed(client));
            api.get("/health/live").assertStatus(200); // waits for no other process
            return slow.isEmpty();
          });
    }
  }

  private static SocketChannel connect(int port, String beginning) throws IOException {
    SocketChannel client =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    client.write(StandardCharsets.US_ASCII.encode(beginning));
    client.configureBlocking(false);
    return client;
  }

  /** Sends one more byte of a request that never ends. */
  private static boolean isServed(SocketChannel client) {
    try {
      client.write(ByteBuffer.wrap(new byte[] {'a'}));
      if (client.read(ByteBuffer.allocate(1)) >= 0) {
        return true;
      }
    } catch (IOException e) {
      // Reset by the server.
    }
    try {
      client.close();
    } catch (IOException e) {
      // Already closed.
    }
    return false;
  }
}
