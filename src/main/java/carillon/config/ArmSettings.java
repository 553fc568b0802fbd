package carillon.config;

/** How much a subscription may ask of a node in the ARM dialect. Bursts are of five minutes. */
public record ArmSettings(int writesPerHour, int readsPerHour, int burstWrites, int burstReads) {
  private static final int MOST = 1_000_000_000;

  public ArmSettings {
    new SettingRules("arm")
        .between("writesPerHour", writesPerHour, 1, MOST)
        .between("readsPerHour", readsPerHour, 1, MOST)
        .between("burstWrites", burstWrites, 1, MOST)
        .between("burstReads", burstReads, 1, MOST)
        .check();
  }

  /** What holds where nothing is set. */
  static ArmSettings defaults() {
    return new ArmSettings(1_000_000_000, 1_000_000_000, 100_000_000, 100_000_000);
  }
}
