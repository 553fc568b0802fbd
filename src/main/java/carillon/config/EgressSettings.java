package carillon.config;

import java.util.List;

/** What jobs may call. The entries are read by the policy itself, which refuses at start. */
public record EgressSettings(List<String> allow, Loopback loopback) {

  /** Whether jobs may call this machine. */
  public enum Loopback {
    /**
     * In a first trial: the API is on loopback and open, for no other name, and Redis is embedded.
     */
    AUTO,
    ALLOW,
    DENY
  }

  public EgressSettings {
    allow = List.copyOf(allow);
  }

  /** What holds where nothing is set. */
  static EgressSettings defaults() {
    return new EgressSettings(List.of(), Loopback.AUTO);
  }
}
