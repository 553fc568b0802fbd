package carillon.recurrence.conversion;

import carillon.recurrence.cron.CronDialect;
import carillon.recurrence.cron.InexpressibleException;
import java.util.regex.Pattern;

/**
 * Limits of the programs that a form is for: what this program reads in a form, and they do not.
 * Quartz refuses several of {@code L}, {@code W} and {@code #} in a list, or reads another schedule
 * (2.3 to 2.5); the documentation of EventBridge has them alone, and neither {@code LW} nor {@code
 * L-3}.
 */
final class Portability {
  private static final String SPECIAL = "(?:#|\\dW|\\dL|\\bL\\b|\\bLW\\b)";

  /** A field with one of them, and a comma. */
  private static final Pattern LISTED =
      Pattern.compile("(?:\\S*,\\S*" + SPECIAL + "\\S*|\\S*" + SPECIAL + "\\S*,\\S*)");

  private static final Pattern NOT_OF_EVENTBRIDGE = Pattern.compile("\\bLW\\b|\\bL-\\d");

  private Portability() {}

  /**
   * Refuses an expression that the program of a dialect would not read as this one does.
   *
   * @throws InexpressibleException with the reason
   */
  static void check(CronDialect dialect, String text) {
    if (dialect == CronDialect.UNIX) {
      return;
    }
    if (LISTED.matcher(text).find()) {
      throw new InexpressibleException(
          "it needs a list of days with L, W or #, of which "
              + nameOf(dialect)
              + " knows one alone");
    }
    if (dialect == CronDialect.AWS && NOT_OF_EVENTBRIDGE.matcher(text).find()) {
      throw new InexpressibleException("EventBridge knows neither LW nor L-3");
    }
  }

  private static String nameOf(CronDialect dialect) {
    return dialect == CronDialect.QUARTZ ? "Quartz" : "EventBridge";
  }
}
