package carillon.job.action;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BinaryOperator;

/**
 * Secrets in the query and in the fragment of a URI: values of parameters whose percent-decoded
 * names are in {@link SensitiveNames}. Works on the text alone, so that it also accepts text that
 * is not a URI. A URI without query and fragment costs nothing.
 */
public final class QuerySecrets {
  private QuerySecrets() {}

  /** The URI with {@link Secret#MASK} in the place of each secret. */
  public static String masked(String uri) {
    return map(uri, (name, value) -> Secret.MASK);
  }

  /**
   * Returns the masked text of a URI that may be refused or not be a URI at all. Also masks user
   * name and password.
   */
  public static String quotable(String uri) {
    int slashes = uri.indexOf("//");
    int from = slashes < 0 ? 0 : slashes + 2;
    int to = authorityEnd(uri, from);
    int at = isPassword(uri, from, to) ? uri.lastIndexOf('@') : uri.lastIndexOf('@', to - 1);
    return masked(at < from ? uri : uri.substring(0, from) + Secret.MASK + uri.substring(at));
  }

  /** Returns where the authority of a URI ends that begins at an index. */
  public static int authorityEnd(String uri, int from) {
    int to = from;
    while (to < uri.length() && "/?#".indexOf(uri.charAt(to)) < 0) {
      to++;
    }
    return to;
  }

  /**
   * Whether the text in the place of a port is the start of a password instead. Such a password
   * holds a character that ends the authority.
   */
  private static boolean isPassword(String uri, int from, int to) {
    String authority = uri.substring(from, to);
    int colon = authority.indexOf(':', authority.lastIndexOf(']') + 1);
    return colon >= 0
        && authority.indexOf('@') < 0
        && !authority.substring(colon + 1).chars().allMatch(Character::isDigit);
  }

  /** Returns the secrets of a URI, each as written there. */
  public static Map<String, String> of(String uri) {
    Map<String, String> secrets = new HashMap<>();
    map(
        uri,
        (name, value) -> {
          secrets.put(name, value);
          return value;
        });
    return secrets;
  }

  /**
   * Returns the URI with every secret replaced, or the same URI if none changes.
   *
   * @param mapping of the parameter's name as written in the URI, in lower case, and its value; a
   *     name in the fragment has {@code #} as prefix, and a repeated name has its number as suffix
   */
  static String map(String uri, BinaryOperator<String> mapping) {
    int fragment = indexOf('#', uri, 0, uri.length());
    int query = indexOf('?', uri, 0, fragment);
    return query == uri.length() ? uri : map(uri, query + 1, fragment, mapping);
  }

  private static String map(String uri, int start, int fragment, BinaryOperator<String> mapping) {
    Map<String, Integer> seen = new HashMap<>();
    StringBuilder mapped = new StringBuilder();
    int copied = 0;
    for (int from = start, to; from < uri.length(); from = to + 1) {
      to = parameterEnd(uri, from, fragment);
      int value = indexOf('=', uri, from, to) + 1;
      if (value < to && SensitiveNames.isParameter(decoded(uri.substring(from, value - 1)))) {
        String name = uri.substring(from, value - 1).toLowerCase(Locale.ROOT);
        String place = from > fragment ? "#" + name : name;
        int number = seen.merge(place, 1, Integer::sum);
        String field = number == 1 ? place : place + "." + number;
        mapped.append(uri, copied, value).append(mapping.apply(field, uri.substring(value, to)));
        copied = to;
      }
    }
    String other = copied == 0 ? uri : mapped.append(uri, copied, uri.length()).toString();
    return other.equals(uri) ? uri : other;
  }

  /**
   * Returns the end of a parameter. A fragment may be a path with a separate query, as in browser
   * applications.
   */
  private static int parameterEnd(String uri, int from, int fragment) {
    int to = from;
    while (to < uri.length()
        && uri.charAt(to) != '&'
        && uri.charAt(to) != '#'
        && (uri.charAt(to) != '?' || to < fragment)) {
      to++;
    }
    return to;
  }

  /** Returns the name as its target decodes it. Only ASCII matters, and invalid escapes stay. */
  private static String decoded(String name) {
    if (name.indexOf('%') < 0 && name.indexOf('+') < 0) {
      return name;
    }
    StringBuilder text = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      int code = name.charAt(i) == '%' ? escape(name, i) : -1;
      text.append(code >= 0 ? (char) code : name.charAt(i) == '+' ? ' ' : name.charAt(i));
      i += code >= 0 ? 2 : 0;
    }
    return text.toString();
  }

  /** Returns the octet of an escape; negative if there is none. */
  private static int escape(String name, int at) {
    if (at + 2 >= name.length()) {
      return -1;
    }
    int high = Character.digit(name.charAt(at + 1), 16);
    int low = Character.digit(name.charAt(at + 2), 16);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
  }

  /** Returns the index of a character, or the end if there is none. */
  private static int indexOf(char c, String text, int from, int end) {
    int found = text.indexOf(c, from);
    return found < 0 || found > end ? end : found;
  }
}
