package carillon.recurrence;

import carillon.recurrence.rrule.RecurrenceRule;
import java.time.zone.ZoneRules;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Rule with a COUNT, at its place in time: what decides where it ends.
 *
 * <p>Where it ends is found by a walk over all that it yields. A job is asked for its next
 * occurrence time and again, each time as it is read from Redis: the ends that were found last are
 * kept.
 *
 * @param start the second from which it is counted
 * @param zone whose offsets it is filtered by
 */
record CountedRule(RecurrenceRule rule, long start, ZoneRules zone) {
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
