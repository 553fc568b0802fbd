package carillon.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text of an API key as its holder has it: {@code ck_<id>_<secret>}. The beginning lets scanners of
 * source code find keys that were committed.
 *
 * <p>Only the SHA-256 of a key is stored. A secret has 256 random bits, too many to try, however
 * fast the hash is. Slow hashes and salts protect secrets that people choose, and would cost each
 * request milliseconds.
 */
public final class ApiKeyToken {
  /** Beginning of every key. */
  public static final String PREFIX = "ck_";

  /** Rule of {@link #parse}, to complete a sentence. */
  public static final String RULE =
      "must be ck_<id>_<secret>: an id of 1 to 32 small letters and digits, a secret of 32 to 128"
          + " letters, digits, '-' and '_'";

  private static final Pattern FORM =
      Pattern.compile("ck_([a-z0-9]{1,32})_([A-Za-z0-9_-]{32,128})");
  private static final String LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  private static final int SMALL = 26;
  private static final int ID_LETTERS = 12;

  /** Number of characters of a secret: 62 to the 43rd is a little more than 2 to the 256th. */
  private static final int SECRET_LETTERS = 43;

  private static final int MIN_DIFFERENT = 10;
  private static final RandomGenerator RANDOM = new SecureRandom();

  private final String id;
  private final String text;

  private ApiKeyToken(String id, String text) {
    this.id = id;
    this.text = text;
  }

  /** Whether the text begins as every key does; it need not be a valid one. */
  public static boolean isKey(String text) {
    return text.startsWith(PREFIX);
  }

  /** A new key. */
  public static ApiKeyToken random() {
    String id = letters(LETTERS.substring(SMALL), ID_LETTERS);
    return new ApiKeyToken(id, PREFIX + id + "_" + secret());
  }

  /** A new secret, of a little more than 256 random bits. */
  static String secret() {
    return letters(LETTERS, SECRET_LETTERS);
  }

  private static String letters(String from, int count) {
    StringBuilder text = new StringBuilder(count);
    for (int i = 0; i < count; i++) {
      text.append(from.charAt(RANDOM.nextInt(from.length())));
    }
    return text.toString();
  }

  /** The key that this text is, if it is one. */
  public static Optional<ApiKeyToken> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    return matcher.matches()
        ? Optional.of(new ApiKeyToken(matcher.group(1), text))
        : Optional.empty();
  }

  /** Whether its secret does not look random. */
  public boolean isWeak() {
    return text.substring(PREFIX.length() + id.length() + 1).chars().distinct().count()
        < MIN_DIFFERENT;
  }

  /** Id of the key, which may be shown. */
  public String id() {
    return id;
  }

  /** Returns the whole key; it is shown once, when it is made. */
  public String reveal() {
    return text;
  }

  /** Returns the SHA-256 of the whole key, in hex. */
  public String hash() {
    return hash(text);
  }

  /** Returns the SHA-256 of a text, in hex. */
  static String hash(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Whether this key has this hash; in constant time. */
  public boolean has(String hash) {
    return MessageDigest.isEqual(
        hash().getBytes(StandardCharsets.US_ASCII), hash.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public String toString() {
    return PREFIX + id + "_(hidden)";
  }
}
