package carillon.config;

import java.util.List;

/**
 * Something that is wrong with a setting.
 *
 * @param keys the settings that the rule is about, the one to blame first
 * @param value as shown to the operator; empty to show none
 * @param rule what should hold
 */
record SettingProblem(List<String> keys, String value, String rule) {

  String text(String label) {
    return label + (value.isEmpty() ? "" : " = " + value) + ": " + rule;
  }

  /** Named by its key. */
  String text() {
    return text(keys.get(0));
  }
}
