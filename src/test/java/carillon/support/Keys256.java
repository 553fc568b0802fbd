package carillon.support;

import carillon.secret.KeyRing;
import carillon.secret.Vault;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;

/** Encryption keys for secrets, the same in every run. */
public final class Keys256 {
  /** Vault under the key with seed 1. */
  public static final Vault VAULT = Vault.of(ring(1));

  private Keys256() {}

  /** Returns a key in base64. */
  public static String key(long seed) {
    byte[] bytes = new byte[32];
    new Random(seed).nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** Returns the keys of these seeds, the active one first. */
  public static KeyRing ring(long... seeds) {
    return KeyRing.of(Arrays.stream(seeds).mapToObj(Keys256::key).toList());
  }
}
