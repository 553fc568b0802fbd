package carillon.benchmark;

import java.util.Optional;

/**
 * One line of the result. Numbers carry their unit in the name.
 *
 * @param name what was measured
 * @param value what came out
 * @param ceiling what a bare program reached, when it is comparable
 * @param target what the project wants, when it wants something
 */
record ResultRow(String name, double value, Optional<Double> ceiling, Optional<Goal> target) {

  /** What must always hold: there is nothing of this. */
  static final Goal NONE = new AtMost(0);

  /** What is wanted of a figure. */
  sealed interface Goal {
    boolean isMetBy(ResultRow figure);

    /** For the table. */
    String text();
  }

  /** At least this share of the ceiling. */
  record ShareOfCeiling(double share) implements Goal {
    @Override
    public boolean isMetBy(ResultRow figure) {
      return figure.ratio().filter(ratio -> ratio >= share).isPresent();
    }

    @Override
    public String text() {
      return ">= " + Math.round(share * 100) + " %";
    }
  }

  /** Below this value. */
  record Below(double limit) implements Goal {
    @Override
    public boolean isMetBy(ResultRow figure) {
      return figure.value < limit;
    }

    @Override
    public String text() {
      return "< " + NumberFormat.plain(limit);
    }
  }

  /** This value or less. */
  record AtMost(double limit) implements Goal {
    @Override
    public boolean isMetBy(ResultRow figure) {
      return figure.value <= limit;
    }

    @Override
    public String text() {
      return limit == 0 ? "0" : "<= " + NumberFormat.plain(limit);
    }
  }

  static ResultRow of(String name, double value) {
    return new ResultRow(name, value, Optional.empty(), Optional.empty());
  }

  ResultRow besides(Optional<Double> bare) {
    return new ResultRow(name, value, bare, target);
  }

  ResultRow aimingAt(Goal goal) {
    return new ResultRow(name, value, ceiling, Optional.of(goal));
  }

  /** Without a target that is about speed or size; what must always hold stays. */
  ResultRow unjudged() {
    return target.filter(goal -> goal.equals(NONE)).isPresent()
        ? this
        : new ResultRow(name, value, ceiling, Optional.empty());
  }

  /** Value to ceiling. */
  Optional<Double> ratio() {
    return ceiling.filter(bare -> bare > 0).map(bare -> value / bare);
  }

  /** Empty when nothing is wanted, or when it is a share of a ceiling that was not measured. */
  Optional<Boolean> met() {
    return target
        .filter(goal -> !(goal instanceof ShareOfCeiling) || ceiling.isPresent())
        .map(goal -> goal.isMetBy(this));
  }
}
