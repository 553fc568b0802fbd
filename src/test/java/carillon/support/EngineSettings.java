package carillon.support;

import carillon.config.Settings;

/** The defaults with one section replaced. */
public final class EngineSettings {
  private EngineSettings() {}

  public static Settings with(Settings.Egress egress) {
    Settings d = Settings.defaults();
    return with(d.node(), d.dispatch(), egress, d.history());
  }

  public static Settings with(Settings.Dispatch dispatch) {
    Settings d = Settings.defaults();
    return with(d.node(), dispatch, d.egress(), d.history());
  }

  public static Settings with(Settings.History history) {
    Settings d = Settings.defaults();
    return with(d.node(), d.dispatch(), d.egress(), history);
  }

  public static Settings with(Settings.Node node) {
    Settings d = Settings.defaults();
    return with(node, d.dispatch(), d.egress(), d.history());
  }

  private static Settings with(
      Settings.Node node,
      Settings.Dispatch dispatch,
      Settings.Egress egress,
      Settings.History history) {
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
