package carillon.support;

import carillon.config.DispatchSettings;
import carillon.config.EgressSettings;
import carillon.config.HistorySettings;
import carillon.config.JobsSettings;
import carillon.config.NodeSettings;
import carillon.config.QueuesSettings;
import carillon.config.Settings;
import java.time.Duration;
import java.util.List;

/** The defaults with one section replaced, and with no heartbeats but those that the test makes. */
public final class EngineSettings {
  /** After so long without a heartbeat, by Redis' clock, a node is dead. */
  public static final Duration LEASE = Duration.ofMinutes(3);

  private EngineSettings() {}

  /** No section replaced. */
  public static Settings stepped() {
    return with(node("", NodeSettings.Role.values()));
  }

  /** Its own heartbeats are as good as never, and so is what comes with them: the test steps. */
  public static NodeSettings node(String id, NodeSettings.Role... roles) {
    return new NodeSettings(
        id, List.of(roles), Duration.ofMinutes(1), LEASE, Settings.defaults().node().stopGrace());
  }

  public static Settings with(EgressSettings egress) {
    Settings d = stepped();
    return with(d.node(), d.dispatch(), egress, d.history());
  }

  public static Settings with(QueuesSettings queues) {
    Settings d = stepped();
    return with(d.node(), d.dispatch(), queues, d.egress(), d.history());
  }

  public static Settings with(DispatchSettings dispatch) {
    Settings d = stepped();
    return with(d.node(), dispatch, d.egress(), d.history());
  }

  public static Settings with(DispatchSettings dispatch, JobsSettings jobs) {
    Settings d = stepped();
    return with(d.node(), dispatch, d.queues(), d.egress(), d.history(), jobs);
  }

  public static Settings with(HistorySettings history) {
    Settings d = stepped();
    return with(d.node(), d.dispatch(), d.egress(), history);
  }

  public static Settings with(NodeSettings node) {
    Settings d = Settings.defaults();
    return with(node, d.dispatch(), d.egress(), d.history());
  }

  private static Settings with(
      NodeSettings node,
      DispatchSettings dispatch,
      EgressSettings egress,
      HistorySettings history) {
    return with(node, dispatch, Settings.defaults().queues(), egress, history);
  }

  private static Settings with(
      NodeSettings node,
      DispatchSettings dispatch,
      QueuesSettings queues,
      EgressSettings egress,
      HistorySettings history) {
    return with(node, dispatch, queues, egress, history, Settings.defaults().jobs());
  }

  private static Settings with(
      NodeSettings node,
      DispatchSettings dispatch,
      QueuesSettings queues,
      EgressSettings egress,
      HistorySettings history,
      JobsSettings jobs) {
    Settings d = Settings.defaults();
    return new Settings(
        d.http(),
        d.rates(),
        d.access(),
        d.redis(),
        d.data(),
        d.embedded(),
        node,
        d.partitions(),
        d.timer(),
        dispatch,
        queues,
        egress,
        d.retry(),
        history,
        d.audit(),
        jobs,
        d.collections(),
        d.limits(),
        d.arm(),
        d.secrets(),
        d.oauth(),
        d.metrics(),
        d.tracing(),
        d.log());
  }
}
