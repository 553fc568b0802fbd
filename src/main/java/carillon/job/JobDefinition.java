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
 */
public record JobDefinition(
    Optional<Instant> startTime,
    Action action,
    Optional<Action> errorAction,
    Optional<Recurrence> recurrence) {

  /** The instants of this job, counted from its creation where it gives no start time. */
  public Timetable timetable(Instant created) {
    Instant start = startTime.orElse(Timetable.NO_START);
    return recurrence
        .map(r -> Timetable.of(r, start, created))
        .orElseGet(() -> Timetable.once(start, created));
  }

  /**
   * The action that a phase attempts.
   *
   * @throws java.util.NoSuchElementException for the error action of a job without one
   */
  public Action action(Run.Phase phase) {
    return phase == Run.Phase.MAIN ? action : errorAction.orElseThrow();
  }

  /** True when {@code occurrence} (1-based) is beyond the count of the recurrence. */
  public boolean isBeyondCount(int occurrence) {
    return recurrence
        .filter(r -> r.count() != Recurrence.NO_COUNT && occurrence > r.count())
        .isPresent();
  }
}
