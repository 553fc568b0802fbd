package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MembershipTest {
  private static final int PARTITIONS = 256;

  private static Map<String, Long> beating(int nodes) {
    return IntStream.range(0, nodes)
        .boxed()
        .collect(Collectors.toMap(i -> "node-" + i, i -> 1000L));
  }

  private static Membership seenBy(String node, Map<String, Long> beats) {
    Membership members = new Membership(node, PARTITIONS);
    members.update(beats, 500);
    return members;
  }

  @Test
  void aLonelyNodeIsFirstEverywhere() {
    Membership members = seenBy("node-0", Map.of());

    assertTrue(IntStream.range(0, PARTITIONS).allMatch(p -> members.rank(p) == 0));
  }

  @Test
  void allNodesAgreeOnWhoIsFirstSecondAndThird() {
    Map<String, Long> beats = beating(7);
    List<Membership> views = beats.keySet().stream().map(node -> seenBy(node, beats)).toList();

    for (int partition = 0; partition < PARTITIONS; partition++) {
      int p = partition;
      Set<Integer> ranks =
          views.stream().map(view -> view.rank(p)).collect(Collectors.toCollection(TreeSet::new));
      assertEquals(Set.of(0, 1, 2, 3, 4, 5, 6), ranks);
    }
  }

  @Test
  void thePartitionsAreSpreadFairly() {
    Map<String, Long> beats = beating(8);

    for (String node : beats.keySet()) {
      Membership view = seenBy(node, beats);
      long first = IntStream.range(0, PARTITIONS).filter(p -> view.rank(p) == 0).count();
      assertTrue(first > 16 && first < 56, node + " is first in " + first + " of 256, fair is 32");
    }
  }

  @Test
  void aNodeThatLeavesMovesOnlyItsOwnPartitions() {
    Map<String, Long> before = beating(5);
    Map<String, Long> after = new HashMap<>(before);
    after.remove("node-3");

    for (String node : after.keySet()) {
      Membership view = seenBy(node, before);
      Membership later = seenBy(node, after);
      for (int p = 0; p < PARTITIONS; p++) {
        assertTrue(view.rank(p) != 0 || later.rank(p) == 0, node + " lost partition " + p);
      }
    }
  }

  @Test
  void aSilentNodeIsDeadAndThisNodeNeverIs() {
    Membership members = seenBy("node-0", Map.of("node-0", 0L, "node-1", 499L, "node-2", 500L));

    assertEquals(List.of("node-1"), members.dead());
    assertEquals(2, members.alive());
  }
}
