package carillon.recurrence.grid;

import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * Grid of {@code base + k * step} for k = 0, 1, 2 ... It keeps each k if the cycle marks the
 * remainder of k by the cycle's length. Without a filter the cycle is the single mark {0}.
 *
 * <p>A filter by hour of day tests {@code base + k * step} modulo 24, which repeats after 24 /
 * gcd(step, 24) steps. Example: every 5 hours from 01:00, hours [6, 21]: the hours are 1, 6, 11,
 * 16, 21, 2 ... 20, and 1 again after 24 steps; k = 1 and 4 are marked in each 24.
 */
final class ArithmeticGrid implements Grid {
  private final long base;
  private final long step;
  private final long last;
  private final BitSet cycle;
  private final int length;

  private ArithmeticGrid(long base, long step, long last, BitSet cycle, int length) {
    this.base = base;
    this.step = step;
    this.last = last;
    this.cycle = cycle;
    this.length = length;
  }

  /** No steps at all. */
  static ArithmeticGrid none() {
    return new ArithmeticGrid(0, 1, 0, new BitSet(), 1);
  }

  /** Every step from {@code base} to {@code last}, inclusive. */
  static ArithmeticGrid every(long base, long step, long last) {
    BitSet cycle = new BitSet();
    cycle.set(0);
    return new ArithmeticGrid(base, step, last, cycle, 1);
  }

  /** Steps whose value modulo {@code period} passes the filter. */
  static ArithmeticGrid filtered(long base, int step, long last, int period, IntPredicate filter) {
    int length = period / gcd(step, period);
    BitSet cycle = new BitSet(length);
    int value = (int) Math.floorMod(base, (long) period);
    for (int k = 0; k < length; k++) {
      cycle.set(k, filter.test(value));
      value = (value + step % period) % period;
    }
    return new ArithmeticGrid(base, step, last, cycle, length);
  }

  @Override
  public long ceiling(long from) {
    if (from > last || cycle.isEmpty()) {
      return NEVER;
    }
    long k = stepsUpTo(from);
    int place = (int) (k % length);
    int marked = cycle.nextSetBit(place);
    if (marked < 0) {
      marked = length + cycle.nextSetBit(0);
    }
    long value = base + (k - place + marked) * step;
    return value <= last ? value : NEVER;
  }

  @Override
  public long floor(long to) {
    if (to < base || last < base || cycle.isEmpty()) {
      return BEFORE;
    }
    long k = (Math.min(to, last) - base) / step;
    int place = (int) (k % length);
    int marked = cycle.previousSetBit(place);
    if (marked < 0) {
      marked = cycle.length() - 1 - length;
    }
    long found = k - place + marked;
    return found >= 0 ? base + found * step : BEFORE;
  }

  @Override
  public long count(long from, long to, long limit) {
    return Math.min(limit, marksBelow(to) - marksBelow(from));
  }

  private long marksBelow(long value) {
    long k = stepsUpTo(Math.min(value, last + 1));
    int place = (int) (k % length);
    return k / length * cycle.cardinality() + cycle.get(0, place).cardinality();
  }

  /** The smallest k, marked or not, whose value is at least {@code value}. */
  private long stepsUpTo(long value) {
    return value <= base ? 0 : (value - base - 1) / step + 1;
  }

  static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
