package carillon.job;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BinaryOperator;

/**
 * The secrets in the query of a URI: values of parameters that {@link SensitiveNames} names. Looks
 * at the text alone, so that it also takes what is no URI. A URI without a query costs nothing.
 */
public final class QuerySecrets {
  private QuerySecrets() {}

  /** The URI with {@link Secret#MASK} in the place of each secret. */
  public static String masked(String uri) {
    return map(uri, (name, value) -> Secret.MASK);
  }

  /**
   * The masked text of what may be no URI, or one that is refused: without user name and password
   * too.
   */
  public static String quotable(String uri) {
    int slashes = uri.indexOf("//");
    int from = slashes < 0 ? 0 : slashes + 2;
    int to = authorityEnd(uri, from);
    int at = isPassword(uri, from, to) ? uri.lastIndexOf('@') : uri.lastIndexOf('@', to - 1);
    return masked(at < from ? uri : uri.substring(0, from) + Secret.MASK + uri.substring(at));
  }

  private static int authorityEnd(String uri, int from) {
    int to = from;
    while (to < uri.length() && "/?#".indexOf(uri.charAt(to)) < 0) {
      to++;
    }
    return to;
  }

  /**
   * Whether what stands where a port may be is none: the first part of a password that holds a sign
   * which ends the authority.
   */
  private static boolean isPassword(String uri, int from, int to) {
    String authority = uri.substring(from, to);
    int colon = authority.indexOf(':', authority.lastIndexOf(']') + 1);
    return colon >= 0
        && authority.indexOf('@') < 0
        && !authority.substring(colon + 1).chars().allMatch(Character::isDigit);
  }

  /** The secrets of a URI, each as it stands there. */
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
   * The URI with every secret replaced; itself when none changes.
   *
   * @param mapping of the parameter's name in lower case, and its value as it stands in the URI; a
   *     name that comes again has its number behind it
   */
  static String map(String uri, BinaryOperator<String> mapping) {
    int query = uri.indexOf('?') + 1;
    return query == 0 ? uri : map(uri, query, indexOf('#', uri, 0, uri.length()), mapping);
  }

  private static String map(String uri, int query, int end, BinaryOperator<String> mapping) {
    Map<String, Integer> seen = new HashMap<>();
    StringBuilder mapped = new StringBuilder();
    int copied = 0;
    for (int from = query, to; from < end; from = to + 1) {
      to = indexOf('&', uri, from, end);
      int value = indexOf('=', uri, from, to) + 1;
      if (value < to && SensitiveNames.isParameter(uri.substring(from, value - 1))) {
        String name = uri.substring(from, value - 1).toLowerCase(Locale.ROOT);
        int number = seen.merge(name, 1, Integer::sum);
        String field = number == 1 ? name : name + "." + number;
        mapped.append(uri, copied, value).append(mapping.apply(field, uri.substring(value, to)));
        copied = to;
      }
    }
    String other = copied == 0 ? uri : mapped.append(uri, copied, uri.length()).toString();
    return other.equals(uri) ? uri : other;
  }

  /** The end where there is none. */
  private static int indexOf(char c, String text, int from, int end) {
    int found = text.indexOf(c, from);
    return found < 0 || found > end ? end : found;
  }
}
