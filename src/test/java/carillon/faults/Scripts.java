package carillon.faults;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Maps a command to the name of the script that it runs. The name is in the header of the text, and
 * the first command that runs a script sends this text. Thread-safe.
 */
public final class Scripts {
  /** Form in which a script takes calls. */
  public enum Form {
    /** A single call. */
    ALONE,
    /** Batch of calls, as batch.lua takes it. */
    BATCH,
    /** Many calls, as many.lua takes them. */
    MANY
  }

  /** Scripts that handle only the usual cases of another script. */
  private static final Map<String, String> USUAL =
      Map.of("create_jobs", "put_job", "end_jobs", "finish");

  private final Map<String, String> names = new ConcurrentHashMap<>();
  private final Map<String, Form> forms = new ConcurrentHashMap<>();

  /** Creates a map without scripts. */
  public Scripts() {}

  /**
   * Records the text of a script. Returns its name, or the name of the script whose usual cases it
   * handles.
   */
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

  /** Returns the form of the calls of a script, given its text or its SHA-1. */
  public Form form(String textOrSha1) {
    return forms.getOrDefault(textOrSha1, formOfText(textOrSha1));
  }

  /** Returns the name of the text with this digest; empty when the text is unknown. */
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
