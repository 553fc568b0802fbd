package carillon.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Which node a command speaks to, and how it proves who asks. */
public final class NodeOptions {
  /** Environment variables of the commands, which are no settings of a node. */
  public static final Set<String> VARIABLES =
      Set.of("CARILLON_URL", "CARILLON_KEY", "CARILLON_KEY_FILE", "CARILLON_CA");

  /** What a header may hold; never quoted, as it may be a secret. */
  private static final Pattern KEY = Pattern.compile("[!-~]{1,512}");

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "${env:CARILLON_URL:-http://127.0.0.1:8080}",
      description = "Where a node is. Default: CARILLON_URL, else http://127.0.0.1:8080.")
  private String url;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      defaultValue = "${env:CARILLON_KEY}",
      description =
          "API key. Default: CARILLON_KEY. Others on this machine can see it among the arguments:"
              + " better in the environment or in a file.")
  private String key;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      defaultValue = "${env:CARILLON_KEY_FILE}",
      description = "File with the API key. Default: CARILLON_KEY_FILE.")
  private Path keyFile;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      defaultValue = "${env:CARILLON_CA}",
      description =
          "PEM file with the certificates that an https node is trusted by. Default: CARILLON_CA,"
              + " else those that Java trusts.")
  private Path ca;

  /** The node, which is not spoken to yet. */
  Node node() {
    return new Node(base(), key(), Optional.ofNullable(ca).map(Trust::in));
  }

  private URI base() {
    try {
      URI base = URI.create(url.replaceAll("/+$", ""));
      boolean isHttp = "http".equals(base.getScheme()) || "https".equals(base.getScheme());
      if (isHttp && base.getHost() != null && base.getRawQuery() == null) {
        return base;
      }
    } catch (IllegalArgumentException e) {
      // said below
    }
    throw CommandFailure.usage(
        "--url must be http://HOST[:PORT] or https://..., was '" + url + "'");
  }

  /** The one that is nearer to whoever typed wins: an option before the environment. */
  private Optional<String> key() {
    boolean fromFile =
        keyFile != null && (key == null || key.equals(System.getenv("CARILLON_KEY")));
    String text = fromFile ? read(keyFile) : key;
    if (text == null || text.isEmpty()) {
      return Optional.empty();
    }
    if (!KEY.matcher(text).matches()) {
      throw CommandFailure.usage("the API key must be one word of printable ASCII characters");
    }
    return Optional.of(text);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw CommandFailure.usage("--key-file " + file + " cannot be read: " + Reason.of(e));
    }
  }
}
