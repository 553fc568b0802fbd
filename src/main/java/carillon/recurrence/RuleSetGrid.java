package carillon.recurrence;

import carillon.recurrence.rrule.RecurrenceRule;
import carillon.recurrence.rrule.RecurrenceSet;
import carillon.recurrence.rrule.RuleTime;
import carillon.recurrence.rrule.RuleTime.Form;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Grid of a recurrence set: those of its rules within their bounds, and its dates, less its
 * exceptions. The numbers are seconds: local ones, or those of UTC where the rules are of elapsed
 * time.
 */
final class RuleSetGrid {
  /** Rules of days or longer lie on local seconds: no zone filters them. */
  private static final ZoneRules UTC = ZoneOffset.UTC.getRules();

  private final RecurrenceSet set;
  private final long start;
  private final ZoneRules zone;
  private final ToLongFunction<RuleTime> second;

  private RuleSetGrid(
      RecurrenceSet set, long start, ZoneRules zone, ToLongFunction<RuleTime> second) {
    this.set = set;
    this.start = start;
    this.zone = zone;
    this.second = second;
  }

  /**
   * The grid of local seconds of a set whose rules are of days or longer, as if they were UTC.
   *
   * @param anchor from which the rules are counted
   */
  static Grid local(RecurrenceSet set, LocalDateTime anchor, ZoneRules rules) {
    return new RuleSetGrid(set, second(anchor), UTC, time -> localSecond(time, rules))
        .grid(rule -> RuleGridBuilder.build(rule, anchor));
  }

  /**
   * The grid of seconds of a set whose rules are of elapsed time: each is filtered by the local
   * time that holds then.
   *
   * @param anchor from which the rules are counted
   */
  static Grid elapsed(RecurrenceSet set, Instant anchor, ZoneRules rules) {
    return new RuleSetGrid(set, anchor.getEpochSecond(), rules, time -> utcSecond(time, rules))
        .grid(
            rule ->
                new OffsetGrid(
                    rules,
                    offset ->
                        RuleGridBuilder.build(rule, LocalDateTime.ofInstant(anchor, offset))));
  }

  private static long localSecond(RuleTime time, ZoneRules rules) {
    if (time.form() != Form.UTC) {
      return second(time.time());
    }
    Instant instant = time.time().toInstant(ZoneOffset.UTC);
    return instant.getEpochSecond() + rules.getOffset(instant).getTotalSeconds();
  }

  private static long utcSecond(RuleTime time, ZoneRules rules) {
    ZoneOffset offset = time.form() == Form.UTC ? ZoneOffset.UTC : rules.getOffset(time.time());
    return time.time().toEpochSecond(offset);
  }

  private static long second(LocalDateTime time) {
    return time.toEpochSecond(ZoneOffset.UTC);
  }

  private Grid grid(Function<RecurrenceRule, Grid> unbounded) {
    List<Grid> grids = new ArrayList<>();
    for (RecurrenceRule rule : set.rules()) {
      grids.add(new RememberingGrid(bounded(rule, unbounded.apply(rule))));
    }
    if (!set.dates().isEmpty()) {
      grids.add(
          new ListedGrid(set.dates().stream().mapToLong(second).sorted().distinct().toArray()));
    }
    Grid all = UnionGrid.of(grids);
    return set.exceptions().isEmpty() ? all : new ExceptGrid(all, exceptions());
  }

  private Grid bounded(RecurrenceRule rule, Grid grid) {
    if (rule.count().isPresent()) {
      return new BoundedGrid(grid, start, new CountedRule(rule, start, zone).end(grid));
    }
    return new BoundedGrid(
        grid, start, rule.until().map(until -> endOf(until) - 1).orElse(Grid.NEVER));
  }

  private NavigableMap<Long, Long> exceptions() {
    NavigableMap<Long, Long> ranges = new TreeMap<>();
    for (RuleTime time : set.exceptions()) {
      ranges.merge(second.applyAsLong(time), endOf(time), Math::max);
    }
    return ranges;
  }

  /** The first second behind a time, or behind a day. */
  private long endOf(RuleTime time) {
    if (time.form() != Form.DATE) {
      return second.applyAsLong(time) + 1;
    }
    LocalDateTime nextDay = time.time().plusDays(1);
    return second.applyAsLong(new RuleTime(nextDay, Form.DATE));
  }

  /** The elements of several grids, each once. */
  private static final class UnionGrid implements Grid {
    private final List<Grid> grids;

    private UnionGrid(List<Grid> grids) {
      this.grids = List.copyOf(grids);
    }

    /**
     * @param grids one or more
     */
    static Grid of(List<Grid> grids) {
      return grids.size() == 1 ? grids.get(0) : new UnionGrid(grids);
    }

    @Override
    public long ceiling(long from) {
      long least = NEVER;
      for (Grid grid : grids) {
        least = Math.min(least, grid.ceiling(from));
      }
      return least;
    }

    @Override
    public long floor(long to) {
      long greatest = BEFORE;
      for (Grid grid : grids) {
        greatest = Math.max(greatest, grid.floor(to));
      }
      return greatest;
    }
  }

  /** The elements of a grid that lie in none of some ranges. */
  private static final class ExceptGrid implements Grid {
    private final Grid grid;

    /** By the first number that is left out, the first that is not any more. */
    private final NavigableMap<Long, Long> ranges;

    /**
     * @param ranges by their first numbers their ends (exclusive)
     */
    ExceptGrid(Grid grid, NavigableMap<Long, Long> ranges) {
      this.grid = grid;
      this.ranges = new TreeMap<>(ranges);
    }

    @Override
    public long ceiling(long from) {
      long found = grid.ceiling(from);
      while (found != NEVER) {
        Map.Entry<Long, Long> range = ranges.floorEntry(found);
        if (range == null || range.getValue() <= found) {
          return found;
        }
        found = grid.ceiling(range.getValue());
      }
      return NEVER;
    }

    @Override
    public long floor(long to) {
      long found = grid.floor(to);
      while (found != BEFORE) {
        Map.Entry<Long, Long> range = ranges.floorEntry(found);
        if (range == null || range.getValue() <= found) {
          return found;
        }
        found = grid.floor(range.getKey() - 1);
      }
      return BEFORE;
    }
  }

  /**
   * Rule with a COUNT, at its place in time: what decides where it ends.
   *
   * <p>Where it ends is found by a walk over all that it yields. A job is asked for its next
   * occurrence time and again, each time as it is read from Redis: the ends that were found last
   * are kept.
   *
   * @param start the second from which it is counted
   * @param zone whose offsets it is filtered by
   */
  private record CountedRule(RecurrenceRule rule, long start, ZoneRules zone) {
    private static final int MAX_KEPT = 1024;

    private static final Map<CountedRule, Long> ENDS = Collections.synchronizedMap(new Ends());

    /**
     * The last element that the rule yields.
     *
     * @param grid of the rule, without its bounds
     */
    long end(Grid grid) {
      Long known = ENDS.get(this);
      if (known != null) {
        return known;
      }
      long end = BoundedGrid.nth(grid, start, rule.count().orElseThrow());
      ENDS.put(this, end);
      return end;
    }

    /** The one that was not asked for the longest makes room. */
    private static final class Ends extends LinkedHashMap<CountedRule, Long> {
      private static final long serialVersionUID = 1L;

      Ends() {
        super(16, 0.75f, true);
      }

      @Override
      protected boolean removeEldestEntry(Map.Entry<CountedRule, Long> eldest) {
        return size() > MAX_KEPT;
      }
    }
  }
}
