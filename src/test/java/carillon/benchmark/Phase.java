package carillon.benchmark;

import java.util.List;
import java.util.Locale;

/**
 * What is measured, in the order in which it is: the later phases leave more behind in Redis. The
 * name in lower case is what options and progress say.
 */
enum Phase {
  STEADY,
  NOW,
  HERD,
  MEMORY,
  ACCEPT,
  COST;

  /** Takes its time, on the main thread; throws when it could not measure. */
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
