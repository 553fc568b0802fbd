package carillon.recurrence.grid;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Grid of elapsed time, filtered by local time, in UTC seconds: for example, every 90 minutes but
 * only in the morning. Between two transitions of the zone the offset is constant, and so is the
 * grid of local seconds.
 */
final class OffsetGrid implements Grid {
  private final ZoneRules rules;
  private final Function<ZoneOffset, Grid> atOffset;
  private final Map<ZoneOffset, Grid> known = new ConcurrentHashMap<>();

  /** Instant after which only the offsets of yearly rules apply. */
  private final Instant lastListed;

  private final Set<ZoneOffset> recurring;

  /**
   * @param atOffset by offset the grid of local seconds
   */
  OffsetGrid(ZoneRules rules, Function<ZoneOffset, Grid> atOffset) {
    this.rules = rules;
    this.atOffset = atOffset;
    List<ZoneOffsetTransition> listed = rules.getTransitions();
    this.lastListed = listed.isEmpty() ? Instant.MIN : listed.get(listed.size() - 1).getInstant();
    this.recurring =
        rules.getTransitionRules().stream()
            .flatMap(rule -> Stream.of(rule.getOffsetBefore(), rule.getOffsetAfter()))
            .collect(Collectors.toSet());
  }

  @Override
  public long ceiling(long from) {
    // The next element of each offset's grid stays valid until it is reached, over any number of
    // transitions.
    Map<ZoneOffset, Long> next = new HashMap<>();
    for (long at = from; at <= GridBuilder.LAST_SECOND; ) {
      Instant instant = Instant.ofEpochSecond(at);
      ZoneOffset offset = rules.getOffset(instant);
      long last = next.getOrDefault(offset, BEFORE);
      long found = last >= at ? last : atOrAfter(at, offset);
      next.put(offset, found);
      ZoneOffsetTransition closing = rules.nextTransition(instant);
      if (closing == null || found < closing.toEpochSecond()) {
        return found;
      }
      at = Math.max(closing.toEpochSecond(), soonest(next, instant));
    }
    return NEVER;
  }

  /**
   * Returns a second before which no element lies, if the grids of all future offsets were asked.
   */
  private long soonest(Map<ZoneOffset, Long> next, Instant at) {
    return next.size() > 1 && at.isAfter(lastListed) && next.keySet().containsAll(recurring)
        ? Collections.min(next.values())
        : BEFORE;
  }

  @Override
  public long floor(long to) {
    Map<ZoneOffset, Long> previous = new HashMap<>();
    for (long at = to; ; ) {
      Instant instant = Instant.ofEpochSecond(at);
      ZoneOffset offset = rules.getOffset(instant);
      long last = previous.getOrDefault(offset, NEVER);
      long found = last <= at ? last : atOrBefore(at, offset);
      previous.put(offset, found);
      ZoneOffsetTransition opening = rules.previousTransition(instant.plusNanos(1));
      if (opening == null || found >= opening.toEpochSecond()) {
        return found;
      }
      at = opening.toEpochSecond() - 1;
    }
  }

  @Override
  public long count(long from, long to, long limit) {
    long found = 0;
    for (long at = from; at < to && found < limit; ) {
      Instant instant = Instant.ofEpochSecond(at);
      ZoneOffset offset = rules.getOffset(instant);
      ZoneOffsetTransition closing = rules.nextTransition(instant);
      long end = closing == null ? to : Math.min(to, closing.toEpochSecond());
      int seconds = offset.getTotalSeconds();
      found += local(offset).count(at + seconds, end + seconds, limit - found);
      at = end;
    }
    return found;
  }

  private long atOrAfter(long second, ZoneOffset offset) {
    long found = local(offset).ceiling(second + offset.getTotalSeconds());
    return found == NEVER ? NEVER : found - offset.getTotalSeconds();
  }

  private long atOrBefore(long second, ZoneOffset offset) {
    long found = local(offset).floor(second + offset.getTotalSeconds());
    return found == BEFORE ? BEFORE : found - offset.getTotalSeconds();
  }

  private Grid local(ZoneOffset offset) {
    return known.computeIfAbsent(offset, at -> new RememberingGrid(atOffset.apply(at)));
  }
}
