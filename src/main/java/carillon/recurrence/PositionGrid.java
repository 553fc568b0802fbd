package carillon.recurrence;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/**
 * Of each period's seconds those at certain positions (BYSETPOS), where a period is of days: which
 * of them it has differs, but each has the same times of day.
 */
final class PositionGrid implements Grid {
  private static final int DAY_SECONDS = 86_400;

  private final Grid days;
  private final LongFunction<Place> places;
  private final Positions positions;

  /** Seconds are mostly asked for one after the other. */
  private volatile Selection latest = new Selection(BEFORE, new int[0]);

  /** The seconds that are taken of a day. */
  @SuppressWarnings("ArrayRecordComponent") // selections are not compared
  private record Selection(long day, int[] seconds) {}

  /**
   * Place of a day among those of its period.
   *
   * @param before how many precede it
   * @param count how many there are
   */
  record Place(int before, int count) {
    /** The place of a day in the period that begins at another one and has these days. */
    static Place of(BitSet days, int day) {
      return new Place(days.get(0, day).cardinality(), days.cardinality());
    }
  }

  /**
   * @param days of the periods; some may have no time at these positions
   * @param places of the days
   */
  PositionGrid(Grid days, LongFunction<Place> places, Positions positions) {
    this.days = days;
    this.places = places;
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
      known = new Selection(day, positions.secondsOf(places.apply(day)));
      latest = known;
    }
    return known.seconds();
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

    /** The places in a period, from 0, of what is taken of it. */
    private IntStream placesIn(int days) {
      int all = days * perDay();
      return Arrays.stream(numbers)
          .map(number -> number > 0 ? number - 1 : all + number)
          .filter(place -> place >= 0 && place < all);
    }

    /** Which days of a period, from 0, have a time that is taken. */
    BitSet daysOf(int count) {
      BitSet found = new BitSet();
      placesIn(count).forEach(place -> found.set(place / perDay()));
      return found;
    }

    /** Of some days of a period those that have a time that is taken. */
    BitSet daysOf(BitSet days) {
      BitSet taken = daysOf(days.cardinality());
      BitSet found = new BitSet();
      int place = 0;
      for (int day = days.nextSetBit(0); day >= 0; day = days.nextSetBit(day + 1)) {
        found.set(day, taken.get(place));
        place++;
      }
      return found;
    }

    /** The seconds that are taken of a day, in increasing order. */
    int[] secondsOf(Place day) {
      int first = day.before() * perDay();
      return placesIn(day.count())
          .filter(place -> place >= first && place < first + perDay())
          .map(place -> second(place - first))
          .sorted()
          .distinct()
          .toArray();
    }

    /** The seconds that are taken of a period of days that are the same in each. */
    int[] secondsOf(int... days) {
      int[] sorted = Arrays.stream(days).sorted().distinct().toArray();
      return IntStream.range(0, sorted.length)
          .flatMap(
              i ->
                  Arrays.stream(secondsOf(new Place(i, sorted.length)))
                      .map(second -> sorted[i] * DAY_SECONDS + second))
          .toArray();
    }

    private int second(int place) {
      int minute = place / seconds.length;
      int hour = minute / minutes.length;
      return (hours[hour] * 60 + minutes[minute % minutes.length]) * 60
          + seconds[place % seconds.length];
    }
  }
}
