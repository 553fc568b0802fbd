package carillon.benchmark;

import java.util.List;

/** One thing that is measured. */
interface Phase {
  /** Takes its time, on the main thread; throws when it could not measure. */
  List<ResultRow> run(BenchmarkContext stage);

  /** The phase of that name. */
  static Phase named(PhaseName name) {
    return switch (name) {
      case STEADY -> new SteadyPhase();
      case NOW -> new ImmediatePhase();
      case HERD -> new BurstPhase();
      case MEMORY -> new MemoryPhase();
      case ACCEPT -> new SubmitPhase();
      case COST -> new CostPhase();
    };
  }

  /** Microseconds in milliseconds, for people. */
  static double millis(long micros) {
    return micros / (double) EpochMicros.PER_MILLI;
  }
}
