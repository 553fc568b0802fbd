package carillon.recurrence.timetable;

import carillon.recurrence.Coverage.Stretch;
import carillon.recurrence.grid.Grid;
import carillon.recurrence.timetable.Exclusions.OnExcluded;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Grid of seconds whose excluded elements move to other days. An excluded element moves to the same
 * local time of the nearest later or earlier day without an exclusion at that time. Without such a
 * day within reach, the element is left out.
 *
 * <p>Searches examine elements one by one, and only elements that can move to the searched
 * position. Positions are seconds, counted in the direction of the moves: for moves to an earlier
 * day they are negated. An element therefore never moves to a lower position. Confined to one
 * thread.
 */
final class OtherDayGrid implements Grid {
  private static final long DAY = 86_400;

  /** Number of days in which each local time comes at least once, despite any clock changes. */
  private static final int FULL_DAYS = 3;

  /** Maximum number of elements in a search. */
  private static final int MAX_LOOKED_AT = 2_000;

  /** Number of elements to examine before a search for a stretch that permits whole days. */
  private static final int PATIENCE = 8;

  private static final int MAX_STRETCHES = 8;

  private final Exclusions exclusions;
  private final DayTimes times;
  private final boolean isForward;
  private final int reach;

  /** Length of permitted time that no element moves over, because it contains all times of day. */
  private final long fullDays;

  /** The elements by their positions. */
  private final Grid elements;

  /** Maximum distance of a place from its element. */
  private final long margin;

  private final Map<TimeOfDay, ExcludedDays> excluded = new HashMap<>();

  /** Places of the elements at positions from {@link #low} on and before {@link #high}. */
  private final TreeSet<Long> places = new TreeSet<>();

  /** Place of the element examined last on the way up, by local time. */
  private final Map<LocalTime, Long> latest = new HashMap<>();

  /** Lowest position from which on elements are known to have the same place, by local time. */
  private final Map<LocalTime, Long> lowest = new HashMap<>();

  private long low;
  private long high;

  /** Position from which on no element below {@link #low} has its place. */
  private long complete = NEVER;

  OtherDayGrid(Grid seconds, Exclusions exclusions, DayTimes times) {
    this.exclusions = exclusions;
    this.times = times;
    this.isForward = exclusions.onExcluded() == OnExcluded.NEXT_DAY;
    this.elements = isForward ? seconds : new NegatedGrid(seconds);
    this.reach = exclusions.reach();
    this.fullDays = (FULL_DAYS + times.weekDaysLeftOut()) * DAY;
    this.margin = (reach + 2) * DAY;
  }

  @Override
  public long ceiling(long from) {
    return isForward ? placeFrom(from) : NegatedGrid.negated(placeUpTo(-from));
  }

  @Override
  public long floor(long to) {
    return isForward ? placeUpTo(to) : NegatedGrid.negated(placeFrom(-to));
  }

  /**
   * Counts place by place. Beyond the limit of a search, elements count at their original
   * positions.
   */
  @Override
  public long count(long from, long to, long limit) {
    long found = 0;
    long at = ceiling(from);
    for (int step = 0; at < to && found < limit; step++) {
      if (step == MAX_LOOKED_AT || exclusions.isSpent()) {
        return found + elements(at, to, limit - found);
      }
      found += exclusions.at(at).isCovered() ? 0 : 1;
      at = ceiling(at + 1);
    }
    return found;
  }

  private long elements(long from, long to, long limit) {
    return isForward ? elements.count(from, to, limit) : elements.count(1 - to, 1 - from, limit);
  }

  /**
   * Returns the lowest place from a position on, or the excluded element at which the search ends.
   */
  private long placeFrom(long from) {
    if (from < low || from > high || places.size() > MAX_LOOKED_AT) {
      lookAnewAt(from);
    }
    complete(from);
    for (int step = 0; ; step++) {
      Long place = places.ceiling(from);
      if (high == NEVER || (place != null && place < high)) {
        return place == null ? NEVER : place;
      }
      if (isGivenUp(step)) {
        return high - 1;
      }
      lookHigher();
    }
  }

  /**
   * Returns the highest place up to a position, or the excluded element at which the search ends.
   */
  private long placeUpTo(long to) {
    if (to + 1 < low || to + 1 > high || places.size() > MAX_LOOKED_AT) {
      lookAnewAt(to + 1);
    }
    for (int step = 0; places.floor(to) == null; step++) {
      if (low == BEFORE) {
        return BEFORE;
      }
      if (isGivenUp(step)) {
        return low;
      }
      lookLower();
    }
    complete(places.floor(to) + 1);
    return places.floor(to);
  }

  private boolean isGivenUp(int step) {
    return step > 0 && (step >= MAX_LOOKED_AT || exclusions.isSpent());
  }

  private void lookAnewAt(long position) {
    places.clear();
    latest.clear();
    lowest.clear();
    low = position;
    high = position;
    complete = NEVER;
  }

  private void lookHigher() {
    long element = elements.ceiling(high);
    high = element == NEVER ? NEVER : element + 1;
    if (element == NEVER) {
      return;
    }
    long place = placeOf(element);
    if (add(place)) {
      passThoseMovedTo(place, times.localOf(second(element)).toLocalTime());
    } else {
      long end = stretchAt(element).end();
      high = end == NEVER ? NEVER : Math.max(high, end - margin);
    }
  }

  /**
   * Skips elements that move to known places. All elements of a time of day up to its place share
   * that place. Once every time of day has a place, the search continues at the lowest one.
   */
  private void passThoseMovedTo(long place, LocalTime time) {
    latest.put(time, place);
    if (latest.size() == times.most()) {
      high = Math.max(high, Collections.min(latest.values()));
    }
  }

  private void lookLower() {
    long element = elements.floor(low - 1);
    low = element;
    if (element == BEFORE) {
      return;
    }
    long place = placeOf(element);
    if (!add(place)) {
      low = Math.min(low, stretchAt(element).first());
    } else if (times.most() != DayTimes.MANY) {
      passThoseMovedLike(element);
    }
  }

  /**
   * Skips lower elements that move to known places. Elements of a time of day share its place down
   * to a known position. Once every time of day has such a position, the search continues below the
   * highest one.
   */
  private void passThoseMovedLike(long element) {
    OffsetDateTime local = times.localOf(second(element));
    TimeOfDay time = new TimeOfDay(local.toLocalTime(), local.getOffset());
    long day = local.toLocalDate().toEpochDay();
    long farthest = excluded.get(time).farthest(day);
    lowest.put(time.time(), farthest == day ? element : second(time.on(farthest, times)));
    if (lowest.size() == times.most()) {
      low = Math.min(low, Collections.max(lowest.values()));
    }
  }

  /** Returns the stretch around a position, with positions as bounds. */
  private Stretch stretchAt(long position) {
    Stretch stretch = exclusions.at(second(position));
    if (isForward) {
      return stretch;
    }
    long first = stretch.end() == NEVER ? BEFORE : 1 - stretch.end();
    long end = stretch.first() == BEFORE ? NEVER : 1 - stretch.first();
    return new Stretch(first, end, stretch.cause());
  }

  /**
   * Adds the place of an element.
   *
   * @return whether it has one; if it has none, elements in the same excluded stretch that are as
   *     far from its end have none either
   */
  private boolean add(long place) {
    return place != NEVER && (places.contains(place) || places.add(place));
  }

  /**
   * Examines all elements that may have their places at a position or higher. Within one time of
   * day, a lower element has no higher place. No element moves over days that permit all times.
   */
  private void complete(long from) {
    if (complete <= from) {
      return;
    }
    Set<LocalTime> settled = new HashSet<>();
    long least = from - margin;
    for (int step = 0; low > least && settled.size() < times.most(); step++) {
      if (isGivenUp(step)) {
        break;
      }
      if (step == PATIENCE) {
        least = Math.max(least, permittedDaysBefore(from));
      }
      long element = elements.floor(low - 1);
      lookLower();
      if (element == BEFORE) {
        break;
      }
      long place = placeOf(element);
      if (place < from || place == NEVER) {
        settled.add(times.localOf(second(element)).toLocalTime());
      }
    }
    complete = from;
  }

  /**
   * Returns the start of nearby days before a position that permit all times of day; {@link
   * #BEFORE} if there are none.
   */
  private long permittedDaysBefore(long position) {
    long at = position - 1;
    for (int i = 0; i < MAX_STRETCHES && at > position - margin; i++) {
      Stretch stretch = stretchAt(at);
      if (!stretch.isCovered() && stretch.first() <= at - fullDays) {
        return at - fullDays;
      }
      if (stretch.first() == BEFORE) {
        return BEFORE;
      }
      at = stretch.first() - 1;
    }
    return BEFORE;
  }

  private long second(long position) {
    return isForward ? position : -position;
  }

  /** Returns the place of an element: its position, a moved position, or {@link #NEVER}. */
  private long placeOf(long element) {
    OffsetDateTime local = times.localOf(second(element));
    long day = local.toLocalDate().toEpochDay();
    TimeOfDay time = new TimeOfDay(local.toLocalTime(), local.getOffset());
    ExcludedDays days = excluded.computeIfAbsent(time, ExcludedDays::new);
    long permitted = isForward ? days.next(day) : days.previous(day);
    if (permitted == day) {
      return element;
    }
    return Math.abs(permitted - day) <= reach ? second(time.on(permitted, times)) : NEVER;
  }

  /** Local times of elements, and seconds of local times. */
  interface DayTimes {
    /** Number of times of day that is not bounded. */
    int MANY = Integer.MAX_VALUE;

    /** Returns the local time of an element, as its recurrence means it. */
    OffsetDateTime localOf(long second);

    /**
     * The second of a local time.
     *
     * @param meant with the offset that counts if the time comes twice
     */
    long secondOf(OffsetDateTime meant);

    /** Whether an occurrence may have a local time. Its day may lack the time, or be left out. */
    boolean has(LocalDateTime local);

    /** Number of days of a week to which no element moves. */
    int weekDaysLeftOut();

    /** Maximum number of different times of day. */
    int most();
  }

  /**
   * Time of a day.
   *
   * @param offset which applies if a day has the time twice or not at all
   */
  private record TimeOfDay(LocalTime time, ZoneOffset offset) {
    LocalDateTime local(long day) {
      return LocalDateTime.of(LocalDate.ofEpochDay(day), time);
    }

    /** Returns the second of this time on a day. */
    long on(long day, DayTimes times) {
      return times.secondOf(local(day).atOffset(offset));
    }
  }

  /** A grid whose elements are negated. */
  private record NegatedGrid(Grid grid) implements Grid {
    static long negated(long second) {
      return second == NEVER ? BEFORE : second == BEFORE ? NEVER : -second;
    }

    @Override
    public long ceiling(long from) {
      return negated(grid.floor(negated(from)));
    }

    @Override
    public long floor(long to) {
      return negated(grid.ceiling(negated(to)));
    }

    @Override
    public long count(long from, long to, long limit) {
      return grid.count(1 - to, 1 - from, limit);
    }
  }

  /** Days known to exclude a local time, as separate stretches of days. */
  private final class ExcludedDays {
    private final TimeOfDay time;

    /** First day after each stretch, by the first day of the stretch. */
    private final NavigableMap<Long, Long> ends = new TreeMap<>();

    ExcludedDays(TimeOfDay time) {
      this.time = time;
    }

    /** Returns the first day from another one on that permits the time, or a day out of reach. */
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

    /** Returns the last day up to another one that permits the time, or a day out of reach. */
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

    /**
     * Returns the farthest day whose element moves to the same place as the element of this day.
     */
    long farthest(long day) {
      long permitted = isForward ? next(day) : previous(day);
      if (permitted == day) {
        return day;
      }
      Map.Entry<Long, Long> around = ends.floorEntry(day);
      return isForward
          ? Math.max(around.getKey(), permitted - reach)
          : Math.min(around.getValue() - 1, permitted + reach);
    }

    /**
     * Returns the end of the known stretch around a day, or the day itself if it permits the time.
     */
    private long endAround(long day) {
      Map.Entry<Long, Long> around = ends.floorEntry(day);
      if (around != null && day < around.getValue()) {
        return around.getValue();
      }
      if (!times.has(time.local(day))) {
        return add(day, day + 1);
      }
      Stretch stretch = exclusions.at(time.on(day, times));
      return stretch.isCovered() ? add(firstOf(stretch, day), endOf(stretch, day)) : day;
    }

    /**
     * Returns the first day up to a covered one whose time lies in the same stretch, within reach.
     */
    private long firstOf(Stretch stretch, long day) {
      long least = day - reach;
      long first = least;
      if (stretch.first() > time.on(least, times)) {
        first = Math.min(Math.floorDiv(stretch.first(), DAY) + 2, day);
      }
      while (first > least && time.on(first - 1, times) >= stretch.first()) {
        first--;
      }
      return first;
    }

    /**
     * Returns the first day after a covered one whose time lies after the same stretch or out of
     * reach.
     */
    private long endOf(Stretch stretch, long day) {
      long most = day + reach + 1;
      if (stretch.end() > time.on(most, times)) {
        return most;
      }
      long end = Math.max(day + 1, Math.floorDiv(stretch.end(), DAY) - 2);
      while (time.on(end, times) < stretch.end()) {
        end++;
      }
      return end;
    }

    /** Adds a stretch, and returns the end of the merged stretch. */
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
