package carillon.recurrence.grid;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/**
 * Seconds at certain positions of each period (BYSETPOS). A period consists of days. Which days it
 * has differs from period to period, but each day has the same times.
 */
final class PositionGrid implements Grid {
  private static final int DAY_SECONDS = 86_400;

  private final Grid days;
  private final LongFunction<DayRank> ranks;
  private final Positions positions;

  /** Cache of the last day, since callers mostly ask for successive seconds. */
  private volatile Selection latest = new Selection(BEFORE, new int[0]);

  /** Cache of the last indexes, since most periods have the same number of days. */
  private volatile Indexes latestIndexes = new Indexes(0, new int[0]);

  /** Selected indexes of a period with a number of days. */
  @SuppressWarnings("ArrayRecordComponent") // indexes are not compared
  private record Indexes(int days, int[] indexes) {}

  /** Selected seconds of a day. */
  @SuppressWarnings("ArrayRecordComponent") // selections are not compared
  private record Selection(long day, int[] seconds) {}

  /**
   * Rank of a day among those of its period.
   *
   * @param before how many precede it
   * @param count how many there are
   */
  record DayRank(int before, int count) {
    /** Returns the rank of a day among these days of its period. */
    static DayRank of(BitSet days, int day) {
      return new DayRank(days.get(0, day).cardinality(), days.cardinality());
    }
  }

  /**
   * @param days of the periods; some may have no time at these positions
   * @param ranks of the days
   */
  PositionGrid(Grid days, LongFunction<DayRank> ranks, Positions positions) {
    this.days = days;
    this.ranks = ranks;
    this.positions = positions;
  }

  @Override
  public long ceiling(long from) {
    long day = days.ceiling(Math.floorDiv(from, (long) DAY_SECONDS));
    while (day != NEVER) {
      long begin = day * DAY_SECONDS;
      for (int second : secondsOf(day)) {
        if (begin + second >= from) {
          return begin + second;
        }
      }
      day = days.ceiling(day + 1);
    }
    return NEVER;
  }

  @Override
  public long floor(long to) {
    long day = days.floor(Math.floorDiv(to, (long) DAY_SECONDS));
    while (day != BEFORE) {
      long begin = day * DAY_SECONDS;
      int[] seconds = secondsOf(day);
      for (int i = seconds.length - 1; i >= 0; i--) {
        if (begin + seconds[i] <= to) {
          return begin + seconds[i];
        }
      }
      day = days.floor(day - 1);
    }
    return BEFORE;
  }

  private int[] secondsOf(long day) {
    Selection known = latest;
    if (known.day() != day) {
      DayRank rank = ranks.apply(day);
      known = new Selection(day, positions.secondsOf(rank, indexesIn(rank.count())));
      latest = known;
    }
    return known.seconds();
  }

  private int[] indexesIn(int days) {
    Indexes known = latestIndexes;
    if (known.days() != days) {
      known = new Indexes(days, positions.indexesIn(days));
      latestIndexes = known;
    }
    return known.indexes();
  }

  /**
   * Positions in periods, counted from 1, or from the period's end by negative numbers.
   *
   * @param numbers none of them 0
   * @param hours of each day, in increasing order, as all these
   */
  @SuppressWarnings("ArrayRecordComponent") // positions are not compared
  record Positions(int[] numbers, int[] hours, int[] minutes, int[] seconds) {
    private int perDay() {
      return hours.length * minutes.length * seconds.length;
    }

    /**
     * Returns the selected indexes, from 0, of a period with a number of days, in increasing order.
     */
    int[] indexesIn(int days) {
      int all = days * perDay();
      int[] found = new int[numbers.length];
      int count = 0;
      for (int number : numbers) {
        int index = number > 0 ? number - 1 : all + number;
        if (index >= 0 && index < all) {
          found[count++] = index;
        }
      }
      return count < 2 ? Arrays.copyOf(found, count) : distinct(found, count);
    }

    private static int[] distinct(int[] values, int count) {
      Arrays.sort(values, 0, count);
      int kept = 1;
      for (int i = 1; i < count; i++) {
        if (values[i] != values[kept - 1]) {
          values[kept++] = values[i];
        }
      }
      return Arrays.copyOf(values, kept);
    }

    /** Returns the days of a period, from 0, that have a selected time. */
    BitSet daysOf(int count) {
      BitSet found = new BitSet();
      for (int index : indexesIn(count)) {
        found.set(index / perDay());
      }
      return found;
    }

    /** Returns the days with a selected time, out of these days of a period. */
    BitSet daysOf(BitSet days) {
      BitSet taken = daysOf(days.cardinality());
      BitSet found = new BitSet();
      int rank = 0;
      for (int day = days.nextSetBit(0); day >= 0; day = days.nextSetBit(day + 1)) {
        found.set(day, taken.get(rank));
        rank++;
      }
      return found;
    }

    /**
     * Returns the selected seconds of a day, in increasing order.
     *
     * @param indexes selected in its period
     */
    int[] secondsOf(DayRank day, int... indexes) {
      int first = day.before() * perDay();
      int from = placeOf(first, indexes);
      int to = placeOf(first + perDay(), indexes);
      int[] found = new int[to - from];
      for (int i = from; i < to; i++) {
        found[i - from] = second(indexes[i] - first);
      }
      return found;
    }

    private static int placeOf(int index, int... indexes) {
      int place = Arrays.binarySearch(indexes, index);
      return place >= 0 ? place : -place - 1;
    }

    /** Returns the selected seconds of a period of days, which are the same in each period. */
    int[] secondsOf(int... days) {
      int[] sorted = Arrays.stream(days).sorted().distinct().toArray();
      int[] indexes = indexesIn(sorted.length);
      return IntStream.range(0, sorted.length)
          .flatMap(
              i ->
                  Arrays.stream(secondsOf(new DayRank(i, sorted.length), indexes))
                      .map(second -> sorted[i] * DAY_SECONDS + second))
          .toArray();
    }

    private int second(int index) {
      int minute = index / seconds.length;
      int hour = minute / minutes.length;
      return (hours[hour] * 60 + minutes[minute % minutes.length]) * 60
          + seconds[index % seconds.length];
    }
  }
}
