package carillon.recurrence.grid;

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
 * Grid of a recurrence set: the elements of its rules within their bounds, and its dates, without
 * its exceptions. Numbers are local seconds, or UTC seconds if the rules use elapsed time.
 */
public final class RuleSetGrid {
  /** Zone of rules of days or longer: they lie on local seconds, so no zone filters them. */
  private static final ZoneRules UTC = ZoneOffset.UTC.getRules();

  private final RecurrenceSet set;
  private final long start;
  private final ZoneRules zone;
  private final ToLongFunction<RuleTime> second;
  private final ToLongFunction<Grid> counted;

  private RuleSetGrid(
      RecurrenceSet set,
      long start,
      ZoneRules zone,
      ToLongFunction<RuleTime> second,
      ToLongFunction<Grid> counted) {
    this.set = set;
    this.start = start;
    this.zone = zone;
    this.second = second;
    this.counted = counted;
  }

  /**
   * The grid of local seconds of a set whose rules have periods of days or longer, as if they were
   * UTC.
   *
   * @param anchor from which the periods of the rules are counted
   * @param counted number from which COUNT counts, by the grid of its rule
   */
  public static Grid local(
      RecurrenceSet set, LocalDateTime anchor, ZoneRules rules, ToLongFunction<Grid> counted) {
    return new RuleSetGrid(set, second(anchor), UTC, time -> second(time.local(rules)), counted)
        .grid(rule -> RuleGridBuilder.build(rule, anchor));
  }

  /**
   * The grid of seconds of a set whose rules use elapsed time. The local time at each second
   * filters it.
   *
   * @param anchor from which the periods of the rules are counted
   * @param counted number from which COUNT counts, by the grid of its rule
   */
  public static Grid elapsed(
      RecurrenceSet set, Instant anchor, ZoneRules rules, ToLongFunction<Grid> counted) {
    return new RuleSetGrid(
            set, anchor.getEpochSecond(), rules, time -> utcSecond(time, rules), counted)
        .grid(
            rule ->
                new OffsetGrid(
                    rules,
                    offset ->
                        RuleGridBuilder.build(rule, LocalDateTime.ofInstant(anchor, offset))));
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
      CountedRule counting = new CountedRule(rule, start, zone, counted.applyAsLong(grid));
      return new BoundedGrid(grid, start, counting.end(grid));
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

  /** Returns the first second after a time, or after a day. */
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

  /** Elements of a grid that lie outside of some ranges. */
  private static final class ExceptGrid implements Grid {
    private final Grid grid;

    /** Ends (exclusive) of the ranges, by their first number. */
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
   * Rule with a COUNT, and the other facts that determine its end.
   *
   * <p>To find its end, all its elements are visited. A job is read from Redis and asked for its
   * next occurrence again and again, so the ends that were found last are cached.
   *
   * @param start the second from which its periods are counted
   * @param zone whose offsets filter it
   * @param first the second from which its times are counted
   */
  private record CountedRule(RecurrenceRule rule, long start, ZoneRules zone, long first) {
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
      long end = BoundedGrid.nth(grid, first, rule.count().orElseThrow());
      ENDS.put(this, end);
      return end;
    }

    /** Cache that evicts the least recently used entry. */
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
