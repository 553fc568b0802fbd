package carillon.api;

import carillon.api.edge.AdmissionLimits;
import carillon.api.edge.AllowedHosts;
import carillon.config.Settings;
import carillon.config.TestSettings;

/** Limits of the API in tests. */
public final class TestLimits {
  private TestLimits() {}

  /** Returns admission limits with only those limits that the {@code key=value} settings set. */
  public static AdmissionLimits admission(String... settings) {
    return admission(AllowedHosts.any(), Runtime.getRuntime().maxMemory(), settings);
  }

  /** Returns the same for these host names and a heap of this size in bytes. */
  public static AdmissionLimits admission(AllowedHosts names, long heap, String... settings) {
    Settings unlimited =
        TestSettings.with(
            "http.maxConnections=1000000",
            "http.maxConnectionsPerAddress=0",
            "http.jobsMayWrite=true");
    Settings limited = TestSettings.with(unlimited, settings);
    return new AdmissionLimits(limited.http(), limited.rates(), names, heap);
  }
}
