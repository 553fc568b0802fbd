package carillon.faults;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which script a command runs: the name stands at the head of the text, and whoever runs a script
 * for the first time sends the text. Thread-safe.
 */
public final class Scripts {
  private final Map<String, String> names = new ConcurrentHashMap<>();

  /** Of which none has passed yet. */
  public Scripts() {}

  /** A text was sent; its name. */
  public String learn(String text) {
    String head = text.substring(0, text.indexOf(':') + 1);
    String name = head.startsWith("-- ") ? head.substring(3, head.length() - 1) : "";
    names.put(sha1(text), name);
    return name;
  }

  /** The name of the text that has this digest; empty when it never passed. */
  public String named(String sha1) {
    return names.getOrDefault(sha1, "");
  }

  private static String sha1(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
