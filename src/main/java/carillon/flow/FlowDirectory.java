package carillon.flow;

import carillon.job.action.Action;
import carillon.job.action.Destination;
import carillon.job.name.NameRules;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * All flows, and the flow of each action. The action names its flow; otherwise the flow with the
 * most exact pattern for its destination counts. The host itself precedes a wildcard, a longer
 * wildcard a shorter one, and a pattern with a port one without. Of two flows with the same pattern
 * the first by name counts. Immutable.
 */
public final class FlowDirectory {
  /** Directory without flows. */
  public static final FlowDirectory EMPTY = new FlowDirectory(List.of());

  private final Map<String, Flow> flows = new HashMap<>();
  private final Map<GroupPattern, Flow> matches = new HashMap<>();

  /** Groups with a flow that has a pattern. */
  private final Set<String> matchingGroups = new HashSet<>();

  /** A pattern in a group, {@code sub/group} in lower case. */
  private record GroupPattern(String group, HostPattern pattern) {}

  public FlowDirectory(Collection<Flow> all) {
    Map<String, Flow> sorted = new TreeMap<>();
    all.forEach(flow -> sorted.put(flow.name().key(), flow));
    sorted.forEach(
        (key, flow) -> {
          flows.put(key, flow);
          String group = key.substring(0, key.lastIndexOf('/'));
          flow.definition()
              .match()
              .forEach(
                  pattern -> {
                    matches.putIfAbsent(new GroupPattern(group, pattern), flow);
                    matchingGroups.add(group);
                  });
        });
  }

  public boolean isEmpty() {
    return flows.isEmpty();
  }

  public Collection<Flow> all() {
    return flows.values();
  }

  /** The flow with this {@linkplain FlowName#key key}, if there is one. */
  public Optional<Flow> find(String key) {
    return Optional.ofNullable(flows.get(key));
  }

  /**
   * Returns the flow that an action passes. Empty if it passes none, or names a flow that is
   * deleted or does not admit the collection.
   *
   * @param collection of the job, {@code sub/group/collection} in lower case
   */
  public Optional<Flow> of(String collection, Action action) {
    if (flows.isEmpty()) {
      return Optional.empty();
    }
    int slash = collection.lastIndexOf('/');
    String group = collection.substring(0, slash);
    return action.flow().isPresent()
        ? find(group + "/" + NameRules.fold(action.flow().get()))
            .filter(flow -> flow.definition().keeps(collection.substring(slash + 1)))
        : matches.isEmpty() ? Optional.empty() : matching(group, action.call().destination());
  }

  /**
   * Whether a flow of some group matches this destination. Actions of that group then pass the
   * flow.
   */
  public boolean isMatched(Destination destination) {
    return matchingGroups.stream().anyMatch(group -> matching(group, destination).isPresent());
  }

  private Optional<Flow> matching(String group, Destination destination) {
    Flow found = matching(group, false, destination.host(), destination.port());
    for (int dot = destination.host().indexOf('.');
        found == null && dot >= 0;
        dot = destination.host().indexOf('.', dot + 1)) {
      found = matching(group, true, destination.host().substring(dot + 1), destination.port());
    }
    return Optional.ofNullable(found);
  }

  private Flow matching(String group, boolean isWildcard, String host, int port) {
    Flow ofPort = matches.get(new GroupPattern(group, new HostPattern(isWildcard, host, port)));
    return ofPort != null
        ? ofPort
        : matches.get(
            new GroupPattern(group, new HostPattern(isWildcard, host, HostPattern.ANY_PORT)));
  }
}
