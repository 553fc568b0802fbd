package carillon.secret;

import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The keys of this node: the first seals, all of them open. Immutable. */
public final class KeyRing {
  /** How an operator makes a key. */
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
   * @throws SecretException when one is no key, is known to be weak, or stands there twice
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

  /** Tells names only. */
  @Override
  public String toString() {
    return "KeyRing" + ids();
  }
}
