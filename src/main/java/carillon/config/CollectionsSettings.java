package carillon.config;

/** Collections of jobs. */
public record CollectionsSettings(@Setting(key = "default") String first) {
  public CollectionsSettings {
    new SettingRules("collections").nameOrEmpty("default", first).check();
  }

  /** What holds where nothing is set. */
  static CollectionsSettings defaults() {
    return new CollectionsSettings("default");
  }
}
