package carillon.benchmark;

import java.util.List;

/** One thing that is measured. */
interface Phase {
  /** Takes its time, on the main thread; throws when it could not measure. */
  List<Figure> run(Stage stage);

  /** The phase of that name. */
  static Phase named(PhaseName name) {
    return switch (name) {
      case STEADY -> new SteadyPhase();
      case NOW -> new NowPhase();
      case HERD -> new HerdPhase();
      case MEMORY -> new MemoryPhase();
      case ACCEPT -> new AcceptPhase();
      case COST -> new CostPhase();
    };
  }

  /** Microseconds in milliseconds, for people. */
  static double millis(long micros) {
    return micros / (double) Micros.PER_MILLI;
  }
}
