package carillon.life;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Limits of a flow that Redis goes by: those of the greatest revision that any node told. */
final class FlowLimits {
  private static final Pattern LIMIT = Pattern.compile("(\\S+)=(\\S+)");

  private Map<String, Double> limits = Map.of();
  private long revision = -1;

  /** The revision that each node told last. */
  private final Map<String, Long> told = new HashMap<>();

  /**
   * Reads those of a call of flow_take.
   *
   * @return whether others hold from now on
   */
  boolean read(ScriptCall sent) {
    long known = Long.parseLong(sent.argument(7));
    told.put(sent.party(), known);
    Map<String, Double> before = limits;
    if (known >= revision) {
      revision = known;
      limits =
          LIMIT
              .matcher(sent.argument(6))
              .results()
              .collect(
                  Collectors.toMap(
                      match -> match.group(1), match -> Double.parseDouble(match.group(2))));
    }
    return !limits.equals(before);
  }

  boolean has(String name) {
    return limits.containsKey(name);
  }

  /** The number of this name, 0 where there is none. */
  double exact(String name) {
    return limits.getOrDefault(name, 0.0);
  }

  /** The same, of what is whole. */
  long of(String name) {
    return (long) exact(name);
  }

  /** Whether a node goes by them, too. */
  boolean isKnownTo(String node) {
    return told.getOrDefault(node, -1L) == revision;
  }
}
