package carillon.faults;

import carillon.faults.Journal.Call;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How many calls a node makes at once to a target that has more to do than that: what it is when a
 * scenario begins, it must be when all is over.
 */
final class Capacity {
  /** How the names begin of jobs by which it is measured. */
  static final String PREFIX = "room-";

  static final String BEFORE = PREFIX + "before-";
  static final String AFTER = PREFIX + "after-";

  private Capacity() {}

  /** Places that the nodes had before and have no longer. */
  static int missing(Collection<Call> calls) {
    Map<String, Integer> after = peaks(calls, AFTER);
    return after.isEmpty()
        ? 0
        : peaks(calls, BEFORE).entrySet().stream()
            .mapToInt(
                before -> Math.max(0, before.getValue() - after.getOrDefault(before.getKey(), 0)))
            .sum();
  }

  /** Most calls of each node at once. */
  static Map<String, Integer> peaks(Collection<Call> calls, String prefix) {
    return calls.stream()
        .filter(call -> call.job().startsWith(prefix) && call.answered().isPresent())
        .collect(
            Collectors.groupingBy(
                Call::node, Collectors.collectingAndThen(Collectors.toList(), Capacity::peak)));
  }

  /** Most of these calls at once. */
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
