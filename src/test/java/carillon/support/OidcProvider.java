package carillon.support;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An OpenID Connect issuer by others, oidc-provider. Skips the calling test if Node.js or the
 * packages are missing.
 */
public final class OidcProvider implements AutoCloseable {
  public static final String CLIENT = "carillon-console";
  public static final String SECRET = "a secret of the console";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final int port = Ports.free();
  private final NodeServer server;

  /**
   * Starts the issuer.
   *
   * @param redirects addresses to which it may redirect people
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

  /** Returns the issuer's name. Its site is not 127.0.0.1. */
  public String issuer() {
    return "http://localhost:" + port;
  }

  @Override
  public void close() {
    server.close();
  }
}
