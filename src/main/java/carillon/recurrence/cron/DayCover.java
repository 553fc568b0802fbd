package carillon.recurrence.cron;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Search for parts, such as the 15th or the last Friday, whose union is exactly the wanted days.
 * Days are masks by the shape of a month, see {@link CronExpression#dayMasks()}.
 */
public final class DayCover {
  private static final int SHORTEST_MONTH = 28;
  private static final int DAYS_OF_WEEK = 7;
  private static final int FEBRUARY = 2;
  private static final List<Integer> OF_30_DAYS = List.of(4, 6, 9, 11);

  private final List<Integer> wanted;
  private final IntPredicate isRelevant;

  private DayCover(List<Integer> wanted, IntPredicate isRelevant) {
    this.wanted = wanted;
    this.isRelevant = isRelevant;
  }

  /**
   * Returns the parts; empty if no combination selects these days.
   *
   * @param months the only ones that count, 1..12
   * @param parts with their masks, simpler parts first
   */
  public static <T> Optional<List<T>> of(
      List<Integer> wanted, List<Integer> months, Map<T, List<Integer>> parts) {
    return new DayCover(wanted, shape -> isShapeOf(shape, months)).parts(parts);
  }

  /** Whether one of these months, 1..12, can have a shape. */
  public static boolean isShapeOf(int shape, List<Integer> months) {
    int length = SHORTEST_MONTH + shape / DAYS_OF_WEEK;
    return months.stream()
        .anyMatch(
            month ->
                month == FEBRUARY ? length < 30 : length == (OF_30_DAYS.contains(month) ? 30 : 31));
  }

  private <T> Optional<List<T>> parts(Map<T, List<Integer>> all) {
    List<T> taken = new ArrayList<>();
    int[] covered = new int[wanted.size()];
    all.forEach(
        (part, masks) -> {
          if (isWithin(masks) && adds(masks, covered)) {
            add(masks, covered);
            taken.add(part);
          }
        });
    return isWhole(covered) ? Optional.of(needed(taken, all)) : Optional.empty();
  }

  /** Removes parts whose days the others already select. */
  private <T> List<T> needed(List<T> taken, Map<T, List<Integer>> all) {
    List<T> needed = new ArrayList<>(taken);
    for (T part : taken) {
      int[] others = new int[wanted.size()];
      needed.stream().filter(other -> !other.equals(part)).forEach(o -> add(all.get(o), others));
      if (isWhole(others)) {
        needed.remove(part);
      }
    }
    return needed;
  }

  private boolean isWithin(List<Integer> masks) {
    for (int shape = 0; shape < masks.size(); shape++) {
      if (isRelevant.test(shape) && (masks.get(shape) & ~wanted.get(shape)) != 0) {
        return false;
      }
    }
    return true;
  }

  private boolean adds(List<Integer> masks, int[] covered) {
    for (int shape = 0; shape < masks.size(); shape++) {
      if (isRelevant.test(shape) && (masks.get(shape) & ~covered[shape]) != 0) {
        return true;
      }
    }
    return false;
  }

  private static void add(List<Integer> masks, int[] covered) {
    for (int shape = 0; shape < covered.length; shape++) {
      covered[shape] |= masks.get(shape);
    }
  }

  private boolean isWhole(int[] covered) {
    for (int shape = 0; shape < covered.length; shape++) {
      if (isRelevant.test(shape) && covered[shape] != wanted.get(shape)) {
        return false;
      }
    }
    return true;
  }
}
