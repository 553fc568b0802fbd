package carillon.load;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/** Facts about this machine that the figures depend on. */
public final class MachineInfo {
  /**
   * Negative port of a server. In Vert.x, servers of one Vert.x with the same negative port share
   * one free port.
   */
  public static final int SHARED_FREE_PORT = -1;

  private MachineInfo() {}

  /** Returns the number of processors that Java sees. */
  public static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Returns the number of processors without the one that the embedded Redis uses; at least 1. */
  public static int processorsBesideRedis() {
    return Math.max(1, processors() - 1);
  }

  /** Returns names and values in display order. */
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
