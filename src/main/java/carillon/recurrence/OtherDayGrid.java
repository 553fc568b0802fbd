package carillon.recurrence;

import carillon.recurrence.Coverage.Stretch;
import carillon.recurrence.Exclusions.OnExcluded;
import java.time.zone.ZoneRules;

/**
 * The elements of a grid of seconds; an excluded one is at the same local time of the nearest later
 * or earlier day at which it is not excluded, or left out where there is none within a year.
 *
 * <p>What is moved goes from day to day and stays at the first that permits it, so it never passes
 * permitted time that is longer than any local day: there a search ends.
 */
final class OtherDayGrid implements Grid {
  private static final int MAX_DAYS = 366;
  private static final int MAX_STEPS = 2_000;
  private static final long HOUR = 3600;
  private static final long MAX_REACH = (MAX_DAYS + 2) * 24 * HOUR;

  /** No local day is as long, not even one that is repeated. */
  private static final long LONG_DAY = 49 * HOUR;

  private final Grid seconds;
  private final Exclusions exclusions;
  private final ZoneRules zone;
  private final boolean isForward;
  private final int steps;

  OtherDayGrid(Grid seconds, Exclusions exclusions, ZoneRules zone) {
    this.seconds = seconds;
    this.exclusions = exclusions;
    this.zone = zone;
    this.isForward = exclusions.onExcluded() == OnExcluded.NEXT_DAY;
    this.steps = Math.min(MAX_STEPS, exclusions.steps());
  }

  @Override
  public long ceiling(long from) {
    long found = NEVER;
    long barrier = NEVER;
    long at = seconds.ceiling(isForward ? barrierBefore(from) : from);
    for (int step = 0; at < barrier && step < steps; ) {
      long place = placeOf(at, NEVER);
      if (place >= from && place < found) {
        found = place;
        barrier = isForward ? found : barrierBehind(found);
      }
      step += judgements(at, place);
      at = seconds.ceiling(at + 1);
    }
    return found != NEVER || at == NEVER ? found : seconds.ceiling(Math.max(at, from));
  }

  @Override
  public long floor(long to) {
    long found = BEFORE;
    long barrier = BEFORE;
    long at = seconds.floor(isForward ? to : barrierBehind(to));
    for (int step = 0; at > barrier && step < steps; ) {
      long place = placeOf(at, BEFORE);
      if (place <= to && place > found) {
        found = place;
        barrier = isForward ? barrierBefore(found) : found;
      }
      step += judgements(at, place);
      at = seconds.floor(at - 1);
    }
    return found != BEFORE || at == BEFORE ? found : seconds.floor(Math.min(at, to));
  }

  /** Where an element is: itself, or moved, or nowhere. */
  private long placeOf(long element, long nowhere) {
    for (int days = 0; days <= MAX_DAYS; days++) {
      long place = Exclusions.shifted(element, isForward ? days : -days, zone);
      if (!exclusions.at(place).isCovered()) {
        return place;
      }
    }
    return nowhere;
  }

  /** How many days were looked at to find a place. */
  private static int judgements(long element, long place) {
    return place == NEVER || place == BEFORE
        ? MAX_DAYS
        : 1 + (int) (Math.abs(place - element) / (24 * HOUR));
  }

  /** What is moved counts where it was: each move would have to be looked at. */
  @Override
  public long count(long from, long to, long limit) {
    return seconds.count(from, to, limit);
  }

  /** A second before which nothing is that is moved from before it to another one or behind. */
  private long barrierBefore(long second) {
    long at = second;
    for (int step = 0; step < steps && at > second - MAX_REACH; step++) {
      Stretch stretch = exclusions.at(at);
      long end = Math.min(stretch.end(), second);
      if (!stretch.isCovered() && end - LONG_DAY >= stretch.first()) {
        return end - LONG_DAY;
      }
      at = Math.max(stretch.first(), second - MAX_REACH) - 1;
    }
    return second - MAX_REACH;
  }

  /** A second behind which nothing is that is moved from behind it to another one or before. */
  private long barrierBehind(long second) {
    long at = second;
    for (int step = 0; step < steps && at < second + MAX_REACH; step++) {
      Stretch stretch = exclusions.at(at);
      long first = Math.max(stretch.first(), second);
      if (!stretch.isCovered() && first <= stretch.end() - LONG_DAY) {
        return first + LONG_DAY;
      }
      at = Math.min(stretch.end(), second + MAX_REACH);
    }
    return second + MAX_REACH;
  }
}
