package carillon.support;

import carillon.config.Settings;
import carillon.config.TestSettings;
import java.time.Duration;

/** Settings with no heartbeats but those that the test makes. */
public final class EngineSettings {
  /** After so long without a heartbeat, by Redis' clock, a node is dead. */
  public static final Duration LEASE = Duration.ofMinutes(3);

  private EngineSettings() {}

  /**
   * The defaults with each {@code key=value} set. The node's own heartbeats are as good as never,
   * and so is what comes with them: the test steps.
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
