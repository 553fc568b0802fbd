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
  /** How several calls come together. */
  public enum Form {
    /** They do not. */
    ALONE,
    /** As batch.lua takes them. */
    BATCH,
    /** As many.lua takes them. */
    MANY
  }

  /** Scripts that do what others do, but of what is usual only. */
  private static final Map<String, String> USUAL =
      Map.of("create_jobs", "put_job", "end_jobs", "finish");

  private final Map<String, String> names = new ConcurrentHashMap<>();
  private final Map<String, Form> forms = new ConcurrentHashMap<>();

  /** Of which none has passed yet. */
  public Scripts() {}

  /** A text was sent; its name, or that of the script whose usual cases it is for. */
  public String learn(String text) {
    String head = text.substring(0, text.indexOf(':') + 1);
    String name = head.startsWith("-- ") ? head.substring(3, head.length() - 1) : "";
    String known = USUAL.getOrDefault(name, name);
    names.put(sha1(text), known);
    forms.put(sha1(text), formOfText(text));
    return known;
  }

  private static Form formOfText(String text) {
    int colon = text.indexOf(':');
    if (text.startsWith(": a batch of calls", colon)) {
      return Form.BATCH;
    }
    return text.startsWith(": many calls", colon) ? Form.MANY : Form.ALONE;
  }

  /** How calls of a script come, where a command names it so. */
  public Form form(String textOrSha1) {
    return forms.getOrDefault(textOrSha1, formOfText(textOrSha1));
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
