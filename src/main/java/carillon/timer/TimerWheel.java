package carillon.timer;

import java.util.OptionalLong;

/**
 * Wake-ups (partition, epoch millisecond) of the near future, as a value that is advanced. It knows
 * no clock, thread or I/O, is not thread-safe (one event loop owns it) and allocates nothing after
 * construction, {@link #nextWakeUp} aside.
 *
 * <p>It says when to poll a partition, not what is due there: Redis holds the truth. So a wake-up
 * that is not taken (beyond the horizon) or visited late costs latency and never an execution: the
 * first-ranked node asks each of its partitions for the next due instant twice a second, which
 * brings every instant back here long before it is due.
 *
 * <p>How it works. There are {@code slots} slots of 1 ms and each is a bitset of partitions; a
 * second bitset, {@code occupied}, has a bit per slot that is not empty, so finding the next
 * wake-up scans words of 64 ms. The size is {@code slots x partitions} bits however many jobs there
 * are: 2048 slots and 64 partitions take 17 KB. {@code base} is the earliest instant the wheel can
 * hold; the window {@code base .. base + slots - 1} maps to the slots by {@code instant & mask}.
 * For example, with 64 slots and base 100, the instants 100..127 are in slots 36..63 and 128..163
 * in slots 0..35; 164 is beyond the horizon.
 *
 * <p>Caveats: {@code base} is the {@code now} of the last advance, unless that advance reached its
 * limit: then it is the earliest wake-up left, and the horizon is nearer by as much as the wheel is
 * behind. Instants and differences are compared so that they may wrap around {@link
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
   * An empty wheel.
   *
   * @param partitions how many partitions there are, at least 1
   * @param slots how far it reaches, in ms: a power of two from 64 to 2^24
   * @param nowMillis the instant it stands at, epoch ms; any value
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
   * Remembers to wake for a partition. Scheduling the same partition and millisecond again changes
   * nothing. An instant before the wheel's own counts as due: the next advance visits it.
   *
   * @param atMillis epoch ms
   * @return false when the instant is beyond the horizon and was not taken: poll again later
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
   * Moves to {@code nowMillis} and visits what is due by then, earliest slot first, within a slot
   * by partition. Any jump forward is fine: after one that is longer than the horizon everything is
   * due. A clock that went backwards makes nothing happen.
   *
   * <p>The sink may schedule; what it schedules for {@code nowMillis} or earlier may be visited in
   * this same advance, within the limit. A wake-up whose visit throws counts as visited.
   *
   * @param nowMillis epoch ms
   * @param limit how many visits at most; what is left stays due
   * @return how many were visited
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
   * The earliest instant something is scheduled for, epoch ms, or empty when nothing is. What was
   * scheduled in the past shows as the instant the wheel stood at. Cost: one step per 64 ms of
   * emptiness.
   */
  OptionalLong nextWakeUp() {
    int offset = nextOccupied();
    return offset == slots ? OptionalLong.empty() : OptionalLong.of(base + offset);
  }

  /** How far after base the first occupied slot is, or {@code slots} when there is none. */
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
     * @param atMillis the instant it was scheduled for, epoch ms; never after the {@code nowMillis}
     *     of the advance
     */
    void wake(int partition, long atMillis);
  }
}
