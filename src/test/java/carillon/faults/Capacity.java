package carillon.faults;

import carillon.faults.Journal.Call;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Number of concurrent calls that a node makes to a target with enough waiting calls. It must be
 * the same at the end of a scenario as at the beginning.
 */
final class Capacity {
  /** Prefix of the names of jobs that measure the capacity. */
  static final String PREFIX = "room-";

  static final String BEFORE = PREFIX + "before-";
  static final String AFTER = PREFIX + "after-";

  private Capacity() {}

  /** Number of slots that the nodes had before and no longer have. */
  static int missing(Collection<Call> calls) {
    Map<String, Integer> after = peaks(calls, AFTER);
    return after.isEmpty()
        ? 0
        : peaks(calls, BEFORE).entrySet().stream()
            .mapToInt(
                before -> Math.max(0, before.getValue() - after.getOrDefault(before.getKey(), 0)))
            .sum();
  }

  /** Maximum number of concurrent calls of each node. */
  static Map<String, Integer> peaks(Collection<Call> calls, String prefix) {
    return calls.stream()
        .filter(call -> call.job().startsWith(prefix) && call.answered().isPresent())
        .collect(
            Collectors.groupingBy(
                Call::node, Collectors.collectingAndThen(Collectors.toList(), Capacity::peak)));
  }

  /** Maximum number of these calls that were in flight at the same time. */
  static int peak(List<Call> calls) {
    record Turn(Instant at, int by) {}
    List<Turn> turns = new ArrayList<>();
    for (Call call : calls) {
      turns.add(new Turn(call.arrived(), 1));
      turns.add(new Turn(call.answered().orElseThrow(), -1));
    }
    turns.sort((a, b) -> a.at.equals(b.at) ? a.by - b.by : a.at.compareTo(b.at));
    int now = 0;
    int most = 0;
    for (Turn turn : turns) {
      now += turn.by;
      most = Math.max(most, now);
    }
    return most;
  }
}
