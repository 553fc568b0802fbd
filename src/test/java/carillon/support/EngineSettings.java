package carillon.support;

import carillon.config.Settings;
import carillon.config.TestSettings;
import java.time.Duration;

/** Settings under which only the test sends heartbeats. */
public final class EngineSettings {
  /** A node is dead after this time without a heartbeat, by Redis' clock. */
  public static final Duration LEASE = Duration.ofMinutes(3);

  private EngineSettings() {}

  /**
   * Returns the defaults with each {@code key=value} set. The node's own heartbeats, and the steps
   * that follow them, are too rare to matter. The test triggers them instead.
   */
  public static Settings with(String... settings) {
    Settings stepped =
        TestSettings.with(
            "node.heartbeat=1m",
            "node.lease=" + LEASE,
            "node.stopGrace=2s",
            "partitions=" + Engine.KEYS.partitions());
    return TestSettings.with(stepped, settings);
  }
}
