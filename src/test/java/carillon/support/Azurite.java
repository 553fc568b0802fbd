package carillon.support;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;

/**
 * Microsoft's Azurite, the storage queues of Azure on this machine, and Microsoft's own client to
 * read what is in them. Skips the test that asks where Node.js or the packages are missing.
 */
public final class Azurite implements AutoCloseable {
  public static final String ACCOUNT = "devstoreaccount1";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final NodeClient client = NodeClient.require("azurite");
  private final int port = Ports.free();
  private final NodeServer server;

  /** Starts it with nothing in it. */
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
                // Microsoft's client speaks a version newer than this Azurite knows of.
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

  /** Where the account is. */
  public String address() {
    return "http://127.0.0.1:" + port + "/" + ACCOUNT;
  }

  /** Makes a queue; the token grants adding to it. */
  public String create(String queue) {
    return token("create", queue);
  }

  /** A token that grants adding to a queue, whether there is one or not. */
  public String token(String queue) {
    return token("token", queue);
  }

  private String token(String operation, String queue) {
    return client.run(PATIENCE, address(), operation, queue).get(0).path("token").asText();
  }

  /** Takes every message out of a queue, as Microsoft's client reads it. */
  public List<JsonNode> read(String queue) {
    return client.run(PATIENCE, address(), "read", queue);
  }

  /** Ends it, and all that was in it. */
  @Override
  public void close() {
    server.close();
  }
}
