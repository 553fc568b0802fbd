package carillon.timer;

import carillon.store.node.NodeStore.Heartbeats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToLongBiFunction;

/**
 * View of the nodes: alive nodes, dead nodes, and the order in which they poll each partition. The
 * order follows from rendezvous hashing among the nodes that share the partitions. Nodes therefore
 * agree without messages, and a change of one node moves only its own partitions. A wrong view
 * costs a wasted poll, never a double claim. Confined to one thread.
 */
final class Membership {
  /** Maximum rank of a node that polls. */
  static final int LAST_RANK = 3;

  /** Delay of the poll of each rank after the one before. Higher ranks also poll less often. */
  static final Duration RANK_STEP = Duration.ofMillis(250);

  private static final int NONE = Integer.MAX_VALUE;

  private final String self;
  private final boolean working;
  private final int[] ranks;
  private final BitSet gained = new BitSet();
  private final Map<String, Ahead> ahead = new HashMap<>();
  private List<String> workers = List.of();
  private SortedSet<String> alive = new TreeSet<>();
  private List<String> dead = List.of();
  private long longestSilent = Long.MAX_VALUE;

  /**
   * Creates a view without other nodes.
   *
   * @param working whether this node shares the partitions
   */
  Membership(String self, int partitions, boolean working) {
    this.self = self;
    this.working = working;
    this.ranks = new int[partitions];
    Arrays.fill(ranks, NONE);
  }

  /** Heartbeat ahead of the clock, and the instant at which it was first seen. */
  private record Ahead(long beat, long since) {}

  /** Nodes that joined and nodes that left. */
  record Change(List<String> joined, List<String> left) {
    boolean isNone() {
      return joined.isEmpty() && left.isEmpty();
    }
  }

  /**
   * Updates the view.
   *
   * @param now epoch ms
   * @param lease silence (ms) after which a node is dead; this node itself never is
   */
  Change update(Heartbeats heartbeats, long now, long lease) {
    longestSilent = Long.MAX_VALUE;
    ahead.keySet().removeIf(node -> heartbeats.of(node).isEmpty());
    long silentSince = now - lease;
    ToLongBiFunction<String, Long> heard = (node, beat) -> heard(node, beat, now);
    SortedSet<String> nowDead = new TreeSet<>();
    SortedSet<String> nowAlive = new TreeSet<>(List.of(self));
    sort(heartbeats.idleNodes(), heard, silentSince, nowAlive, nowDead);
    SortedSet<String> nowWorking = new TreeSet<>();
    sort(heartbeats.workers(), heard, silentSince, nowWorking, nowDead);
    nowAlive.addAll(nowWorking);
    if (working) {
      nowWorking.add(self);
    }
    nowDead.removeAll(nowAlive);
    dead = List.copyOf(nowDead);
    Change change = new Change(without(nowAlive, alive), without(alive, nowAlive));
    alive = nowAlive;
    gained.clear();
    if (!workers.equals(List.copyOf(nowWorking))) {
      workers = List.copyOf(nowWorking);
      rank();
    }
    return change;
  }

  private void sort(
      Map<String, Long> beats,
      ToLongBiFunction<String, Long> heard,
      long silentSince,
      SortedSet<String> toAlive,
      SortedSet<String> toDead) {
    beats.forEach(
        (node, beat) -> {
          if (!node.equals(self)) {
            long last = heard.applyAsLong(node, beat);
            if (last < silentSince) {
              toDead.add(node);
            } else {
              toAlive.add(node);
              longestSilent = Math.min(longestSilent, last);
            }
          }
        });
  }

  /**
   * Returns when a node last sent a heartbeat. All heartbeats are ahead of a clock that was set
   * back, and say nothing about their age. They count from the instant at which they were first
   * seen.
   */
  private long heard(String node, long beat, long now) {
    if (beat <= now) {
      ahead.remove(node);
      return beat;
    }
    Ahead seen = ahead.get(node);
    if (seen == null || seen.beat != beat || seen.since > now) {
      seen = new Ahead(beat, now);
      ahead.put(node, seen);
    }
    return seen.since;
  }

  private static List<String> without(SortedSet<String> nodes, SortedSet<String> others) {
    List<String> rest = new ArrayList<>(nodes);
    rest.removeAll(others);
    return rest;
  }

  private void rank() {
    for (int partition = 0; partition < ranks.length && working; partition++) {
      int before = ranks[partition];
      ranks[partition] = rank(partition, workers);
      gained.set(partition, ranks[partition] == 0 && before != 0);
    }
  }

  private int rank(int partition, List<String> nodes) {
    long own = weight(self, partition);
    int rank = 0;
    for (String node : nodes) {
      int order = node.equals(self) ? -1 : Long.compareUnsigned(weight(node, partition), own);
      if (order > 0 || (order == 0 && node.compareTo(self) < 0)) {
        rank++;
      }
    }
    return rank;
  }

  /** Highest random weight (Thaler and Ravishankar, 1998), mixed by the finalizer of SplitMix64. */
  private static long weight(String node, int partition) {
    long mixed = node.hashCode() * 0x9E3779B97F4A7C15L + partition * 0xD1B54A32D192ED03L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  /** Rank of this node in a partition. Rank 0 polls at the due instant. */
  int rank(int partition) {
    return ranks[partition];
  }

  /** Whether this node polls a partition at all, either first or after others. */
  boolean polls(int partition) {
    return ranks[partition] <= LAST_RANK;
  }

  /**
   * Whether this node must poll now, after the nodes with a lower rank.
   *
   * @param step number of {@link #RANK_STEP}s since the start
   */
  boolean pollsBehind(int partition, long step) {
    int rank = ranks[partition];
    return rank > 0 && polls(partition) && step % rank == 0;
  }

  /** Minimum lateness of entries that this node polls. Other entries are left to lower ranks. */
  long overdueMillis(int partition) {
    return RANK_STEP.toMillis() * ranks[partition];
  }

  /** Number of partitions where this node polls first, second, and so on. */
  List<Integer> byRank() {
    Integer[] counts = new Integer[LAST_RANK + 1];
    Arrays.fill(counts, 0);
    for (int rank : ranks) {
      if (rank <= LAST_RANK) {
        counts[rank]++;
      }
    }
    return List.of(counts);
  }

  /** Partitions that this node polls first since the last update. */
  BitSet gained() {
    return (BitSet) gained.clone();
  }

  /** Number of alive nodes, including this one. */
  int alive() {
    return alive.size();
  }

  /** Number of alive nodes that share the partitions. */
  int workers() {
    return workers.size();
  }

  /** Listed nodes that have been silent for too long. */
  List<String> dead() {
    return dead;
  }

  /**
   * Oldest heartbeat (epoch ms) of the other alive nodes; {@link Long#MAX_VALUE} if there are none.
   */
  long longestSilent() {
    return longestSilent;
  }
}
