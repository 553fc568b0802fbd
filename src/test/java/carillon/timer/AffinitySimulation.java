package carillon.timer;

import carillon.store.node.NodeStore.Heartbeats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Simulation of many nodes that share partitions as the product does, without Redis and without
 * waiting. Measures how even the shares are, how many polls find nothing, and how long work waits
 * when some nodes die. Prints a table: {@code mvn -q test-compile exec:java
 * -Dexec.classpathScope=test -Dmain.class=carillon.timer.AffinitySimulation -Dexec.args="100
 * 1024"}.
 */
public final class AffinitySimulation {
  private static final long STEP = Membership.RANK_STEP.toMillis();
  private static final int INSTANTS = 200;

  private final int partitions;
  private final Map<String, Membership> views = new HashMap<>();
  private final Map<String, Integer> phases = new HashMap<>();
  private final List<String> names;

  AffinitySimulation(int nodes, int partitions) {
    this.partitions = partitions;
    this.names = IntStream.range(0, nodes).mapToObj(i -> "node-" + i).toList();
    Heartbeats all = beats(names);
    Random random = new Random(1);
    for (String name : names) {
      Membership view = new Membership(name, partitions, true);
      view.update(all, 0, 0);
      views.put(name, view);
      phases.put(name, random.nextInt((int) (STEP * Membership.LAST_RANK * 2)));
    }
  }

  private static Heartbeats beats(List<String> nodes) {
    return new Heartbeats(nodes.stream().collect(Collectors.toMap(n -> n, n -> 1L)), Map.of());
  }

  /** Number of partitions per node. */
  record Balance(double mean, int least, int most) {
    double mostToMean() {
      return most / mean;
    }
  }

  private Balance balance(ToIntFunction<List<Integer>> count) {
    var counts =
        views.values().stream()
            .mapToInt(view -> count.applyAsInt(view.byRank()))
            .summaryStatistics();
    return new Balance(counts.getAverage(), counts.getMin(), counts.getMax());
  }

  /** Returns the balance of the partitions that a node is the first to poll. */
  Balance first() {
    return balance(ranks -> ranks.get(0));
  }

  /** Returns the balance of all partitions that a node polls, regardless of its rank. */
  Balance looked() {
    return balance(ranks -> ranks.stream().mapToInt(Integer::intValue).sum());
  }

  /**
   * Returns the polls per second, of all nodes together, of partitions where no work is overdue.
   */
  double pollsInVain() {
    long polls = 0;
    int steps = 12; // after these all ranks poll together again
    for (Membership view : views.values()) {
      for (int partition = 0; partition < partitions; partition++) {
        for (int step = 0; step < steps; step++) {
          polls += view.pollsBehind(partition, step) ? 1 : 0;
        }
      }
    }
    return polls / (steps * STEP / 1000.0);
  }

  /** Wait of work that no node had begun, in milliseconds. */
  record TakeOver(long median, long p99, long longest, int orphans) {}

  /**
   * Returns the wait of work that becomes due while nodes are dead and no node has noticed.
   *
   * @param dead number of dead nodes, from the first
   */
  TakeOver takeOver(int dead) {
    List<String> gone = names.subList(0, dead);
    List<Long> waits = new ArrayList<>();
    int orphans = 0;
    for (int partition = 0; partition < partitions; partition++) {
      int looked = partition;
      List<String> lookers =
          names.stream().filter(n -> views.get(n).rank(looked) <= Membership.LAST_RANK).toList();
      boolean firstIsGone = gone.stream().anyMatch(name -> views.get(name).rank(looked) == 0);
      List<String> left = lookers.stream().filter(name -> !gone.contains(name)).toList();
      if (firstIsGone && left.isEmpty()) {
        orphans++;
      } else if (firstIsGone) {
        for (int i = 0; i < INSTANTS; i++) {
          waits.add(waited(partition, left, i * 37L));
        }
      }
    }
    waits.sort(null);
    return new TakeOver(at(waits, 50), at(waits, 99), at(waits, 100), orphans);
  }

  private static long at(List<Long> sorted, int percent) {
    return sorted.isEmpty() ? 0 : sorted.get(Math.max(0, sorted.size() * percent / 100 - 1));
  }

  /**
   * Returns the wait until the first of these nodes polls that may take work due at this instant.
   */
  private long waited(int partition, List<String> lookers, long due) {
    long first = Long.MAX_VALUE;
    for (String name : lookers) {
      Membership view = views.get(name);
      long at = due + view.overdueMillis(partition);
      long phase = phases.get(name);
      long step = Math.floorDiv(at - phase + STEP - 1, STEP);
      while (!view.pollsBehind(partition, step)) {
        step++;
      }
      first = Math.min(first, step * STEP + phase - due);
    }
    return first;
  }

  /** Returns the share of partitions that get another first node when one more node joins. */
  double movedByOneMore() {
    List<String> more = new ArrayList<>(names);
    more.add("newcomer");
    Membership newcomer = new Membership("newcomer", partitions, true);
    newcomer.update(beats(more), 0, 0);
    long kept =
        views.entrySet().stream()
            .mapToLong(
                view -> {
                  Membership after = new Membership(view.getKey(), partitions, true);
                  after.update(beats(more), 0, 0);
                  return IntStream.range(0, partitions)
                      .filter(p -> view.getValue().rank(p) == 0 && after.rank(p) == 0)
                      .count();
                })
            .sum();
    if (kept + newcomer.byRank().get(0) != partitions) {
      throw new IllegalStateException("partitions moved between old nodes");
    }
    return newcomer.byRank().get(0) / (double) partitions;
  }

  /** Returns the figures, one per line. */
  List<String> table() {
    List<String> lines = new ArrayList<>();
    lines.add("%d nodes, %d partitions".formatted(names.size(), partitions));
    lines.add("first to poll, per node: " + text(first()));
    lines.add("looked at, per node: " + text(looked()));
    lines.add(
        "polls in vain, all nodes: %.0f /s, %.2f /s per partition"
            .formatted(pollsInVain(), pollsInVain() / partitions));
    lines.add("moved when one more comes: %.1f %%".formatted(100 * movedByOneMore()));
    for (int dead : List.of(1, 2, 3, names.size() / 10, names.size() / 3)) {
      TakeOver waits = takeOver(dead);
      lines.add(
          "%d dead: work not begun waits p50 %d ms, p99 %d ms, at most %d ms; partitions that nobody polls until the lease is over: %d"
              .formatted(dead, waits.median, waits.p99, waits.longest, waits.orphans));
    }
    return lines;
  }

  private static String text(Balance balance) {
    return "mean %.1f, least %d, most %d, most to mean %.2f"
        .formatted(balance.mean, balance.least, balance.most, balance.mostToMean());
  }

  public static void main(String[] arguments) {
    new AffinitySimulation(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]))
        .table()
        .forEach(System.out::println);
  }
}
