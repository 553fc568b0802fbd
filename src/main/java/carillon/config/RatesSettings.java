package carillon.config;

/** How many requests a minute a node answers; 0 for any number. */
public record RatesSettings(int perCaller, int perCollection) {
  public RatesSettings {
    new SettingRules("rates")
        .between("perCaller", perCaller, 0, 1_000_000_000)
        .between("perCollection", perCollection, 0, 1_000_000_000)
        .check();
  }

  /** What holds where nothing is set. */
  static RatesSettings defaults() {
    return new RatesSettings(0, 0);
  }
}
