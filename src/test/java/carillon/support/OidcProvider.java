package carillon.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  private final Path out;
  private final Process process;

  /**
   * Starts it.
   *
   * @param redirects where it may send people back to
   */
  public OidcProvider(List<String> redirects) {
    NodeClient.require("oidc");
    try {
      out = Files.createTempFile("carillon-oidc-", ".out");
      process =
          new ProcessBuilder(command(redirects))
              .directory(Path.of("src/test/clients/oidc").toFile())
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Await.until("the issuer listens", PATIENCE, () -> said().contains("listening\n"));
  }

  private List<String> command(List<String> redirects) {
    List<String> command = new ArrayList<>(List.of("node", "main.js", Integer.toString(port)));
    command.addAll(redirects);
    return command;
  }

  private String said() {
    try {
      return Files.readString(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its name, another site than 127.0.0.1. */
  public String issuer() {
    return "http://localhost:" + port;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
      Files.delete(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
