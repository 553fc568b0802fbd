package carillon.job;

import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Which entries of a history are wanted: those that meet all conditions.
 *
 * @param conditions none means every entry
 */
public record HistoryFilter(List<Predicate<HistoryEntry>> conditions) {
  public static final HistoryFilter ALL = new HistoryFilter(List.of());

  public HistoryFilter {
    conditions = List.copyOf(conditions);
  }

  public boolean isAll() {
    return conditions.isEmpty();
  }

  /** Whether the entry is wanted. */
  public boolean matches(HistoryEntry entry) {
    return conditions.stream().allMatch(condition -> condition.test(entry));
  }

  /** How a value is compared. */
  public enum Comparison {
    EQ,
    GE,
    GT,
    LE,
    LT;

    /** The condition that a time of an entry compares so with an instant. */
    public Predicate<HistoryEntry> with(Function<HistoryEntry, Instant> time, Instant instant) {
      return entry -> holds(time.apply(entry).compareTo(instant));
    }

    private boolean holds(int order) {
      return switch (this) {
        case EQ -> order == 0;
        case GE -> order >= 0;
        case GT -> order > 0;
        case LE -> order <= 0;
        case LT -> order < 0;
      };
    }
  }
}
