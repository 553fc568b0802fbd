package carillon.recurrence.cron;

import java.util.BitSet;
import java.util.List;

/**
 * What one field of an expression stands for.
 *
 * @param numbers those that are written, or follow from ranges and steps
 * @param rules those that need the month, of a field of days
 * @param isStarred whether it begins with {@code *}, or is {@code ?}
 */
record FieldValues(BitSet numbers, List<DayRule> rules, boolean isStarred) {
  FieldValues {
    rules = List.copyOf(rules);
  }

  int[] sorted() {
    return numbers.stream().toArray();
  }
}
