package carillon.config;

/** What Prometheus reads at {@code /metrics}. */
public record MetricsSettings(boolean enabled, int destinations) {
  public MetricsSettings {
    new SettingRules("metrics").between("destinations", destinations, 0, 10_000).check();
  }

  /** What holds where nothing is set. */
  static MetricsSettings defaults() {
    return new MetricsSettings(true, 100);
  }
}
