package carillon.support;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An OpenID Connect issuer of another make, oidc-provider. Skips the test that asks where Node.js
 * or the packages are missing.
 */
public final class OidcProvider implements AutoCloseable {
  public static final String CLIENT = "carillon-console";
  public static final String SECRET = "a secret of the console";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final int port = Ports.free();
  private final NodeServer server;

  /**
   * Starts it.
   *
   * @param redirects where it may send people back to
   */
  public OidcProvider(List<String> redirects) {
    NodeClient.require("oidc");
    server = new NodeServer("oidc", command(redirects));
    Await.until("the issuer listens", PATIENCE, () -> server.said().contains("listening\n"));
  }

  private List<String> command(List<String> redirects) {
    List<String> command = new ArrayList<>(List.of("node", "main.js", Integer.toString(port)));
    command.addAll(redirects);
    return command;
  }

  /** Its name, another site than 127.0.0.1. */
  public String issuer() {
    return "http://localhost:" + port;
  }

  @Override
  public void close() {
    server.close();
  }
}
