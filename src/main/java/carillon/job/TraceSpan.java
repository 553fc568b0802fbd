package carillon.job;

import java.util.Optional;

/**
 * A piece of work under way that a trace may tell of. Its methods are called in their order, on one
 * thread at a time, and do not throw.
 */
public interface TraceSpan {
  /** Work of which nothing is told, in no trace. */
  TraceSpan NONE = Optional::empty;

  /** Work of which nothing is told, in the trace of somebody else. */
  static TraceSpan within(Optional<TraceContext> context) {
    return context.isEmpty() ? NONE : () -> context;
  }

  /** The trace in which what follows from this work goes on. */
  Optional<TraceContext> context();

  /** A request was answered with this status. */
  default void status(int status) {}

  /** An attempt ended so. */
  default void outcome(HistoryEntry.Status status) {}

  /** The work is over. */
  default void ended() {}
}
