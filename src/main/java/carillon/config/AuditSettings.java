package carillon.config;

import static carillon.config.SettingRules.KB;

/** How much of what clients change is kept. */
public record AuditSettings(int entries, int definitionBytes, boolean newDefinitions) {
  public AuditSettings {
    new SettingRules("audit")
        .between("entries", entries, 0, 10_000_000)
        .between("definitionBytes", definitionBytes, 0, 64 * KB)
        .check();
  }

  /** What holds where nothing is set. */
  static AuditSettings defaults() {
    return new AuditSettings(100_000, 4 * KB, false);
  }
}
