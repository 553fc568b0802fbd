package carillon.timer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Who is alive, who is dead, and who looks at a partition first: rendezvous hashing, so that nodes
 * agree without talking and a change of one node moves only its own partitions. A wrong view costs
 * a wasted look, never a double claim. Confined to one thread.
 */
final class Membership {
  /** Nodes of a higher rank than this do not look. */
  static final int LAST_RANK = 3;

  private final String self;
  private final int[] ranks;
  private List<String> alive = List.of();
  private List<String> dead = List.of();

  Membership(String self, int partitions) {
    this.self = self;
    this.ranks = new int[partitions];
  }

  /**
   * Takes a new view of the heartbeats.
   *
   * @param heartbeats node id to epoch ms
   * @param silentSince a node whose heartbeat is older (epoch ms) is dead; this node itself never
   *     is
   */
  void update(Map<String, Long> heartbeats, long silentSince) {
    List<String> nowAlive = new ArrayList<>(List.of(self));
    List<String> nowDead = new ArrayList<>();
    heartbeats.forEach(
        (node, beat) -> {
          if (!node.equals(self)) {
            (beat < silentSince ? nowDead : nowAlive).add(node);
          }
        });
    nowAlive.sort(null);
    dead = nowDead;
    if (!nowAlive.equals(alive)) {
      alive = nowAlive;
      rank();
    }
  }

  private void rank() {
    for (int partition = 0; partition < ranks.length; partition++) {
      long own = weight(self, partition);
      int rank = 0;
      for (String node : alive) {
        if (!node.equals(self) && Long.compareUnsigned(weight(node, partition), own) > 0) {
          rank++;
        }
      }
      ranks[partition] = rank;
    }
  }

  /** Highest random weight (Thaler and Ravishankar, 1998), mixed by the finalizer of SplitMix64. */
  private static long weight(String node, int partition) {
    long mixed = node.hashCode() * 0x9E3779B97F4A7C15L + partition * 0xD1B54A32D192ED03L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  /** This node's place in a partition: 0 looks at the instant itself. */
  int rank(int partition) {
    return ranks[partition];
  }

  int alive() {
    return alive.size();
  }

  List<String> dead() {
    return dead;
  }
}
