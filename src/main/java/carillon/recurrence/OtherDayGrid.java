package carillon.recurrence;

import carillon.recurrence.Coverage.Stretch;
import carillon.recurrence.Exclusions.OnExcluded;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * The elements of a grid of seconds; an excluded one is at the same local time of the nearest later
 * or earlier day at which it is not excluded, or left out where there is none within reach.
 *
 * <p>Where an element is depends on its local time and on the day alone, so which days exclude a
 * local time is remembered for each. The places are found block by block. Confined to one thread.
 */
final class OtherDayGrid implements Grid {
  private static final long DAY = 86_400;
  private static final int MOST_BLOCK_DAYS = 64;
  private static final int LEAST_BLOCK_DAYS = 4;
  private static final int MAX_KNOWN_BLOCKS = 64;

  private final Grid seconds;
  private final Exclusions exclusions;
  private final ZoneRules zone;
  private final boolean isForward;
  private final int reach;

  /** No place is farther from its element. */
  private final long margin;

  /** How long a block is. */
  private final long size;

  /** So many blocks without a place end a search; they are longer than twice the reach. */
  private final int maxBlocks;

  private final Map<TimeOfDay, ExcludedDays> excluded = new HashMap<>();
  private final Map<Long, long[]> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, long[]> eldest) {
          return size() > MAX_KNOWN_BLOCKS;
        }
      };

  OtherDayGrid(Grid seconds, Exclusions exclusions, ZoneRules zone) {
    this.seconds = seconds;
    this.exclusions = exclusions;
    this.zone = zone;
    this.isForward = exclusions.onExcluded() == OnExcluded.NEXT_DAY;
    this.reach = exclusions.reach();
    this.margin = (reach + 2) * DAY;
    int days = Math.max(LEAST_BLOCK_DAYS, Math.min(MOST_BLOCK_DAYS, reach / 4));
    this.size = days * DAY;
    this.maxBlocks = 2 * reach / days + 2;
  }

  @Override
  public long ceiling(long from) {
    long block = Math.floorDiv(from, size);
    for (int step = 0; ; step++) {
      long[] places = places(block);
      int at = Arrays.binarySearch(places, from);
      int index = at >= 0 ? at : -at - 1;
      if (index < places.length) {
        return places[index];
      }
      long end = (block + 1) * size;
      long next = firstPlace(end);
      if (next == NEVER) {
        return NEVER;
      }
      long last = step < maxBlocks ? BEFORE : seconds.floor(end - 1);
      if (last >= from) {
        return last;
      }
      block = Math.floorDiv(next, size);
    }
  }

  /** A second before which, and from another one on, there is no place. */
  private long firstPlace(long from) {
    long element = seconds.ceiling(isForward ? from - margin : from);
    Stretch stretch = exclusions.at(from);
    if (element == NEVER || (stretch.isCovered() && stretch.end() > GridBuilder.LAST_SECOND)) {
      return NEVER;
    }
    long permitted = stretch.isCovered() ? stretch.end() : from;
    return Math.max(permitted, isForward ? element : element - margin);
  }

  @Override
  public long floor(long to) {
    long block = Math.floorDiv(to, size);
    for (int step = 0; ; step++) {
      long[] places = places(block);
      int at = Arrays.binarySearch(places, to);
      int index = at >= 0 ? at : -at - 2;
      if (index >= 0) {
        return places[index];
      }
      long begin = block * size;
      long previous = lastPlace(begin - 1);
      if (previous == BEFORE) {
        return BEFORE;
      }
      long first = step < maxBlocks ? NEVER : seconds.ceiling(begin);
      if (first <= to) {
        return first;
      }
      block = Math.floorDiv(previous, size);
    }
  }

  /** A second behind which, and up to another one, there is no place. */
  private long lastPlace(long to) {
    long element = seconds.floor(isForward ? to : to + margin);
    Stretch stretch = exclusions.at(to);
    if (element == BEFORE || (stretch.isCovered() && stretch.first() == Long.MIN_VALUE)) {
      return BEFORE;
    }
    long permitted = stretch.isCovered() ? stretch.first() - 1 : to;
    return Math.min(permitted, isForward ? element + margin : element);
  }

  /** Block by block; what lies behind a number of them counts where it was. */
  @Override
  public long count(long from, long to, long limit) {
    long found = 0;
    long at = from;
    for (int step = 0; at < to && found < limit; step++) {
      if (step == maxBlocks) {
        return found + seconds.count(at, to, limit - found);
      }
      long block = Math.floorDiv(at, size);
      long low = at;
      long end = (block + 1) * size;
      found += LongStream.of(places(block)).filter(place -> place >= low && place < to).count();
      long next = firstPlace(end);
      at = next == NEVER ? to : next;
    }
    return Math.min(found, limit);
  }

  private long[] places(long block) {
    long[] places = known.get(block);
    if (places == null) {
      places = find(block * size, (block + 1) * size);
      known.put(block, places);
    }
    return places;
  }

  /** The places from one second on and before another one. */
  private long[] find(long from, long to) {
    long end = isForward ? to : to + margin;
    LongStream.Builder places = LongStream.builder();
    long at = seconds.ceiling(isForward ? from - margin : from);
    while (at < end) {
      long place = placeOf(at);
      if (place >= from && place < to) {
        places.add(place);
      }
      at = seconds.ceiling(at + 1);
    }
    return places.build().sorted().distinct().toArray();
  }

  /** Where an element is: itself, or moved, or {@link #NEVER}. */
  private long placeOf(long element) {
    ZoneOffset offset = zone.getOffset(Instant.ofEpochSecond(element));
    LocalDateTime local = LocalDateTime.ofEpochSecond(element, 0, offset);
    long day = local.toLocalDate().toEpochDay();
    TimeOfDay time = new TimeOfDay(local.toLocalTime(), offset);
    ExcludedDays days = excluded.computeIfAbsent(time, ExcludedDays::new);
    long permitted = isForward ? days.next(day) : days.previous(day);
    return Math.abs(permitted - day) <= reach ? time.on(permitted, zone) : NEVER;
  }

  /**
   * Time of a day.
   *
   * @param offset by which it is meant where a day has it twice or not at all
   */
  private record TimeOfDay(LocalTime time, ZoneOffset offset) {
    /** The second of it on a day; within a gap it is later by the length of the gap. */
    long on(long day, ZoneRules zone) {
      LocalDateTime local = LocalDateTime.of(LocalDate.ofEpochDay(day), time);
      return local.toEpochSecond(
          zone.getValidOffsets(local).contains(offset) ? offset : zone.getOffset(local));
    }
  }

  /** The days known to exclude a local time, as stretches of days that do not touch. */
  private final class ExcludedDays {
    private final TimeOfDay time;

    /** The first day behind each, by its first. */
    private final NavigableMap<Long, Long> ends = new TreeMap<>();

    ExcludedDays(TimeOfDay time) {
      this.time = time;
    }

    /** The first day from another one on that permits it, or one out of reach. */
    long next(long from) {
      long day = from;
      while (day <= from + reach) {
        long end = endAround(day);
        if (end == day) {
          return day;
        }
        day = end;
      }
      return day;
    }

    /** The last day up to another one that permits it, or one out of reach. */
    long previous(long from) {
      long day = from;
      while (day >= from - reach) {
        if (endAround(day) == day) {
          return day;
        }
        day = ends.floorKey(day) - 1;
      }
      return day;
    }

    /** The end of the known stretch around a day; the day itself where it permits the time. */
    private long endAround(long day) {
      Map.Entry<Long, Long> around = ends.floorEntry(day);
      if (around != null && day < around.getValue()) {
        return around.getValue();
      }
      Stretch stretch = exclusions.at(time.on(day, zone));
      return stretch.isCovered() ? add(firstOf(stretch, day), endOf(stretch, day)) : day;
    }

    /** The first day before a covered one whose time lies in the same stretch, within reach. */
    private long firstOf(Stretch stretch, long day) {
      long least = day - reach;
      long first = least;
      if (stretch.first() > time.on(least, zone)) {
        first = Math.min(Math.floorDiv(stretch.first(), DAY) + 2, day);
      }
      while (first > least && time.on(first - 1, zone) >= stretch.first()) {
        first--;
      }
      return first;
    }

    /** The first day behind a covered one whose time lies behind the same stretch, or reach. */
    private long endOf(Stretch stretch, long day) {
      long most = day + reach + 1;
      if (stretch.end() > time.on(most, zone)) {
        return most;
      }
      long end = Math.max(day + 1, Math.floorDiv(stretch.end(), DAY) - 2);
      while (time.on(end, zone) < stretch.end()) {
        end++;
      }
      return end;
    }

    /** Adds a stretch, and answers the end of what it is part of now. */
    private long add(long first, long end) {
      long low = first;
      long high = end;
      Map.Entry<Long, Long> touching = ends.floorEntry(high);
      while (touching != null && touching.getValue() >= low) {
        low = Math.min(low, touching.getKey());
        high = Math.max(high, touching.getValue());
        ends.remove(touching.getKey());
        touching = ends.floorEntry(high);
      }
      ends.put(low, high);
      return high;
    }
  }
}
