package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.it.Flood.Kind;
import carillon.support.CarillonProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Test of unauthenticated clients that exhaust the resources of a node of 512 MB, alone and two at
 * a time.
 */
@Tag("alone")
class ExhaustionIT extends ProcessTestBase {
  private static final Duration ATTACK = Duration.ofSeconds(8);

  /**
   * Timeout of a request, ms. Two floods occupy both processors of a small machine. With 5 s, one
   * run of 27 failed.
   */
  private static final int PATIENCE_MS = 10_000;

  private static final byte[] REQUEST =
      "GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  @ParameterizedTest
  @CsvSource({
    "PIPELINING,",
    "REQUESTS,",
    "CHUNKS,",
    "SILENCE,",
    "BODIES,",
    "PIPELINING, SILENCE",
    "PIPELINING, BODIES",
    "SILENCE, BODIES",
    "REQUESTS, CHUNKS"
  })
  void healthIsAnsweredAllTheWhile(Kind one, Kind other) throws IOException {
    try (CarillonProcess node = start()) {
      List<Flood> floods = new ArrayList<>();
      floods.add(new Flood(one, node.base(), "127.0.0.3"));
      if (other != null) {
        floods.add(new Flood(other, node.base(), "127.0.0.4"));
      }
      try {
        long end = System.nanoTime() + ATTACK.toNanos();
        while (System.nanoTime() < end) {
          assertEquals("HTTP/1.1 200 OK", health(node.base()), node::errors);
          LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
      } finally {
        floods.forEach(Flood::close);
      }
      assertTrue(node.isAlive());
      assertFalse((node.output() + node.errors()).contains("OutOfMemory"), node::output);
    }
  }

  /** Returns the first line of the answer. Uses a separate source address, as a monitor does. */
  private static String health(URI node) throws IOException {
    try (Socket socket = new Socket()) {
      socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.2"), 0));
      socket.connect(new InetSocketAddress(node.getHost(), node.getPort()), PATIENCE_MS);
      socket.setSoTimeout(PATIENCE_MS);
      socket.getOutputStream().write(REQUEST);
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return answer.lines().findFirst().orElse("closed without an answer");
    }
  }
}
