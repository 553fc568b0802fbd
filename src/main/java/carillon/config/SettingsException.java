package carillon.config;

import java.util.List;

/**
 * Failure to load settings. Holds every problem found, one line each, with key (or variable), value
 * and rule; no secrets.
 */
public final class SettingsException extends IllegalArgumentException {
  private final transient List<Problem> details;
  private final List<String> problems;

  SettingsException(List<String> problems, List<Problem> details) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
    this.details = List.copyOf(details);
  }

  /** Returns the problems, one line each, at least one. */
  public List<String> problems() {
    return problems;
  }

  /** The problems a record found in itself; the loader names their origin. */
  List<Problem> details() {
    return details;
  }

  /**
   * A violation of a rule about settings.
   *
   * @param keys the settings that the rule is about, the one to blame first
   * @param value as shown to the operator; empty to show none
   * @param rule what should hold
   */
  record Problem(List<String> keys, String value, String rule) {

    String text(String label) {
      return label + (value.isEmpty() ? "" : " = " + value) + ": " + rule;
    }

    /** Returns the problem, with its key. */
    String text() {
      return text(keys.get(0));
    }
  }
}
