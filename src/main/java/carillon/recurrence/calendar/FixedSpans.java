package carillon.recurrence.calendar;

import carillon.recurrence.Coverage.Cause;
import carillon.recurrence.Coverage.Lookups;
import carillon.recurrence.Coverage.Stretch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Spans of a calendar that come once, as stretches that do not overlap. */
final class FixedSpans implements SpanCover {
  private final NavigableMap<Long, Stretch> stretches = new TreeMap<>();

  /**
   * @param spans covered, in any order; of two that overlap the one that begins first gives its
   *     name
   */
  FixedSpans(List<Stretch> spans) {
    List<Stretch> sorted = new ArrayList<>(spans);
    sorted.sort(Comparator.comparingLong(Stretch::first).thenComparingLong(Stretch::end));
    long covered = Long.MIN_VALUE;
    for (Stretch span : sorted) {
      long first = Math.max(span.first(), covered);
      if (first < span.end()) {
        stretches.put(first, new Stretch(first, span.end(), span.cause()));
        covered = span.end();
      }
    }
  }

  @Override
  public Stretch at(long second, Lookups lookups) {
    var before = stretches.floorEntry(second);
    if (before != null && second < before.getValue().end()) {
      return before.getValue();
    }
    Long next = stretches.higherKey(second);
    return new Stretch(
        before == null ? Long.MIN_VALUE : before.getValue().end(),
        next == null ? Long.MAX_VALUE : next,
        Optional.<Cause>empty());
  }
}
