package carillon.secret;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Tells keys that nobody drew at random: passphrases, patterns, and hashes of common words. */
final class WeakKeyDetector {
  /** 32 random bytes have about 30 values; fewer than this many once in 10^20 keys. */
  private static final int FEWEST_VALUES = 16;

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

  /** What is wrong with the key, if anything. */
  static Optional<String> fault(byte[] key) {
    if (isText(key)) {
      return Optional.of("is readable text, not random bytes");
    }
    if (distinct(key) < FEWEST_VALUES || isRegular(key)) {
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

  /** Steps that are all the same: 1, 2, 3 and so on. */
  private static boolean isRegular(byte[] key) {
    return IntStream.range(1, key.length).map(i -> (key[i] - key[i - 1]) & 0xFF).distinct().count()
        == 1;
  }

  private static IntStream bytes(byte[] key) {
    return IntStream.range(0, key.length).map(i -> key[i]);
  }

  private static byte[] hash(String word) {
    return SealingKey.sha256().digest(word.getBytes(StandardCharsets.UTF_8));
  }
}
