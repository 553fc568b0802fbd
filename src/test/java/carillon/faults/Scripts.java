package carillon.faults;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which script a command runs: the name stands at the head of the text, and whoever runs a script
 * for the first time sends the text. Thread-safe.
 */
public final class Scripts {
  private static final String BATCH = ": a batch of calls";

  private final Map<String, String> names = new ConcurrentHashMap<>();
  private final Set<String> batches = ConcurrentHashMap.newKeySet();

  /** Of which none has passed yet. */
  public Scripts() {}

  /** A text was sent; its name. */
  public String learn(String text) {
    String head = text.substring(0, text.indexOf(':') + 1);
    String name = head.startsWith("-- ") ? head.substring(3, head.length() - 1) : "";
    names.put(sha1(text), name);
    if (isBatch(text)) {
      batches.add(sha1(text));
    }
    return name;
  }

  /** Whether several calls of a script come together, where a command names it so. */
  public boolean isBatch(String textOrSha1) {
    return textOrSha1.startsWith(BATCH, textOrSha1.indexOf(':')) || batches.contains(textOrSha1);
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
