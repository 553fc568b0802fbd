package carillon.load;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the figures depend on. */
public final class MachineInfo {
  /**
   * Vert.x: the servers of one Vert.x that listen on the same negative port share one free port.
   */
  public static final int SHARED_FREE_PORT = -1;

  private MachineInfo() {}

  /** Processors that Java sees. */
  public static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Those that the embedded Redis leaves, which has one to itself. */
  public static int processorsBesideRedis() {
    return Math.max(1, processors() - 1);
  }

  /** Names and values, in the order in which they are shown. */
  public static Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("processors", processors() + " (shared by load, scheduler, Redis and target)");
    facts.put(
        "system", property("os.name") + " " + property("os.version") + " " + property("os.arch"));
    facts.put("JVM", property("java.vm.name") + " " + property("java.runtime.version"));
    facts.put(
        "load average at start",
        Table.number(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
    return facts;
  }

  private static String property(String name) {
    return System.getProperty(name);
  }
}
