package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.store.node.NodeStore.Heartbeats;
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
  private static final long LEASE = 1000;

  private static Map<String, Long> beating(int nodes) {
    return IntStream.range(0, nodes)
        .boxed()
        .collect(Collectors.toMap(i -> "node-" + i, i -> 1000L));
  }

  private static Membership seenBy(String node, Map<String, Long> beats) {
    return seenBy(node, true, new Heartbeats(beats, Map.of()));
  }

  private static Membership seenBy(String node, boolean working, Heartbeats beats) {
    Membership members = new Membership(node, PARTITIONS, working);
    members.update(beats, 500 + LEASE, LEASE);
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

  @Test
  void aBystanderTakesNoPartitionAndIsNoRank() {
    Heartbeats beats = new Heartbeats(beating(2), Map.of("aside", 1000L));

    Membership worker = seenBy("node-0", true, beats);
    Membership idle = seenBy("aside", false, beats);

    assertEquals(2, worker.workers());
    assertEquals(3, worker.alive());
    assertEquals(PARTITIONS, worker.byRank().get(0) + worker.byRank().get(1));
    assertEquals(List.of(0, 0, 0, 0), idle.byRank());
    assertEquals(2, idle.workers());
  }

  @Test
  void aSilentBystanderIsDeadToo() {
    Heartbeats beats = new Heartbeats(Map.of(), Map.of("gone", 499L));

    assertEquals(List.of("gone"), seenBy("node-0", true, beats).dead());
  }

  @Test
  void whoMovesFromOneListToTheOtherIsOnBothForAMomentAndNotDead() {
    Heartbeats beats = new Heartbeats(Map.of("leaver", 499L), Map.of("leaver", 500L));

    Membership members = seenBy("node-0", true, beats);

    assertEquals(List.of(), members.dead());
    assertEquals(1, members.workers());
  }

  @Test
  void whoComesAndGoesIsTold() {
    Membership members = new Membership("node-0", PARTITIONS, true);

    Membership.Change first =
        members.update(new Heartbeats(beating(2), Map.of()), 500 + LEASE, LEASE);
    Membership.Change same =
        members.update(new Heartbeats(beating(2), Map.of()), 600 + LEASE, LEASE);
    Membership.Change next =
        members.update(
            new Heartbeats(Map.of("node-1", 0L, "node-2", 1000L), Map.of()), 500 + LEASE, LEASE);

    assertEquals(List.of("node-0", "node-1"), first.joined());
    assertTrue(same.isNone());
    assertEquals(List.of("node-2"), next.joined());
    assertEquals(List.of("node-1"), next.left());
  }

  @Test
  void aNodeThatDiedBeforeTheClockWasSetBackIsDeadALeaseAfterItWasLastHeardOf() {
    Membership members = new Membership("node-0", PARTITIONS, true);
    Heartbeats before = new Heartbeats(Map.of("node-1", 300_000L), Map.of());

    members.update(before, 1000, LEASE);
    members.update(before, 2000, LEASE);
    assertEquals(List.of(), members.dead());
    members.update(before, 2001, LEASE);

    assertEquals(List.of("node-1"), members.dead());
  }

  @Test
  void aNodeThatBeatsAheadOfTheClockIsAlive() {
    Membership members = new Membership("node-0", PARTITIONS, true);

    for (long now = 1000; now < 5000; now += 500) {
      members.update(new Heartbeats(Map.of("node-1", now + 3000), Map.of()), now, LEASE);
    }

    assertEquals(List.of(), members.dead());
    assertEquals(2, members.alive());
  }

  @Test
  void thePartitionsThatANodeGainsAreTold() {
    Membership members = seenBy("node-0", beating(2));
    int first = members.byRank().get(0);
    assertEquals(first, members.gained().cardinality());

    members.update(new Heartbeats(beating(1), Map.of()), 500 + LEASE, LEASE);
    assertEquals(PARTITIONS - first, members.gained().cardinality());

    members.update(new Heartbeats(beating(1), Map.of()), 500 + LEASE, LEASE);
    assertEquals(0, members.gained().cardinality());
  }

  @Test
  void namesOfTheSameHashDoNotShareAPlace() {
    assertEquals("Aa".hashCode(), "BB".hashCode());
    Map<String, Long> beats = Map.of("Aa", 1000L, "BB", 1000L);

    assertEquals(List.of(PARTITIONS, 0, 0, 0), seenBy("Aa", beats).byRank());
    assertEquals(List.of(0, PARTITIONS, 0, 0), seenBy("BB", beats).byRank());
  }
}
