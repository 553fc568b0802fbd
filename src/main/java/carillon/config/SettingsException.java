package carillon.config;

import java.util.List;

/**
 * Settings that cannot be used. Holds every problem found, one line each, with key (or variable),
 * value and rule; no secrets.
 */
public final class SettingsException extends IllegalArgumentException {
  private final transient List<SettingProblem> details;
  private final List<String> problems;

  SettingsException(List<String> problems, List<SettingProblem> details) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
    this.details = List.copyOf(details);
  }

  /** One line per problem, at least one. */
  public List<String> problems() {
    return problems;
  }

  /** The problems a record found in itself; the loader names their origin. */
  List<SettingProblem> details() {
    return details;
  }
}
