package carillon.benchmark;

import carillon.load.EpochMicros;
import carillon.load.Percentiles;
import carillon.load.Table;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One line of the result. Numbers carry their unit in the name.
 *
 * @param name what was measured
 * @param value what came out
 * @param ceiling what a bare program reached, when it is comparable
 * @param goal what the project wants, when it wants something
 */
record ResultRow(String name, double value, Optional<Double> ceiling, Optional<Goal> goal) {
  /** What must always hold: there is nothing of this. */
  private static final Goal NONE = new Goal("0", figure -> Optional.of(figure.value == 0), true);

  /**
   * What is wanted of a figure.
   *
   * @param text for the table
   * @param met whether it is so; empty when it cannot be told
   * @param everywhere on a busy machine and in a short run, too, as nothing is timed
   */
  record Goal(String text, Function<ResultRow, Optional<Boolean>> met, boolean everywhere) {
    private Goal(String text, Function<ResultRow, Optional<Boolean>> met) {
      this(text, met, false);
    }

    /** At least this share of the ceiling, 0 to 1. */
    static Goal share(double share) {
      return new Goal(
          ">= " + Math.round(share * 100) + " %",
          figure -> figure.ratio().map(ratio -> ratio >= share));
    }

    static Goal below(double limit) {
      return new Goal("< " + Table.number(limit), figure -> Optional.of(figure.value < limit));
    }

    /** What is counted is no more than this, wherever it is. */
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
   * A percentile of microseconds, told in milliseconds; {@code name} ends with what they are of.
   */
  static ResultRow percentile(String name, Percentiles micros, int percent) {
    String which = percent == 100 ? " max, ms" : " p" + percent + ", ms";
    return of(name + which, EpochMicros.toMillis(micros.at(percent)));
  }

  /** What must not be, and is a guarantee: {@code value} is to be 0. */
  static ResultRow none(String name, int value) {
    return of(name, value).aimingAt(NONE);
  }

  /** The guarantees: each job is called, once. */
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

  /** Without a goal that is about speed or size; what must hold everywhere stays. */
  ResultRow unjudged() {
    return new ResultRow(name, value, ceiling, goal.filter(Goal::everywhere));
  }

  /** Value to ceiling. */
  Optional<Double> ratio() {
    return ceiling.filter(bare -> bare > 0).map(bare -> value / bare);
  }

  /** Empty when nothing is wanted, or when it is a share of a ceiling that was not measured. */
  Optional<Boolean> met() {
    return goal.flatMap(wanted -> wanted.met.apply(this));
  }

  /** Cells of the table. */
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
