package carillon.life;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Limits of a flow in Redis: the limits of the greatest revision that any node sent. */
final class FlowLimits {
  private static final Pattern LIMIT = Pattern.compile("(\\S+)=(\\S+)");

  private Map<String, Double> limits = Map.of();
  private long revision = -1;

  /** The last revision that each node sent. */
  private final Map<String, Long> told = new HashMap<>();

  /**
   * Reads the limits from a call of flow_take.
   *
   * @return whether other limits apply from now on
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

  /** Returns the number of this name, 0 if absent. */
  double exact(String name) {
    return limits.getOrDefault(name, 0.0);
  }

  /** Returns the whole number of this name, 0 if absent. */
  long of(String name) {
    return (long) exact(name);
  }

  /** Whether a node applies these limits, too. */
  boolean isKnownTo(String node) {
    return told.getOrDefault(node, -1L) == revision;
  }
}
