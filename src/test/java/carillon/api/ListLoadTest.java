package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.support.LogCapture;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test of clients that request many lists and read none, together with requests of others. */
@Tag("alone")
class ListLoadTest extends WithCollection {
  private static final int JOBS = 100;
  private static final int CLIENTS = 300;
  private static final int LISTS = 20;
  private static final int PUTS = 40;

  @Test
  void othersAreAnsweredWhileListsWaitForTheirTurn() throws IOException {
    for (int i = 0; i < JOBS; i++) {
      api.put(C + "/jobs/j" + i, ONCE);
    }
    String lists = ("GET " + C + "/jobs HTTP/1.1\r\nHost: a\r\n\r\n").repeat(LISTS);
    List<Socket> clients = new ArrayList<>();
    try (LogCapture log = new LogCapture()) {
      for (int i = 0; i < CLIENTS; i++) {
        Socket client = RawHttp.connect(api.port());
        clients.add(client);
        client.getOutputStream().write(lists.getBytes(StandardCharsets.US_ASCII));
      }

      for (int i = 0; i < PUTS; i++) {
        api.put(C + "/jobs/j" + i, ONCE).assertStatus(200);
      }

      assertEquals(
          List.of(),
          log.lines().stream().filter(line -> line.contains("does not answer")).toList());
    } finally {
      for (Socket client : clients) {
        client.close();
      }
    }
  }
}
