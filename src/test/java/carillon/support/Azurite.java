package carillon.support;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;

/**
 * Microsoft's Azurite, which emulates the storage queues of Azure on this machine, with Microsoft's
 * own client to read the messages. Skips the calling test if Node.js or the packages are missing.
 */
public final class Azurite implements AutoCloseable {
  public static final String ACCOUNT = "devstoreaccount1";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final NodeClient client = NodeClient.require("azurite");
  private final int port = Ports.free();
  private final NodeServer server;

  /** Starts Azurite without any queue. */
  public Azurite() {
    server =
        new NodeServer(
            "azurite",
            List.of(
                "node",
                "node_modules/azurite/dist/src/queue/main.js",
                "--queueHost",
                "127.0.0.1",
                "--queuePort",
                Integer.toString(port),
                "--inMemoryPersistence",
                "--disableTelemetry",
                // Microsoft's client speaks a newer version than this Azurite supports.
                "--skipApiVersionCheck"));
    Await.until("Azurite listens", PATIENCE, () -> isListening() || !server.isAlive());
  }

  private boolean isListening() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the URL of the account. */
  public String address() {
    return "http://127.0.0.1:" + port + "/" + ACCOUNT;
  }

  /** Creates a queue. Returns a token that may add messages to it. */
  public String create(String queue) {
    return token("create", queue);
  }

  /** Returns a token that may add messages to a queue, whether the queue exists or not. */
  public String token(String queue) {
    return token("token", queue);
  }

  private String token(String operation, String queue) {
    return client.run(PATIENCE, address(), operation, queue).get(0).path("token").asText();
  }

  /** Removes all messages from a queue and returns them as Microsoft's client reads them. */
  public List<JsonNode> read(String queue) {
    return client.run(PATIENCE, address(), "read", queue);
  }

  /** Stops Azurite and drops its queues. */
  @Override
  public void close() {
    server.close();
  }
}
