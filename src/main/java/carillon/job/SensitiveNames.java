package carillon.job;

import java.util.Locale;
import java.util.Set;

/**
 * Names of headers and query parameters whose values are secrets: one list for what is sealed in
 * Redis, answered, audited and kept in histories. A name counts by its words, in any case, such as
 * {@code X-Api-Key}, {@code accessToken} or {@code client_secret}.
 */
public final class SensitiveNames {
  /** What a key is of that opens nothing, as in {@code X-Partition-Key} and {@code sortKey}. */
  private static final Set<String> HARMLESS_KEYS =
      Set.of(
          "cache",
          "deduplication",
          "idempotency",
          "message",
          "ordering",
          "partition",
          "public",
          "routing",
          "row",
          "sort",
          "surrogate");

  private SensitiveNames() {}

  /** Whether the values of headers with this name are secrets. Makes no garbage for most names. */
  public static boolean isHeader(String name) {
    int word = 0;
    for (int i = 0; i < name.length(); i++) {
      if (isPart(name, i)) {
        return true;
      }
      if (!isWordCharacter(name.charAt(i))) {
        word = i + 1;
      } else if (i + 1 == name.length() || !isWordCharacter(name.charAt(i + 1))) {
        if (isSensitiveWord(name, word, i + 1)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether the values of query parameters with this name are secrets. */
  public static boolean isParameter(String name) {
    return name.equalsIgnoreCase("code") || isHeader(name);
  }

  private static boolean isWordCharacter(char c) {
    return Character.isLetterOrDigit(c);
  }

  /** What tells anywhere in a name. */
  private static boolean isPart(String name, int at) {
    return switch (name.charAt(at) | 0x20) {
      case 'a' -> has(name, at, "authorization");
      case 'c' -> has(name, at, "cookie") || has(name, at, "credential");
      case 'p' ->
          has(name, at, "password") || has(name, at, "passwd") || has(name, at, "passphrase");
      case 's' -> has(name, at, "secret");
      default -> false;
    };
  }

  private static boolean has(String name, int at, String part) {
    return name.regionMatches(true, at, part, 0, part.length());
  }

  /** What tells at the end of a word, or as a whole one. */
  private static boolean isSensitiveWord(String name, int from, int to) {
    return switch (name.charAt(to - 1) | 0x20) {
      case 'd' -> isWord(name, from, to, "pwd");
      case 'e' -> ends(name, from, to, "signature");
      case 'g' -> isWord(name, from, to, "sig");
      case 'h' -> ends(name, from, to, "auth");
      case 'n' -> ends(name, from, to, "token");
      case 's' -> isWord(name, from, to, "sas") || isWord(name, from, to, "pass");
      case 't' -> isWord(name, from, to, "jwt") || isWord(name, from, to, "pat");
      case 'y' -> ends(name, from, to, "key") && !isHarmlessKey(name, from, to - "key".length());
      default -> false;
    };
  }

  private static boolean ends(String name, int from, int to, String end) {
    return to - end.length() >= from && has(name, to - end.length(), end);
  }

  private static boolean isWord(String name, int from, int to, String word) {
    return to - from == word.length() && has(name, from, word);
  }

  /** Looks at what stands before the key: the beginning of its word, or the word before. */
  private static boolean isHarmlessKey(String name, int from, int key) {
    String before = name.substring(0, key).toLowerCase(Locale.ROOT);
    String owner = from < key ? before.substring(from) : lastWord(before);
    return HARMLESS_KEYS.contains(owner);
  }

  private static String lastWord(String text) {
    int to = text.length();
    while (to > 0 && !isWordCharacter(text.charAt(to - 1))) {
      to--;
    }
    int from = to;
    while (from > 0 && isWordCharacter(text.charAt(from - 1))) {
      from--;
    }
    return text.substring(from, to);
  }
}
