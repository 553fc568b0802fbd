package carillon.recurrence;

import carillon.recurrence.Coverage.Cause;
import carillon.recurrence.Coverage.Lookups;
import carillon.recurrence.Coverage.Stretch;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Time at which a job does not run: what some calendars cover, and what others leave free.
 *
 * <p>Searches are bounded, each by itself and all together: where calendars exclude thousands of
 * spans in a row a search ends at an instant that is excluded, and no occurrence is lost if the
 * next search begins behind it. Confined to one thread.
 */
public final class Exclusions {
  /** Excludes nothing. */
  public static final Exclusions NONE =
      new Exclusions(List.of(), List.of(), OnExcluded.SKIP, ZoneOffset.UTC);

  /**
   * What is moved to other days has no more different times of day: more occurrences of a day would
   * mostly meet others on the day that they are moved to.
   */
  public static final int MAX_TIMES_OF_DAY = 2;

  /** No search looks at more stretches. */
  private static final int MAX_STEPS = 10_000;

  /** No search looks farther. */
  private static final long MAX_DISTANCE = Duration.ofDays(50 * 366).toSeconds();

  /** All searches together look up so many spans that repeat, and then end soon. */
  private static final int MAX_LOOKUPS = 10_000;

  /** No occurrence is moved over more days; over fewer where many spans have to be asked. */
  private static final int MAX_REACH = 366;

  private static final int MIN_REACH = 4;
  private static final int MAX_REACH_COST = 2_000;

  private final List<Coverage> exclude;
  private final List<Coverage> only;
  private final OnExcluded onExcluded;
  private final ZoneId zone;
  private final int reach;
  private final Lookups lookups = new Lookups();

  /** What becomes of an excluded occurrence. */
  public enum OnExcluded {
    SKIP,
    /** It is at the end of the excluded time. */
    AFTER,
    /** It is at the same local time of the next day at which it is not excluded. */
    NEXT_DAY,
    /** It is at the same local time of the last day before at which it is not excluded. */
    PREVIOUS_DAY;

    /** The word by which clients name it, {@code nextDay}. */
    public String word() {
      return switch (this) {
        case NEXT_DAY -> "nextDay";
        case PREVIOUS_DAY -> "previousDay";
        default -> name().toLowerCase(Locale.ROOT);
      };
    }

    /** Whether it is moved over days. */
    public boolean isByDay() {
      return this == NEXT_DAY || this == PREVIOUS_DAY;
    }
  }

  /**
   * The exclusions by some calendars.
   *
   * @param exclude time that any of them covers is excluded
   * @param only if there are any, time that none of them covers is excluded
   * @param zone whose days count where occurrences are moved to another day
   */
  public Exclusions(
      List<Coverage> exclude, List<Coverage> only, OnExcluded onExcluded, ZoneId zone) {
    this.exclude = List.copyOf(exclude);
    this.only = List.copyOf(only);
    this.onExcluded = onExcluded;
    this.zone = zone;
    int cost =
        Math.max(
            1,
            exclude.stream().mapToInt(Coverage::cost).sum()
                + only.stream().mapToInt(Coverage::cost).sum());
    this.reach = Math.max(MIN_REACH, Math.min(MAX_REACH, MAX_REACH_COST / cost));
  }

  /** Whether nothing is excluded ever. */
  public boolean isEmpty() {
    return exclude.isEmpty() && only.isEmpty();
  }

  /** What excludes an instant; empty where nothing does. */
  public Optional<Cause> cause(Instant instant) {
    return at(instant.getEpochSecond()).cause();
  }

  /** Whether an instant is excluded. */
  public boolean excludes(Instant instant) {
    return cause(instant).isPresent();
  }

  /** What becomes of an excluded occurrence. */
  public OnExcluded onExcluded() {
    return onExcluded;
  }

  /** The time of day of an instant, where occurrences are moved to another day. */
  LocalTime localTime(Instant instant) {
    return LocalTime.ofInstant(instant, zone);
  }

  /**
   * Whether so many spans were looked up that searches end with the next one that they meet. Who
   * asks for many occurrences asks for no more.
   */
  public boolean isSpent() {
    return lookups.count() >= MAX_LOOKUPS;
  }

  /** Whether a search goes on that has looked at stretches from one second to another. */
  private boolean goesOn(int step, long from, long at) {
    return step == 0 || (step < MAX_STEPS && !isFar(from, at) && !isSpent());
  }

  private static boolean isFar(long from, long at) {
    return Math.abs(at - from) > MAX_DISTANCE;
  }

  /** How many days away an occurrence is moved at most. */
  public int reach() {
    return reach;
  }

  /** The grid of what is left of another one, and of what is moved. */
  Grid of(Grid seconds, Recurrence recurrence, Optional<ZonedGrid> zoned) {
    if (isEmpty()) {
      return seconds;
    }
    return switch (onExcluded) {
      case SKIP -> new PermittedGrid(seconds, this);
      case AFTER -> new DelayedGrid(seconds, this);
      case NEXT_DAY, PREVIOUS_DAY ->
          new OtherDayGrid(seconds, this, DayTimesOfZone.of(recurrence, zone.getRules(), zoned));
    };
  }

  /** The excluded or permitted stretch around a second. */
  Stretch at(long second) {
    Stretch permitted = Stretch.FREE;
    for (Coverage calendar : exclude) {
      Stretch stretch = calendar.at(second, lookups);
      if (stretch.isCovered()) {
        return stretch;
      }
      permitted = permitted.within(stretch);
    }
    return only.isEmpty() ? permitted : outsideOfOnly(second, permitted);
  }

  private Stretch outsideOfOnly(long second, Stretch permitted) {
    Stretch outside = Stretch.FREE;
    for (Coverage calendar : only) {
      Stretch stretch = calendar.at(second, lookups);
      if (stretch.isCovered()) {
        return permitted.within(stretch);
      }
      outside = outside.within(stretch);
    }
    Cause cause = new Cause(only.get(0).calendar(), Optional.empty());
    return new Stretch(outside.first(), outside.end(), Optional.of(cause));
  }

  /** The first second from another one on that is permitted, or with which the search ends. */
  long permittedFrom(long second) {
    long at = second;
    for (int step = 0; goesOn(step, second, at) && at < GridBuilder.LAST_SECOND; step++) {
      Stretch stretch = at(at);
      if (!stretch.isCovered()) {
        return at;
      }
      at = stretch.end();
    }
    return isFar(second, at) ? Grid.NEVER : at;
  }

  /** The last second up to another one that is permitted, or with which the search ends. */
  long permittedUpTo(long second) {
    long at = second;
    for (int step = 0; goesOn(step, second, at) && at > -GridBuilder.LAST_SECOND; step++) {
      Stretch stretch = at(at);
      if (!stretch.isCovered()) {
        return at;
      }
      at = stretch.first() == Long.MIN_VALUE ? Grid.BEFORE : stretch.first() - 1;
    }
    return isFar(second, at) ? Grid.BEFORE : at;
  }

  /** The elements of a grid of seconds that are not excluded. */
  private static final class PermittedGrid implements Grid {
    private final Grid seconds;
    private final Exclusions exclusions;

    PermittedGrid(Grid seconds, Exclusions exclusions) {
      this.seconds = seconds;
      this.exclusions = exclusions;
    }

    @Override
    public long ceiling(long from) {
      long found = seconds.ceiling(from);
      for (int step = 0; found != NEVER && exclusions.goesOn(step, from, found); step++) {
        Stretch stretch = exclusions.at(found);
        if (!stretch.isCovered()) {
          return found;
        }
        found = stretch.end() > GridBuilder.LAST_SECOND ? NEVER : seconds.ceiling(stretch.end());
      }
      return found == NEVER || isFar(from, found) ? NEVER : found;
    }

    @Override
    public long floor(long to) {
      long found = seconds.floor(to);
      for (int step = 0; found != BEFORE && exclusions.goesOn(step, to, found); step++) {
        Stretch stretch = exclusions.at(found);
        if (!stretch.isCovered()) {
          return found;
        }
        found = stretch.first() == Long.MIN_VALUE ? BEFORE : seconds.floor(stretch.first() - 1);
      }
      return found == BEFORE || isFar(to, found) ? BEFORE : found;
    }

    /** Sums over the stretches; what lies behind as many as a search asks for is not counted. */
    @Override
    public long count(long from, long to, long limit) {
      long found = 0;
      long at = seconds.ceiling(from);
      for (int step = 0; at < to && found < limit && exclusions.goesOn(step, from, at); step++) {
        Stretch stretch = exclusions.at(at);
        long end = Math.min(to, stretch.end());
        found += stretch.isCovered() ? 0 : seconds.count(at, end, limit - found);
        at = end < to ? seconds.ceiling(end) : to;
      }
      return found;
    }
  }

  /**
   * The elements of a grid of seconds; excluded ones are at the end of the excluded time instead.
   */
  private static final class DelayedGrid implements Grid {
    private final Grid seconds;
    private final Exclusions exclusions;

    DelayedGrid(Grid seconds, Exclusions exclusions) {
      this.seconds = seconds;
      this.exclusions = exclusions;
    }

    @Override
    public long ceiling(long from) {
      long end = exclusions.permittedFrom(from - 1);
      if (end >= from && delayedTo(end)) {
        return end;
      }
      long next = seconds.ceiling(from);
      return next == NEVER ? NEVER : bounded(exclusions.permittedFrom(next));
    }

    /** Whether an element lies in the excluded time before its end. */
    private boolean delayedTo(long end) {
      if (end > GridBuilder.LAST_SECOND) {
        return false;
      }
      long last = seconds.floor(end - 1);
      return last != BEFORE && exclusions.permittedFrom(last) == end;
    }

    private static long bounded(long second) {
      return second > GridBuilder.LAST_SECOND ? NEVER : second;
    }

    @Override
    public long floor(long to) {
      long found = seconds.floor(to);
      for (int step = 0; found != BEFORE && exclusions.goesOn(step, to, found); step++) {
        long moved = exclusions.permittedFrom(found);
        if (moved <= to) {
          return moved;
        }
        long before = exclusions.permittedUpTo(found);
        found = before == BEFORE ? BEFORE : seconds.floor(before);
      }
      return found;
    }

    /**
     * Sums over the permitted stretches, each with what is moved to its begin; what lies behind as
     * many as a search asks for is not counted.
     */
    @Override
    public long count(long from, long to, long limit) {
      long found = 0;
      long at = ceiling(from);
      for (int step = 0; at < to && found < limit; step++) {
        Stretch stretch = exclusions.at(at);
        if (stretch.isCovered() || !exclusions.goesOn(step, from, at)) {
          return found;
        }
        long end = Math.min(to, stretch.end());
        found += seconds.ceiling(at) == at ? 0 : 1;
        found += seconds.count(at, end, limit - found);
        at = end < to ? ceiling(end) : to;
      }
      return Math.min(found, limit);
    }
  }
}
