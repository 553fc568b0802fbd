package carillon.job;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The rule for the names of subscriptions, groups, collections and jobs: case-insensitive, case
 * kept.
 */
final class Names {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");

  private Names() {}

  /**
   * Refuses what is not a name; spaces, slashes, braces and colons would change the meaning of a
   * Redis key.
   */
  static String check(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw JobException.invalid(
          what
              + ": '"
              + Excerpt.of(name)
              + "' must begin with a letter or digit and hold only letters, digits, '_', '.' and '-', 128 at most");
    }
    return name;
  }

  static String fold(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
