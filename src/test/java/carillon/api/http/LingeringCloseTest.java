package carillon.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.RawHttp;
import carillon.api.WithApi;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Test of clients that are still sending when they are refused. */
class LingeringCloseTest extends WithApi {
  private static final String HEAD =
      "PUT /jobcollections/default/jobs/j HTTP/1.1\r\nHost: h\r\nContent-Length: ";

  private Socket begin(long length) throws IOException {
    Socket socket = RawHttp.connect(api.port());
    socket
        .getOutputStream()
        .write((HEAD + length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** If the server closed with unread bytes, a reset would destroy the answer. */
  @Test
  void theyCanReadTheAnswer() throws IOException {
    byte[] body = new byte[4 << 20];
    try (Socket socket = begin(body.length)) {
      int first = socket.getInputStream().read(); // the answer has arrived, most of it is unread
      socket.getOutputStream().write(body);

      String rest = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertEquals('H', first);
      assertTrue(rest.startsWith("TTP/1.1 413 ") && rest.contains("allowed.\""), rest);
      assertTrue(rest.endsWith("}}\n"), rest);
    }
  }

  @Test
  void theyAreNotListenedToForEver() throws IOException {
    try (Socket socket = begin(1L << 40)) {
      OutputStream out = socket.getOutputStream();
      byte[] block = new byte[1 << 20];

      assertThrows(
          IOException.class,
          () -> {
            for (int i = 0; i < 1000; i++) {
              out.write(block);
            }
          });
    }
  }
}
