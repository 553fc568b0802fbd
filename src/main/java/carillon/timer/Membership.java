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
 * View of the nodes: which are alive, which are dead, and which polls a partition first, by
 * rendezvous hashing among the nodes that share the partitions, so that they agree without talking
 * and a change of one node moves only its own partitions. A wrong view costs a wasted poll, never a
 * double claim. Confined to one thread.
 */
final class Membership {
  /** Nodes of a higher rank than this do not poll. */
  static final int LAST_RANK = 3;

  /** Each rank polls so much later than the one before it, and that less often. */
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
   * A view that knows nobody yet.
   *
   * @param working whether this node has its share of the partitions
   */
  Membership(String self, int partitions, boolean working) {
    this.self = self;
    this.working = working;
    this.ranks = new int[partitions];
    Arrays.fill(ranks, NONE);
  }

  /** A heartbeat that lies ahead of the clock, and since when it has been seen there. */
  private record Ahead(long beat, long since) {}

  /** Who came and who went. */
  record Change(List<String> joined, List<String> left) {
    boolean isNone() {
      return joined.isEmpty() && left.isEmpty();
    }
  }

  /**
   * Takes a new view of the heartbeats.
   *
   * @param now epoch ms
   * @param lease a node that has been silent for longer (ms) is dead; this node itself never is
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
   * When a node was last heard of. A heartbeat that lies ahead, as all do after the clock was set
   * back, tells nothing of its age: it counts from when it was first seen to stand there.
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

  /** This node's rank in a partition: 0 polls at the instant itself. */
  int rank(int partition) {
    return ranks[partition];
  }

  /** Whether this node polls a partition at all, at the instant itself or behind others. */
  boolean polls(int partition) {
    return ranks[partition] <= LAST_RANK;
  }

  /**
   * Whether this node is to poll behind those that come before it.
   *
   * @param step how many {@link #RANK_STEP}s have passed
   */
  boolean pollsBehind(int partition, long step) {
    int rank = ranks[partition];
    return rank > 0 && polls(partition) && step % rank == 0;
  }

  /** What is overdue for less is left to those that come before this node. */
  long overdueMillis(int partition) {
    return RANK_STEP.toMillis() * ranks[partition];
  }

  /** Of how many partitions this node is the first, the second, ... to poll. */
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

  /** The partitions that the last update made this node the first to poll. */
  BitSet gained() {
    return (BitSet) gained.clone();
  }

  /** How many nodes are alive, this one included. */
  int alive() {
    return alive.size();
  }

  /** How many of them share the partitions. */
  int workers() {
    return workers.size();
  }

  /** Those that are listed and have been silent for too long. */
  List<String> dead() {
    return dead;
  }

  /**
   * The oldest heartbeat (epoch ms) of the others that are alive, {@link Long#MAX_VALUE} when there
   * are none.
   */
  long longestSilent() {
    return longestSilent;
  }
}
