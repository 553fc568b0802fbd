package carillon.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Cipher that seals texts and unseals them: AES-256-GCM, a random nonce of 96 bits for each. The
 * form of a sealed text is
 *
 * <pre>
 * sealed:v1:(id of the key):(base64url of nonce, ciphertext and tag)
 * </pre>
 *
 * It is unsealed only for the place that it was sealed for: the place and the key's name are
 * authenticated with it. Thread-safe; a few microseconds for each text.
 */
public final class Sealer {
  /** Beginning of every sealed text. */
  public static final String MARK = "sealed:v1:";

  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private final KeyRing keys;
  private final SecureRandom random = new SecureRandom();

  public Sealer(KeyRing keys) {
    this.keys = keys;
  }

  /** Whether a text has the form of a sealed one. */
  public static boolean isSealed(String text) {
    return text.startsWith(MARK);
  }

  /** Seals a text for one place, under the active key. */
  public String seal(String text, String place) {
    SealingKey key = keys.active();
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, nonce, place);
      byte[] clear = text.getBytes(StandardCharsets.UTF_8);
      byte[] blob = Arrays.copyOf(nonce, NONCE_BYTES + clear.length + TAG_BYTES);
      cipher.doFinal(clear, 0, clear.length, blob, NONCE_BYTES);
      return MARK + key.id() + ":" + ENCODER.encodeToString(blob);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has AES-GCM", e);
    }
  }

  /**
   * The text that was sealed for this place.
   *
   * @throws SecretException when the key is not in the ring, or the text was sealed for another
   *     place or is damaged
   */
  public String unseal(String sealed, String place) {
    String id = keyOf(sealed);
    SealingKey key =
        keys.find(id)
            .orElseThrow(
                () ->
                    new SecretException(
                        "it is sealed under key " + id + ", which this node does not have"));
    byte[] blob = blob(sealed, id);
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, key, blob, place);
      byte[] clear = cipher.doFinal(blob, NONCE_BYTES, blob.length - NONCE_BYTES);
      return new String(clear, StandardCharsets.UTF_8);
    } catch (AEADBadTagException e) {
      throw new SecretException("it was sealed for another place, or is damaged");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has AES-GCM", e);
    }
  }

  /** Whether a sealed text is under the active key already. */
  public boolean isCurrent(String sealed) {
    return sealed.startsWith(MARK + keys.activeId() + ":");
  }

  /** The public name of the key that seals. */
  public String activeKey() {
    return keys.activeId();
  }

  /** Whether texts under another key than the active one can be unsealed. */
  public boolean hasOlderKeys() {
    return keys.ids().size() > 1;
  }

  private static String keyOf(String sealed) {
    int end = isSealed(sealed) ? sealed.indexOf(':', MARK.length()) : -1;
    String id = end < 0 ? "" : sealed.substring(MARK.length(), end);
    if (!SealingKey.isId(id)) {
      throw new SecretException("it does not have the form of a sealed text");
    }
    return id;
  }

  private static byte[] blob(String sealed, String id) {
    try {
      byte[] blob =
          Base64.getUrlDecoder().decode(sealed.substring(MARK.length() + id.length() + 1));
      if (blob.length >= NONCE_BYTES + TAG_BYTES) {
        return blob;
      }
    } catch (IllegalArgumentException e) {
      // same message as for a text that is too short
    }
    throw new SecretException("it does not have the form of a sealed text");
  }

  /** The nonce is the beginning of {@code blob}. */
  private static Cipher cipher(int mode, SealingKey key, byte[] blob, String place)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key.aes(), new GCMParameterSpec(TAG_BYTES * 8, blob, 0, NONCE_BYTES));
    cipher.updateAAD((MARK + key.id() + "\n" + place).getBytes(StandardCharsets.UTF_8));
    return cipher;
  }
}
