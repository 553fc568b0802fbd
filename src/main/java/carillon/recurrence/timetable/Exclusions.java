package carillon.recurrence.timetable;

import carillon.recurrence.Coverage;
import carillon.recurrence.Coverage.Cause;
import carillon.recurrence.Coverage.Lookups;
import carillon.recurrence.Coverage.Stretch;
import carillon.recurrence.Recurrence;
import carillon.recurrence.grid.Grid;
import carillon.recurrence.grid.GridBuilder;
import carillon.recurrence.grid.ZonedGrid;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Time at which a job does not run, given by calendars of excluded and of permitted time.
 *
 * <p>Each search is limited, and so are all searches together. If calendars exclude thousands of
 * spans in a row, a search ends at an excluded instant. No occurrence is lost if the next search
 * begins after it. Confined to one thread.
 */
public final class Exclusions {
  /** Exclusions that exclude nothing. */
  public static final Exclusions NONE =
      new Exclusions(List.of(), List.of(), OnExcluded.SKIP, ZoneOffset.UTC);

  /**
   * Maximum number of times of day for occurrences that move to other days. More occurrences in a
   * day would mostly collide with others on the new day.
   */
  public static final int MAX_TIMES_OF_DAY = 2;

  /** Maximum number of stretches in a search. */
  private static final int MAX_STEPS = 10_000;

  /** Maximum distance of a search, in seconds. */
  private static final long MAX_DISTANCE = Duration.ofDays(50 * 366).toSeconds();

  /**
   * Maximum number of lookups of repeated spans for all searches together. After that, searches end
   * soon.
   */
  private static final int MAX_LOOKUPS = 10_000;

  /**
   * Maximum number of days over which an occurrence moves; fewer if many spans have to be asked.
   */
  private static final int MAX_REACH = 366;

  private static final int MIN_REACH = 4;
  private static final int MAX_REACH_COST = 2_000;

  private final List<Coverage> exclude;
  private final List<Coverage> only;
  private final OnExcluded onExcluded;
  private final ZoneId zone;
  private final int reach;
  private final Lookups lookups = new Lookups();

  /** Treatment of an excluded occurrence. */
  public enum OnExcluded {
    SKIP,
    /** Moved to the end of the excluded time. */
    AFTER,
    /** Moved to the same local time of the next day without an exclusion at that time. */
    NEXT_DAY,
    /** Moved to the same local time of the last earlier day without an exclusion at that time. */
    PREVIOUS_DAY;

    /** The word that clients use, such as {@code nextDay}. */
    public String word() {
      return switch (this) {
        case NEXT_DAY -> "nextDay";
        case PREVIOUS_DAY -> "previousDay";
        default -> name().toLowerCase(Locale.ROOT);
      };
    }

    /** Whether occurrences move to other days. */
    public boolean isByDay() {
      return this == NEXT_DAY || this == PREVIOUS_DAY;
    }
  }

  /**
   * The exclusions by some calendars.
   *
   * @param exclude calendars whose covered time is excluded
   * @param only if there are any, all time outside of their covered time is excluded
   * @param zone whose days count if occurrences move to another day
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

  /** Whether no time is ever excluded. */
  public boolean isEmpty() {
    return exclude.isEmpty() && only.isEmpty();
  }

  /** Returns the cause for the exclusion of an instant; empty if it is not excluded. */
  public Optional<Cause> cause(Instant instant) {
    return at(instant.getEpochSecond()).cause();
  }

  /** Whether an instant is excluded. */
  public boolean excludes(Instant instant) {
    return cause(instant).isPresent();
  }

  /** Treatment of an excluded occurrence. */
  public OnExcluded onExcluded() {
    return onExcluded;
  }

  /** The time of day of an instant, in the zone whose days count. */
  LocalTime localTime(Instant instant) {
    return LocalTime.ofInstant(instant, zone);
  }

  /**
   * Whether the limit of lookups is reached. Every search then ends with the next span that it
   * meets, so callers should ask for no more occurrences.
   */
  public boolean isSpent() {
    return lookups.count() >= MAX_LOOKUPS;
  }

  /** Whether a search may continue, given its stretches so far and its distance in seconds. */
  private boolean goesOn(int step, long from, long at) {
    return step == 0 || (step < MAX_STEPS && !isFar(from, at) && !isSpent());
  }

  private static boolean isFar(long from, long at) {
    return Math.abs(at - from) > MAX_DISTANCE;
  }

  /** Maximum number of days over which an occurrence moves. */
  public int reach() {
    return reach;
  }

  /** Returns the grid of the permitted and the moved elements of another grid. */
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

  /**
   * Returns the first permitted second from another one on, or the excluded one at which the search
   * ends.
   */
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

  /**
   * Returns the last permitted second up to another one, or the excluded one at which the search
   * ends.
   */
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

    /** Sums over the stretches. Elements beyond the limit of a search are not counted. */
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

  /** Elements of a grid of seconds, with excluded ones moved to the end of the excluded time. */
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
     * Sums over the permitted stretches, each with the elements moved to its start. Elements beyond
     * the limit of a search are not counted.
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
