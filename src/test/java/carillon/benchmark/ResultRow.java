package carillon.benchmark;

import carillon.load.EpochMicros;
import carillon.load.Percentiles;
import carillon.load.Table;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Line of the result. The name includes the unit of the numbers.
 *
 * @param name name of the figure
 * @param value measured value
 * @param ceiling value that a bare program reached, when it is comparable
 * @param goal goal of the project, if any
 */
record ResultRow(String name, double value, Optional<Double> ceiling, Optional<Goal> goal) {
  /** Goal of a guarantee: the value is 0 everywhere. */
  private static final Goal NONE = new Goal("0", figure -> Optional.of(figure.value == 0), true);

  /**
   * Goal of a figure.
   *
   * @param text text in the table
   * @param met whether the goal is met; empty when that is unknown
   * @param everywhere whether the goal also applies on a busy machine and in a short run, because
   *     nothing is timed
   */
  record Goal(String text, Function<ResultRow, Optional<Boolean>> met, boolean everywhere) {
    private Goal(String text, Function<ResultRow, Optional<Boolean>> met) {
      this(text, met, false);
    }

    /** Returns a goal of at least this share of the ceiling, from 0 to 1. */
    static Goal share(double share) {
      return new Goal(
          ">= " + Math.round(share * 100) + " %",
          figure -> figure.ratio().map(ratio -> ratio >= share));
    }

    static Goal below(double limit) {
      return new Goal("< " + Table.number(limit), figure -> Optional.of(figure.value < limit));
    }

    /** Returns a goal of at most this count, which applies everywhere. */
    static Goal counted(double limit) {
      return new Goal(atMost(limit).text, atMost(limit).met, true);
    }

    static Goal atMost(double limit) {
      return new Goal("<= " + Table.number(limit), figure -> Optional.of(figure.value <= limit));
    }
  }

  static ResultRow of(String name, double value) {
    return new ResultRow(name, value, Optional.empty(), Optional.empty());
  }

  /**
   * Returns a percentile of microseconds in milliseconds. {@code name} ends with the name of the
   * measured time.
   */
  static ResultRow percentile(String name, Percentiles micros, int percent) {
    String which = percent == 100 ? " max, ms" : " p" + percent + ", ms";
    return of(name + which, EpochMicros.toMillis(micros.at(percent)));
  }

  /** Returns a row of a guarantee: {@code value} must be 0. */
  static ResultRow none(String name, int value) {
    return of(name, value).aimingAt(NONE);
  }

  /** Returns the guarantees: each job is called exactly once. */
  static List<ResultRow> guarantees(String prefix, JobBatch batch) {
    return List.of(
        none(prefix + "missing, jobs", batch.missing()),
        none(prefix + "called twice, jobs", batch.repeats()));
  }

  ResultRow besides(Optional<Double> bare) {
    return new ResultRow(name, value, bare, goal);
  }

  ResultRow aimingAt(Goal wanted) {
    return new ResultRow(name, value, ceiling, Optional.of(wanted));
  }

  /** Returns the row without a goal for speed or size. A goal that applies everywhere stays. */
  ResultRow unjudged() {
    return new ResultRow(name, value, ceiling, goal.filter(Goal::everywhere));
  }

  /** Returns the value divided by the ceiling. */
  Optional<Double> ratio() {
    return ceiling.filter(bare -> bare > 0).map(bare -> value / bare);
  }

  /**
   * Whether the goal is met. Empty without a goal, or for a share of a ceiling that was not
   * measured.
   */
  Optional<Boolean> met() {
    return goal.flatMap(wanted -> wanted.met.apply(this));
  }

  /** Returns the cells of the table row. */
  List<String> cells() {
    return List.of(
        name,
        Table.number(value),
        ceiling.map(Table::number).orElse("-"),
        ratio().map(Table::percent).orElse("-"),
        goal.map(Goal::text).orElse("-"),
        met().map(met -> met ? "yes" : "NO").orElse("-"));
  }
}
