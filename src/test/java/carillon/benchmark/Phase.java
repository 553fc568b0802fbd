package carillon.benchmark;

import java.util.List;
import java.util.Locale;

/**
 * Phases of a measurement, in the order in which they run: the later phases leave more data in
 * Redis. Options and progress use the name in lower case.
 */
enum Phase {
  STEADY,
  NOW,
  HERD,
  MEMORY,
  ACCEPT,
  COST;

  /** Runs the phase on the main thread, which may take long. Throws when it could not measure. */
  List<ResultRow> run(BenchmarkContext context) {
    return switch (this) {
      case STEADY -> SteadyPhase.run(context);
      case NOW -> ImmediatePhase.run(context);
      case HERD -> BurstPhase.run(context);
      case MEMORY -> MemoryPhase.run(context);
      case ACCEPT -> SubmitPhase.run(context);
      case COST -> CostPhase.run(context);
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
