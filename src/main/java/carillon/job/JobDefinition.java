package carillon.job;

import carillon.recurrence.Recurrence;
import carillon.recurrence.Timetable;
import java.time.Instant;
import java.util.Optional;

/**
 * What a client asks for: what to do, when first and how often.
 *
 * @param startTime when first; absent means at once
 * @param action the main action
 * @param errorAction performed once per execution whose attempts of the main action all failed
 * @param recurrence absent for a one-time job
 * @param trace of the request that submitted it; attempts go on in the same trace
 */
public record JobDefinition(
    Optional<Instant> startTime,
    Action action,
    Optional<Action> errorAction,
    Optional<Recurrence> recurrence,
    Optional<TraceContext> trace) {

  /** A job whose submission was not traced. */
  public JobDefinition(
      Optional<Instant> startTime,
      Action action,
      Optional<Action> errorAction,
      Optional<Recurrence> recurrence) {
    this(startTime, action, errorAction, recurrence, Optional.empty());
  }

  /** The same, submitted within another trace, or none. */
  public JobDefinition withTrace(Optional<TraceContext> other) {
    return new JobDefinition(startTime, action, errorAction, recurrence, other);
  }

  /** The instants of this job, counted from its creation where it gives no start time. */
  public Timetable timetable(Instant created) {
    Instant start = startTime.orElse(Timetable.NO_START);
    return recurrence
        .map(r -> Timetable.of(r, start, created))
        .orElseGet(() -> Timetable.once(start, created));
  }

  /** True when {@code occurrence} (1-based) is beyond the count of the recurrence. */
  public boolean isBeyondCount(int occurrence) {
    return recurrence
        .filter(r -> r.count() != Recurrence.NO_COUNT && occurrence > r.count())
        .isPresent();
  }
}
