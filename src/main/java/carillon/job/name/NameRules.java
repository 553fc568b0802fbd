package carillon.job.name;

import java.util.Locale;

/**
 * The rule for the names of subscriptions, groups, collections and jobs. Names are compared without
 * case and shown in their original case.
 */
public final class NameRules {
  private static final int MAX_LENGTH = 128;

  private NameRules() {}

  /**
   * Refuses an invalid name. Spaces, slashes, braces and colons would change the meaning of a Redis
   * key.
   */
  public static String check(String what, String name) {
    if (!isName(name)) {
      throw JobException.invalid(
          what
              + ": '"
              + Quoted.of(name)
              + "' must begin with a letter or digit and hold only letters, digits, '_', '.' and '-', 128 at most");
    }
    return name;
  }

  /**
   * Whether this is a valid name. Checked without a pattern, since every request needs it four
   * times.
   */
  static boolean isName(String name) {
    if (name.isEmpty() || name.length() > MAX_LENGTH || !isLetterOrDigit(name.charAt(0))) {
      return false;
    }
    for (int i = 1; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!isLetterOrDigit(c) && c != '_' && c != '.' && c != '-') {
        return false;
      }
    }
    return true;
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  /**
   * Returns a text that sorts just before all names with this beginning, and after all smaller
   * names. No name contains its last character.
   *
   * @param beginning folded, not empty
   */
  public static String justBefore(String beginning) {
    int last = beginning.length() - 1;
    return beginning.substring(0, last) + (char) (beginning.charAt(last) - 1) + '~';
  }

  /**
   * Returns a text that sorts just after all names with this beginning, and before all greater
   * names.
   *
   * @param beginning folded
   */
  public static String justAfter(String beginning) {
    return beginning + '~';
  }

  /** The form in which names are compared and stored. */
  public static String fold(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
