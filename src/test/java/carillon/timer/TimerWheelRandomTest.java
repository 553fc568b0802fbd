package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the wheel with a sorted map, step by step. A failure names its seed and step. */
class TimerWheelRandomTest {
  private static final int SEEDS = 150;
  private static final int STEPS = 600;

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        -5_000,
        -1,
        1_790_000_000_000L,
        Long.MIN_VALUE,
        Long.MAX_VALUE - 3_000,
        Long.MAX_VALUE
      })
  void itBehavesLikeASortedMap(long start) {
    long first = System.nanoTime();
    for (long seed = first; seed < first + SEEDS; seed++) {
      new Run(seed, start).steps();
    }
  }

  /** Runs the same operations on both, in step. */
  private static final class Run {
    private final Random random;
    private final String name;
    private final int partitions;
    private final int slots;
    private final TimerWheel wheel;
    private final Reference reference;
    private long now;

    Run(long seed, long start) {
      random = new Random(seed);
      partitions = 1 + random.nextInt(random.nextBoolean() ? 8 : 200);
      slots = 64 << random.nextInt(4);
      wheel = new TimerWheel(partitions, slots, start);
      reference = new Reference(slots, start);
      now = start;
      name = "seed " + seed + ", start " + start;
    }

    void steps() {
      for (int step = 0; step < STEPS; step++) {
        String where = name + ", step " + step;
        if (random.nextInt(3) > 0) {
          schedule(where);
        } else {
          advance(where);
        }
        assertEquals(reference.next(), wheel.nextWakeUp(), where);
      }
    }

    private void schedule(String where) {
      int partition = random.nextInt(partitions);
      long at = plus(now, random.nextInt(slots * 3) - slots);
      assertEquals(reference.schedule(partition, at), wheel.schedule(partition, at), where);
    }

    private void advance(String where) {
      now = plus(now, jump());
      int limit = random.nextInt(4) == 0 ? random.nextInt(5) : Integer.MAX_VALUE;
      List<String> expected = reference.advance(now, limit);
      List<String> actual = new ArrayList<>();

      int visited = wheel.advance(now, limit, (partition, at) -> actual.add(partition + "@" + at));

      assertEquals(expected, actual, where);
      assertEquals(expected.size(), visited, where);
    }

    private long jump() {
      return switch (random.nextInt(10)) {
        case 0 -> slots + random.nextInt(slots * 5);
        case 1 -> -random.nextInt(slots);
        case 2 -> 0;
        case 3 -> slots - 1 + random.nextInt(3);
        default -> random.nextInt(slots / 4);
      };
    }

    /** Adds without a wrap-around of instants. */
    private static long plus(long instant, long delta) {
      long sum = instant + delta;
      if (((instant ^ sum) & (delta ^ sum)) < 0) {
        return delta < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
      }
      return sum;
    }
  }

  /** Plain reference implementation of the wheel's promises. */
  private static final class Reference {
    private final TreeMap<Long, TreeSet<Integer>> wakeUps = new TreeMap<>();
    private final int slots;
    private long base;

    Reference(int slots, long start) {
      this.slots = slots;
      this.base = start;
    }

    boolean schedule(int partition, long atMillis) {
      long at = Math.max(atMillis, base);
      if (base <= Long.MAX_VALUE - slots && at >= base + slots) {
        return false;
      }
      wakeUps.computeIfAbsent(at, slot -> new TreeSet<>()).add(partition);
      return true;
    }

    List<String> advance(long now, int limit) {
      List<String> visited = new ArrayList<>();
      while (visited.size() < limit && due(now)) {
        Map.Entry<Long, TreeSet<Integer>> first = wakeUps.firstEntry();
        visited.add(first.getValue().pollFirst() + "@" + first.getKey());
        if (first.getValue().isEmpty()) {
          wakeUps.remove(first.getKey());
        }
      }
      base = Math.max(base, due(now) ? wakeUps.firstKey() : now);
      return visited;
    }

    OptionalLong next() {
      return wakeUps.isEmpty() ? OptionalLong.empty() : OptionalLong.of(wakeUps.firstKey());
    }

    private boolean due(long now) {
      return !wakeUps.isEmpty() && wakeUps.firstKey() <= now;
    }
  }
}
