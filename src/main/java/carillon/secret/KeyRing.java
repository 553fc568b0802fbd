package carillon.secret;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** The keys of this node: the first seals, all of them unseal. Immutable. */
public final class KeyRing {
  /** Recipe to make a key. */
  static final String RECIPE = "make one with: openssl rand -base64 32";

  private final SealingKey active;
  private final Map<String, SealingKey> keys;

  private KeyRing(List<SealingKey> keys) {
    this.active = keys.get(0);
    Map<String, SealingKey> named = new LinkedHashMap<>();
    keys.forEach(key -> named.put(key.id(), key));
    this.keys = Collections.unmodifiableMap(named);
  }

  /**
   * Reads keys.
   *
   * @param texts base64 of 32 random bytes each, the active one first; not empty
   * @throws SecretException when one is no key, is known to be weak, or occurs twice
   */
  public static KeyRing of(List<String> texts) {
    List<SealingKey> keys = new ArrayList<>();
    for (String text : texts) {
      SealingKey key = read(text, keys.size() + 1);
      if (keys.stream().anyMatch(other -> other.id().equals(key.id()))) {
        throw new SecretException("key " + (keys.size() + 1) + " is given twice");
      }
      keys.add(key);
    }
    if (keys.isEmpty()) {
      throw new SecretException("there is no key; " + RECIPE);
    }
    return new KeyRing(keys);
  }

  private static SealingKey read(String text, int number) {
    byte[] bytes = decoded(text);
    if (bytes.length != SealingKey.BYTES) {
      throw new SecretException("key " + number + " is not base64 of 32 bytes; " + RECIPE);
    }
    Optional<String> fault = WeakKeyDetector.fault(bytes);
    if (fault.isPresent()) {
      throw new SecretException("key " + number + " " + fault.get() + "; " + RECIPE);
    }
    return SealingKey.of(bytes);
  }

  private static byte[] decoded(String text) {
    try {
      return Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/'));
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  SealingKey active() {
    return active;
  }

  Optional<SealingKey> find(String id) {
    return Optional.ofNullable(keys.get(id));
  }

  /** The public name of the key that seals. */
  public String activeId() {
    return active.id();
  }

  /** The public names of all keys, the active one first. */
  public Set<String> ids() {
    return keys.keySet();
  }

  /** Shows names only. */
  @Override
  public String toString() {
    return "KeyRing" + ids();
  }

  /** Detector of keys that are not random: passphrases, patterns, and hashes of common words. */
  private static final class WeakKeyDetector {
    /**
     * Minimum number of different values. 32 random bytes have about 30; fewer than this occur once
     * in 10^20 keys.
     */
    private static final int MIN_VALUES = 16;

    private static final List<String> COMMON_WORDS =
        List.of(
            "",
            "carillon",
            "changeme",
            "default",
            "example",
            "key",
            "master",
            "password",
            "secret",
            "test");

    private WeakKeyDetector() {}

    /** Returns the fault of the key, if any. */
    static Optional<String> fault(byte[] key) {
      if (isText(key)) {
        return Optional.of("is readable text, not random bytes");
      }
      if (distinct(key) < MIN_VALUES || isRegular(key)) {
        return Optional.of("is a pattern, not random bytes");
      }
      return COMMON_WORDS.stream().anyMatch(word -> Arrays.equals(key, hash(word)))
          ? Optional.of("is the hash of a common word")
          : Optional.empty();
    }

    private static boolean isText(byte[] key) {
      return bytes(key).allMatch(b -> b >= ' ' && b <= '~');
    }

    private static long distinct(byte[] key) {
      return bytes(key).distinct().count();
    }

    /** Whether all steps are the same: 1, 2, 3 and so on. */
    private static boolean isRegular(byte[] key) {
      return IntStream.range(1, key.length)
              .map(i -> (key[i] - key[i - 1]) & 0xFF)
              .distinct()
              .count()
          == 1;
    }

    private static IntStream bytes(byte[] key) {
      return IntStream.range(0, key.length).map(i -> key[i]);
    }

    private static byte[] hash(String word) {
      return SealingKey.sha256().digest(word.getBytes(StandardCharsets.UTF_8));
    }
  }
}
