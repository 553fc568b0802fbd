package carillon.node;

import carillon.config.Settings;
import carillon.observe.JsonLogEncoder;
import ch.qos.logback.classic.LoggerContext;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.LoggerFactory;

/** The id of this node among the others. */
final class NodeId {
  private NodeId() {}

  /**
   * That of the settings, or one of its own. An embedded Redis has one node, whose claims are its
   * own also after a crash; elsewhere a new id cannot be in use.
   */
  static String of(Settings settings, boolean embedded) {
    if (!settings.node().id().isEmpty()) {
      return settings.node().id();
    }
    return embedded
        ? "local"
        : hostName() + "-" + Long.toHexString(ThreadLocalRandom.current().nextLong(1L << 40));
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9._-]", "-");
    } catch (UnknownHostException e) {
      return "node";
    }
  }

  /** From now on lines in JSON name the node. */
  static void tellLog(String id) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.putProperty(JsonLogEncoder.NODE, id);
    }
  }
}
