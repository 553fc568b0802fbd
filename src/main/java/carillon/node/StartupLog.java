package carillon.node;

import carillon.config.Settings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the log says of a node that has started: what is unsafe, then the start line. */
final class StartupLog {
  /** The start is the App's to tell. */
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  private StartupLog() {}

  static void log(NodeContext node, StartupValidation.Found found, int port) {
    Settings settings = node.settings();
    found.unsafe().forEach(finding -> LOG.atWarn().log("unsafe: {}", finding));
    LOG.atInfo()
        .addKeyValue("version", Version.current())
        .addKeyValue("redis", found.redis().version() + topology(node, found))
        .addKeyValue("durability", found.durability())
        .addKeyValue("partitions", settings.partitions())
        .addKeyValue("node", node.id())
        .addKeyValue("roles", settings.node().roles())
        .addKeyValue("secrets", node.keys().origin())
        .addKeyValue("targets", found.way().describe())
        .addKeyValue("access", AccessSetup.describe(settings, node.operator()))
        .log(
            "Carillon is listening on {}://{}:{}",
            settings.http().tls().isEnabled() ? "https" : "http",
            settings.http().host(),
            port);
  }

  private static String topology(NodeContext node, StartupValidation.Found found) {
    return switch (node.settings().redis().mode()) {
      case STANDALONE -> node.embedded() ? " (embedded)" : "";
      case SENTINEL -> " (sentinel, " + found.redis().replicas() + " replicas)";
      case CLUSTER -> " (cluster, " + found.redis().masters() + " masters)";
    };
  }
}
