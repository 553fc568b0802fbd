package carillon;

import carillon.config.Settings;
import carillon.log.JsonLines;
import ch.qos.logback.classic.LoggerContext;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.LoggerFactory;

/** The id of this node among the others. */
final class NodeName {
  private NodeName() {}

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
      context.putProperty(JsonLines.NODE, id);
    }
  }
}
