package carillon.api.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Finds the files that the browser loads, each read once and kept: they are few and small, and part
 * of the program. Thread-safe.
 */
public final class ConsoleFiles {
  /** One folder, plain names: nothing else can be asked for. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,40}\\.(html|css|js|svg)");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");

  /** The one library, as it is in its web jar. */
  private static final Map<String, String> LIBRARIES =
      Map.of("lit-html.js", "/META-INF/resources/webjars/lit-html/3.3.2/lit-html.js");

  private final Map<String, File> files = new ConcurrentHashMap<>();

  /**
   * A file as it is to be sent.
   *
   * @param tag changes with the content
   */
  public record File(String text, String type, String tag) {}

  /** The page itself. */
  public File page() {
    return find("index.html").orElseThrow();
  }

  /** The file of this name; empty when there is none. */
  public Optional<File> find(String name) {
    File known = files.get(name);
    if (known != null) {
      return Optional.of(known);
    }
    return NAME.matcher(name).matches() ? read(name) : Optional.empty();
  }

  private Optional<File> read(String name) {
    String resource = LIBRARIES.getOrDefault(name, "/console/" + name);
    try (InputStream in = ConsoleFiles.class.getResourceAsStream(resource)) {
      if (in == null) {
        return Optional.empty();
      }
      byte[] content = in.readAllBytes();
      String type = TYPES.get(name.substring(name.indexOf('.') + 1));
      File file = new File(new String(content, StandardCharsets.UTF_8), type, tag(content));
      files.put(name, file);
      return Optional.of(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String tag(byte[] content) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
