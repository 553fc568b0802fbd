package carillon.job.action;

import java.util.Locale;
import java.util.Set;

/**
 * Names of headers and query parameters whose values are secrets. The same list applies to Redis,
 * answers, the audit log and histories. A name is judged by its words, in any case, such as {@code
 * X-Api-Key}, {@code accessToken} or {@code client_secret}.
 */
public final class SensitiveNames {
  /** Owners of harmless keys, as in {@code X-Partition-Key} and {@code sortKey}. */
  private static final Set<String> HARMLESS_KEYS =
      Set.of(
          "cache",
          "deduplication",
          "idempotency",
          "max",
          "message",
          "ordering",
          "partition",
          "public",
          "routing",
          "row",
          "sort",
          "surrogate");

  /** Words for counts of tokens, of a language model or a rate limit, as in {@code max_tokens}. */
  private static final Set<String> COUNTED_TOKENS =
      Set.of(
          "completion",
          "input",
          "limit",
          "max",
          "maxcompletion",
          "maxinput",
          "maxnew",
          "maxoutput",
          "min",
          "new",
          "output",
          "prompt",
          "ratelimit",
          "reasoning",
          "remaining",
          "total",
          "used");

  private SensitiveNames() {}

  /** Whether the values of headers with this name are secrets. Allocates nothing for most names. */
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

  /**
   * Whether the values of query parameters with this name are secrets.
   *
   * @param name percent-decoded
   */
  public static boolean isParameter(String name) {
    return name.strip().equalsIgnoreCase("code") || isHeader(name);
  }

  private static boolean isWordCharacter(char c) {
    return Character.isLetterOrDigit(c);
  }

  /** Whether a text that is sensitive anywhere in a name begins here. */
  private static boolean isPart(String name, int at) {
    return switch (name.charAt(at) | 0x20) {
      case 'a' -> has(name, at, "authorization");
      case 'c' -> has(name, at, "cookie") || has(name, at, "credential");
      case 'p' ->
          has(name, at, "password") || has(name, at, "passwd") || has(name, at, "passphrase");
      case 's' -> has(name, at, "secret") || isSessionId(name, at);
      default -> false;
    };
  }

  /** {@code X-Session-Id}, {@code session_id}, {@code JSESSIONID}, {@code PHPSESSID}. */
  private static boolean isSessionId(String name, int at) {
    return has(name, at, "sessid")
        || has(name, at, "sessionid")
        || has(name, at, "session-id")
        || has(name, at, "session_id");
  }

  private static boolean has(String name, int at, String part) {
    return name.regionMatches(true, at, part, 0, part.length());
  }

  /** Whether the word is sensitive by its end or as a whole. Digits after it do not count. */
  private static boolean isSensitiveWord(String name, int from, int end) {
    int to = end;
    while (to > from && Character.isDigit(name.charAt(to - 1))) {
      to--;
    }
    return to > from && endsSensitive(name, from, to);
  }

  private static boolean endsSensitive(String name, int from, int to) {
    return switch (name.charAt(to - 1) | 0x20) {
      case 'd' -> isWord(name, from, to, "pwd");
      case 'e' -> ends(name, from, to, "signature");
      case 'g' -> isWord(name, from, to, "sig");
      case 'h' -> ends(name, from, to, "auth");
      case 'n' -> ends(name, from, to, "token") || ends(name, from, to, "authentication");
      case 'r' -> isWord(name, from, to, "bearer");
      case 's' ->
          isWord(name, from, to, "sas")
              || isWord(name, from, to, "pass")
              || isSensitivePlural(name, from, to);
      case 't' -> isWord(name, from, to, "jwt") || isWord(name, from, to, "pat");
      case 'y' ->
          ends(name, from, to, "key") && !isOwned(name, from, to - "key".length(), HARMLESS_KEYS);
      default -> false;
    };
  }

  private static boolean isSensitivePlural(String name, int from, int to) {
    return (ends(name, from, to, "tokens")
            && !isOwned(name, from, to - "tokens".length(), COUNTED_TOKENS))
        || (ends(name, from, to, "keys")
            && !isOwned(name, from, to - "keys".length(), HARMLESS_KEYS));
  }

  private static boolean ends(String name, int from, int to, String end) {
    return to - end.length() >= from && has(name, to - end.length(), end);
  }

  private static boolean isWord(String name, int from, int to, String word) {
    return to - from == word.length() && has(name, from, word);
  }

  /** Checks the text before a key or tokens: the beginning of the word, or the word before. */
  private static boolean isOwned(String name, int from, int at, Set<String> owners) {
    String before = name.substring(0, at).toLowerCase(Locale.ROOT);
    String owner = from < at ? before.substring(from) : lastWord(before);
    return owners.contains(owner);
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
