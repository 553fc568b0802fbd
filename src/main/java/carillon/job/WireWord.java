package carillon.job;

import java.util.Locale;

/**
 * A constant of an enumeration as JSON, Redis and reports spell it: its name in lower case, unless
 * the enumeration says otherwise.
 */
public interface WireWord {
  /** The name of the constant. */
  String name();

  /** The word that is stored and answered. */
  default String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
