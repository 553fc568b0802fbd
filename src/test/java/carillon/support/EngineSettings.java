package carillon.support;

import carillon.config.DispatchSettings;
import carillon.config.EgressSettings;
import carillon.config.HistorySettings;
import carillon.config.NodeSettings;
import carillon.config.Settings;

/** The defaults with one section replaced. */
public final class EngineSettings {
  private EngineSettings() {}

  public static Settings with(EgressSettings egress) {
    Settings d = Settings.defaults();
    return with(d.node(), d.dispatch(), egress, d.history());
  }

  public static Settings with(DispatchSettings dispatch) {
    Settings d = Settings.defaults();
    return with(d.node(), dispatch, d.egress(), d.history());
  }

  public static Settings with(HistorySettings history) {
    Settings d = Settings.defaults();
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
        d.queues(),
        egress,
        d.retry(),
        history,
        d.audit(),
        d.jobs(),
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
