package carillon.secret;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Key of 256 bits and its public name. The name is derived from the key, so two keys have different
 * names.
 *
 * @param id 8 hex digits
 * @param aes the key itself
 */
record SealingKey(String id, SecretKey aes) {
  static final int BYTES = 32;
  private static final int ID_BYTES = 4;

  /** The key with these 32 bytes. */
  static SealingKey of(byte[] bytes) {
    MessageDigest sha = sha256();
    sha.update("carillon key id\n".getBytes(StandardCharsets.UTF_8));
    byte[] id = Arrays.copyOf(sha.digest(bytes), ID_BYTES);
    return new SealingKey(HexFormat.of().formatHex(id), new SecretKeySpec(bytes, "AES"));
  }

  /** Whether a text has the form of a key's name; messages quote no other text. */
  static boolean isId(String text) {
    return text.length() == 2 * ID_BYTES
        && text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Shows the name only. */
  @Override
  public String toString() {
    return "Key[" + id + "]";
  }
}
