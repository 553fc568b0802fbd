package carillon.recurrence.grid;

import carillon.recurrence.DstPolicy;
import carillon.recurrence.DstPolicy.Fold;
import carillon.recurrence.DstPolicy.Gap;
import carillon.recurrence.MovedTime;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;

/**
 * A grid of local seconds, converted to UTC. Between two transitions of the zone the offset is
 * constant, so an element is that of the local grid minus the offset. A transition removes and adds
 * elements, according to the {@link DstPolicy} for local times that come twice or not at all. Two
 * elements at the same instant are one.
 */
public final class ZonedGrid implements Grid {
  /** Largest possible offset, in seconds. */
  private static final long MAX_OFFSET = ZoneOffset.MAX.getTotalSeconds();

  private final Grid local;
  private final long start;
  private final int fraction;
  private final ZoneRules rules;
  private final Gap gap;
  private final Fold fold;

  /**
   * Cache for successive elements and their local times. Beyond the year 2100 the rules of a zone
   * compute each transition again.
   */
  private volatile Segment latest;

  /**
   * @param local seconds of local time, as if it were UTC
   * @param anchor earliest element; all elements have its fraction of a second
   * @param dst without AUTO
   */
  public ZonedGrid(Grid local, Instant anchor, ZoneRules rules, DstPolicy dst) {
    this.local = new RememberingGrid(local);
    this.start = anchor.getEpochSecond();
    this.fraction = anchor.getNano();
    this.rules = rules;
    this.gap = dst.gap();
    this.fold = dst.fold();
  }

  @Override
  public long ceiling(long from) {
    for (long at = from; ; ) {
      Segment segment = segmentOf(at);
      long found = segment.ceiling(at);
      if (found != NEVER || segment.ending == null) {
        return found;
      }
      long next = local.ceiling(Math.max(start, segment.earliestLocalBehind()));
      if (next == NEVER) {
        return NEVER;
      }
      at = Math.max(segment.end(), next - MAX_OFFSET);
    }
  }

  @Override
  public long floor(long to) {
    for (long at = to; ; ) {
      Segment segment = segmentOf(at);
      long found = segment.floor(at);
      if (found != BEFORE || segment.beginning == null) {
        return found;
      }
      long previous = local.floor(segment.latestLocalBefore());
      if (previous == BEFORE) {
        return BEFORE;
      }
      at = Math.min(segment.begin() - 1, previous + MAX_OFFSET);
    }
  }

  /** Counts by arithmetic in each segment. Iterates only near a transition that adds elements. */
  @Override
  public long count(long from, long to, long limit) {
    long found = 0;
    for (long at = from; at < to && found < limit; ) {
      Segment segment = segmentOf(at);
      long end = segment.ending == null ? to : Math.min(to, segment.end());
      long added = Math.min(end, segment.endOfAdded());
      if (at < added) {
        found += Grid.super.count(at, added, limit - found);
        at = added;
      }
      if (at < end && found < limit) {
        found += segment.countRegular(at, end, limit - found);
      }
      at = end;
    }
    return Math.min(found, limit);
  }

  /**
   * Returns the local time of an element. For a moved element, returns the time of the local grid,
   * with the offset before the gap.
   */
  public OffsetDateTime localOf(long element) {
    Segment segment = segmentOf(element);
    long regular = element + segment.offset();
    if (segment.isRegular(regular) && local.ceiling(regular) == regular) {
      return local(regular).atOffset(segment.zoneOffset());
    }
    long added = segment.addedLocal(element);
    return added == NEVER
        ? local(regular).atOffset(segment.zoneOffset())
        : local(added).atOffset(segment.beginning.getOffsetBefore());
  }

  /**
   * Returns the instant of a local time by the policy, or a later one if it has none.
   *
   * @param meant with the offset, which selects one pass of a repeated span
   */
  public Instant instantOf(OffsetDateTime meant) {
    LocalDateTime time = meant.toLocalDateTime();
    List<ZoneOffset> offsets = rules.getValidOffsets(time);
    if (offsets.isEmpty()) {
      ZoneOffsetTransition transition = rules.getTransition(time);
      return gap == Gap.SHIFT
          ? time.toInstant(transition.getOffsetBefore())
          : transition.getInstant();
    }
    boolean isKnown = fold == Fold.BOTH && offsets.contains(meant.getOffset());
    return isKnown
        ? meant.toInstant()
        : time.toInstant(offsets.get(fold == Fold.LAST ? offsets.size() - 1 : 0));
  }

  /**
   * Whether an element may have a local time. False for a time that does not exist, if the policy
   * skips it.
   */
  public boolean has(LocalDateTime time) {
    return gap != Gap.SKIP || !rules.getValidOffsets(time).isEmpty();
  }

  /** Whether each local time has at most one element. */
  public boolean hasEachOnce() {
    return fold != Fold.BOTH;
  }

  /**
   * Returns the local times that transitions between two instants, both inclusive, skip or repeat.
   *
   * @param limit how many at most
   */
  public List<MovedTime> moved(Instant from, Instant to, int limit) {
    List<MovedTime> found = new ArrayList<>();
    ZoneOffsetTransition next = rules.nextTransition(from.minusNanos(1));
    while (next != null && !next.getInstant().isAfter(to) && found.size() < limit) {
      addMoved(next, limit, found);
      next = nextWithTimes(next);
    }
    return found;
  }

  /** Returns the next transition, except those that lie too far from any local time. */
  private ZoneOffsetTransition nextWithTimes(ZoneOffsetTransition transition) {
    long at = transition.toEpochSecond();
    long second = local.ceiling(Math.max(start, at - MAX_OFFSET));
    return second == NEVER
        ? null
        : rules.nextTransition(Instant.ofEpochSecond(Math.max(at, second - MAX_OFFSET - 1)));
  }

  private void addMoved(ZoneOffsetTransition transition, int limit, List<MovedTime> found) {
    boolean isGap = transition.isGap();
    LocalDateTime first = isGap ? transition.getDateTimeBefore() : transition.getDateTimeAfter();
    LocalDateTime end = isGap ? transition.getDateTimeAfter() : transition.getDateTimeBefore();
    long last = end.toEpochSecond(ZoneOffset.UTC) - 1;
    long second = local.ceiling(Math.max(start, first.toEpochSecond(ZoneOffset.UTC)));
    while (second <= last && found.size() < limit) {
      found.add(new MovedTime(local(second), transition, new DstPolicy(gap, fold)));
      second = local.ceiling(second + 1);
    }
  }

  private LocalDateTime local(long second) {
    return LocalDateTime.ofEpochSecond(second, fraction, ZoneOffset.UTC);
  }

  private Segment segmentOf(long second) {
    Segment known = latest;
    if (known == null || !known.contains(second)) {
      Instant instant = Instant.ofEpochSecond(second);
      known =
          new Segment(
              rules.previousTransition(instant.plusNanos(1)), rules.nextTransition(instant));
      latest = known;
    }
    return known;
  }

  /** Time from one transition to the next; a bound is null if there is none. */
  private final class Segment {
    private final ZoneOffsetTransition beginning;
    private final ZoneOffsetTransition ending;

    Segment(ZoneOffsetTransition beginning, ZoneOffsetTransition ending) {
      this.beginning = beginning;
      this.ending = ending;
    }

    boolean contains(long second) {
      return (beginning == null || second >= begin()) && (ending == null || second < end());
    }

    ZoneOffset zoneOffset() {
      if (beginning != null) {
        return beginning.getOffsetAfter();
      }
      return ending == null ? rules.getOffset(Instant.EPOCH) : ending.getOffsetBefore();
    }

    long offset() {
      return zoneOffset().getTotalSeconds();
    }

    long begin() {
      return beginning.toEpochSecond();
    }

    long end() {
      return ending.toEpochSecond();
    }

    /**
     * The first local second with regular elements: after a repeated span that the policy ignores.
     */
    private long firstLocal() {
      if (beginning == null) {
        return start;
      }
      boolean leavesOut = beginning.isOverlap() && fold == Fold.FIRST;
      long first =
          begin()
              + (leavesOut ? beginning.getOffsetBefore() : beginning.getOffsetAfter())
                  .getTotalSeconds();
      return Math.max(first, start);
    }

    /** The first local second whose elements are no longer regular. */
    private long endLocal() {
      if (ending == null) {
        return NEVER;
      }
      boolean leavesOut = ending.isOverlap() && fold == Fold.LAST;
      return end()
          + (leavesOut ? ending.getOffsetAfter() : ending.getOffsetBefore()).getTotalSeconds();
    }

    /** The first local second that a later segment can have. */
    long earliestLocalBehind() {
      return end()
          + Math.min(
              ending.getOffsetBefore().getTotalSeconds(),
              ending.getOffsetAfter().getTotalSeconds());
    }

    /** The last local second that an earlier segment can have. */
    long latestLocalBefore() {
      return begin()
          + Math.max(
              beginning.getOffsetBefore().getTotalSeconds(),
              beginning.getOffsetAfter().getTotalSeconds())
          - 1;
    }

    boolean isRegular(long second) {
      return second >= firstLocal() && second < endLocal();
    }

    long ceiling(long from) {
      long second = local.ceiling(Math.max(from + offset(), firstLocal()));
      long regular = second < endLocal() ? second - offset() : NEVER;
      return Math.min(regular, addedCeiling(from));
    }

    long floor(long to) {
      long second = local.floor(Math.min(to + offset(), endLocal() - 1));
      long regular = second != BEFORE && second >= firstLocal() ? second - offset() : BEFORE;
      return Math.max(regular, addedFloor(to));
    }

    long countRegular(long from, long to, long limit) {
      long first = Math.max(from + offset(), firstLocal());
      long end = Math.min(to + offset(), endLocal());
      return first < end ? local.count(first, end, limit) : 0;
    }

    private boolean adds() {
      return gap != Gap.SKIP && beginning != null && beginning.isGap();
    }

    private long gapStart() {
      return Math.max(start, begin() + beginning.getOffsetBefore().getTotalSeconds());
    }

    private long gapEnd() {
      return begin() + beginning.getOffsetAfter().getTotalSeconds();
    }

    /** The first second after all elements that were moved out of the gap. */
    long endOfAdded() {
      if (!adds()) {
        return BEFORE;
      }
      return begin() + (gap == Gap.BOUNDARY ? 1 : beginning.getDuration().toSeconds());
    }

    private long addedCeiling(long from) {
      if (!adds() || from >= endOfAdded()) {
        return NEVER;
      }
      long before = beginning.getOffsetBefore().getTotalSeconds();
      long second =
          local.ceiling(gap == Gap.BOUNDARY ? gapStart() : Math.max(gapStart(), from + before));
      return second < gapEnd() ? moved(second) : NEVER;
    }

    private long addedFloor(long to) {
      if (!adds()) {
        return BEFORE;
      }
      long before = beginning.getOffsetBefore().getTotalSeconds();
      long second =
          local.floor(gap == Gap.BOUNDARY ? gapEnd() - 1 : Math.min(to + before, gapEnd() - 1));
      return second != BEFORE && second >= gapStart() ? moved(second) : BEFORE;
    }

    private long moved(long second) {
      return gap == Gap.BOUNDARY ? begin() : second - beginning.getOffsetBefore().getTotalSeconds();
    }

    /** The local second that was moved to this element, or NEVER. */
    long addedLocal(long element) {
      if (!adds() || element >= endOfAdded()) {
        return NEVER;
      }
      long second =
          gap == Gap.BOUNDARY
              ? local.ceiling(gapStart())
              : element + beginning.getOffsetBefore().getTotalSeconds();
      return second < gapEnd() ? second : NEVER;
    }
  }
}
