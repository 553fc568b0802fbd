package carillon.faults;

import java.util.List;
import picocli.CommandLine.Option;

/** Options of the suite. It runs every scenario unless an option says otherwise. */
final class FaultsOptions {
  @Option(
      names = "--short",
      description = "the most telling faults in two or three minutes, and three planted bugs")
  private boolean isShort;

  @Option(names = "--planted", description = "the planted bugs alone: the checker must find each")
  private boolean planted;

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      split = ",",
      hideParamSyntax = true,
      description = "one scenario, or several with commas between them")
  private List<String> scenarios = List.of();

  @Option(names = "--list", description = "the scenarios and what they do")
  private boolean list;

  @Option(
      names = "--keep",
      description = "keep the journals and the logs of the nodes, and say where")
  private boolean keep;

  boolean isShort() {
    return isShort;
  }

  /** Whether only the planted bugs run. */
  boolean planted() {
    return planted;
  }

  /** The only scenarios to run; empty for all. */
  List<String> scenarios() {
    return List.copyOf(scenarios);
  }

  /** Whether the command only lists the scenarios. */
  boolean list() {
    return list;
  }

  /** Whether journals and logs are kept. */
  boolean keep() {
    return keep;
  }
}
