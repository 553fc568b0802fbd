package carillon.cli.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.cli.CarillonCommands;
import carillon.cli.CarillonCommands.Run;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Test of the command for a virtual clock, against a node without one. */
class ClockCommandTest {
  private static final byte[] NOT_FOUND =
      "{\"error\":{\"code\":\"NotFound\",\"message\":\"Nothing is here\"}}"
          .getBytes(StandardCharsets.UTF_8);

  @Test
  void aNodeWithoutVirtualTimeSaysSo() throws IOException {
    HttpServer node =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    node.createContext(
        "/clock",
        exchange -> {
          exchange.sendResponseHeaders(404, 0);
          exchange.getResponseBody().write(NOT_FOUND);
          exchange.close();
        });
    node.start();
    try {
      CarillonCommands carillon =
          new CarillonCommands("http://127.0.0.1:" + node.getAddress().getPort());

      Run shown = carillon.type("clock");
      Run advanced = carillon.type("clock", "--by=P1D");

      assertEquals(1, shown.code());
      shown.assertErr("this node has no virtual time");
      advanced.assertErr("this node has no virtual time");
    } finally {
      node.stop(0);
    }
  }
}
