package carillon.timer;

import java.util.OptionalLong;

/**
 * Wake-ups (partition, epoch millisecond) of the near future. The caller advances the wheel: it
 * uses no clock, thread or I/O. It is not thread-safe (one event loop owns it) and allocates
 * nothing after construction, except in {@link #nextWakeUp}.
 *
 * <p>It says when to poll a partition, not which entries are due there: Redis holds the truth. A
 * wake-up beyond the horizon, or visited late, therefore costs latency and never an execution. The
 * first-ranked node asks each of its partitions for the next due instant twice a second, which
 * returns every instant here long before it is due.
 *
 * <p>How it works: there are {@code slots} slots of 1 ms, and each is a bitset of partitions. A
 * second bitset, {@code occupied}, has a bit per slot that is not empty, so the search for the next
 * wake-up scans words of 64 ms. The size is {@code slots x partitions} bits for any number of jobs:
 * 2048 slots and 64 partitions take 17 KB. {@code base} is the earliest instant that the wheel can
 * hold. The window {@code base .. base + slots - 1} maps to the slots by {@code instant & mask}.
 * For example, with 64 slots and base 100, the instants 100..127 are in slots 36..63 and 128..163
 * in slots 0..35; 164 is beyond the horizon.
 *
 * <p>Caveats: {@code base} is the {@code now} of the last advance, unless that advance reached its
 * limit. Then {@code base} is the earliest remaining wake-up, and the horizon is nearer by the
 * delay of the wheel. Instants and differences are compared so that they may wrap around {@link
 * Long#MAX_VALUE}.
 */
final class TimerWheel {
  private final int partitions;
  private final int slots;
  private final int mask;
  private final int wordsPerSlot;
  private final long[] wakeUps; // wordsPerSlot words per slot: a bit per partition
  private final long[] occupied; // a bit per slot
  private long base;

  /**
   * Creates an empty wheel.
   *
   * @param partitions number of partitions, at least 1
   * @param slots reach in ms: a power of two from 64 to 2^24
   * @param nowMillis current instant of the wheel, epoch ms; any value
   * @throws IllegalArgumentException when partitions or slots are out of range
   */
  TimerWheel(int partitions, int slots, long nowMillis) {
    if (partitions < 1) {
      throw new IllegalArgumentException("partitions must be at least 1, was " + partitions);
    }
    if (slots < Long.SIZE || slots > 1 << 24 || Integer.bitCount(slots) != 1) {
      throw new IllegalArgumentException(
          "slots must be a power of two from 64 to 2^24, was " + slots);
    }
    this.partitions = partitions;
    this.slots = slots;
    this.mask = slots - 1;
    this.wordsPerSlot = (partitions + Long.SIZE - 1) / Long.SIZE;
    this.wakeUps = new long[Math.multiplyExact(slots, wordsPerSlot)];
    this.occupied = new long[slots / Long.SIZE];
    this.base = nowMillis;
  }

  /**
   * Schedules a wake-up of a partition. A second wake-up of the same partition and millisecond
   * changes nothing. An instant before the wheel's own counts as due: the next advance visits it.
   *
   * @param atMillis epoch ms
   * @return false if the instant is beyond the horizon and was not scheduled: poll again later
   * @throws IllegalArgumentException when there is no such partition
   */
  boolean schedule(int partition, long atMillis) {
    if (partition < 0 || partition >= partitions) {
      throw new IllegalArgumentException(
          "partition must be 0 to " + (partitions - 1) + ", was " + partition);
    }
    long at = Math.max(atMillis, base);
    if (Long.compareUnsigned(at - base, slots) >= 0) {
      return false;
    }
    int slot = (int) at & mask;
    wakeUps[slot * wordsPerSlot + (partition >>> 6)] |= 1L << partition;
    occupied[slot >>> 6] |= 1L << slot;
    return true;
  }

  /**
   * Moves to {@code nowMillis} and visits the due wake-ups, earliest slot first, within a slot by
   * partition. Any jump forward is fine: after a jump beyond the horizon everything is due. A clock
   * that went back has no effect.
   *
   * <p>The sink may schedule wake-ups. Those for {@code nowMillis} or earlier may be visited in
   * this same advance, within the limit. A wake-up whose visit throws counts as visited.
   *
   * @param nowMillis epoch ms
   * @param limit maximum number of visits; remaining wake-ups stay due
   * @return number of visits
   */
  int advance(long nowMillis, int limit, Sink sink) {
    int visited = 0;
    while (nowMillis >= base) {
      int offset = nextOccupied();
      if (offset == slots || Long.compareUnsigned(offset, nowMillis - base) > 0) {
        base = nowMillis;
        break;
      }
      base += offset;
      if (visited >= limit) {
        break;
      }
      visited++;
      sink.wake(takeFirst((int) base & mask), base);
    }
    return visited;
  }

  /**
   * Earliest scheduled instant, epoch ms; empty if there is none. A wake-up scheduled in the past
   * has the instant of the wheel at that time. Cost: one step per empty 64 ms.
   */
  OptionalLong nextWakeUp() {
    int offset = nextOccupied();
    return offset == slots ? OptionalLong.empty() : OptionalLong.of(base + offset);
  }

  /** Distance from base to the first occupied slot, or {@code slots} if there is none. */
  private int nextOccupied() {
    int offset = 0;
    while (offset < slots) {
      int slot = (int) (base + offset) & mask;
      long rest = occupied[slot >>> 6] >>> slot;
      if (rest != 0) {
        return Math.min(offset + Long.numberOfTrailingZeros(rest), slots);
      }
      offset += Long.SIZE - (slot & 63);
    }
    return slots;
  }

  /** Removes the lowest partition of an occupied slot. */
  private int takeFirst(int slot) {
    int first = slot * wordsPerSlot;
    int word = first;
    while (wakeUps[word] == 0) {
      word++;
    }
    int partition = (word - first) * Long.SIZE + Long.numberOfTrailingZeros(wakeUps[word]);
    wakeUps[word] &= wakeUps[word] - 1;
    if (isEmpty(word, first + wordsPerSlot)) {
      occupied[slot >>> 6] &= ~(1L << slot);
    }
    return partition;
  }

  private boolean isEmpty(int fromWord, int toWord) {
    for (int word = fromWord; word < toWord; word++) {
      if (wakeUps[word] != 0) {
        return false;
      }
    }
    return true;
  }

  /** Receives the wake-ups that {@link #advance} finds due. */
  @FunctionalInterface
  interface Sink {

    /**
     * Called once per partition and slot.
     *
     * @param partition 0 to partitions - 1
     * @param atMillis scheduled instant, epoch ms; never after the {@code nowMillis} of the advance
     */
    void wake(int partition, long atMillis);
  }
}
