package carillon.config;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import java.time.Duration;
import java.util.List;

/**
 * Section {@code node}: this process among the others on the same Redis.
 *
 * @param eventLoops how many the node has; 0 for as many as suit the machine
 * @param warmUp how long, at most, a load of its own runs before the node starts; zero for none
 */
public record NodeSettings(
    String id,
    List<NodeRole> roles,
    int eventLoops,
    Duration warmUp,
    Duration heartbeat,
    Duration lease,
    Duration stopGrace) {
  private static final int MAX_EVENT_LOOPS = 256;

  /** Task of a node. */
  public enum NodeRole {
    /** Serves the API. */
    API("api"),
    /** Finds due work and makes the calls. */
    TIMER_DISPATCH("timer+dispatch");

    private final String word;

    NodeRole(String word) {
      this.word = word;
    }

    @Override
    public String toString() {
      return word;
    }
  }

  public NodeSettings {
    roles = List.copyOf(roles);
    new SettingRules("node")
        .require(!roles.isEmpty(), "roles", roles, "must be api, timer+dispatch or both")
        .nameOrEmpty("id", id)
        .between("eventLoops", eventLoops, 0, MAX_EVENT_LOOPS)
        .between("warmUp", warmUp, Duration.ZERO, ofMinutes(10))
        .between("heartbeat", heartbeat, ofMillis(100), ofMinutes(1))
        .between("lease", lease, ofSeconds(2), ofMinutes(10))
        .require(
            lease.compareTo(heartbeat.multipliedBy(3)) >= 0,
            "lease",
            lease,
            "must be at least 3 times node.heartbeat (" + DurationText.format(heartbeat) + ")",
            "node.heartbeat")
        .between("stopGrace", stopGrace, Duration.ZERO, ofHours(1))
        .check();
  }

  /** Returns the default settings. */
  static NodeSettings defaults() {
    return new NodeSettings(
        "",
        List.of(NodeRole.values()),
        0,
        Duration.ZERO,
        ofSeconds(2),
        ofSeconds(10),
        ofSeconds(30));
  }

  /** Whether this node has that role. */
  public boolean has(NodeRole role) {
    return roles.contains(role);
  }
}
