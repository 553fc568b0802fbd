package carillon.recurrence;

import carillon.recurrence.DstPolicy.Fold;
import carillon.recurrence.DstPolicy.Gap;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.Optional;

/**
 * Wall clock of a job: its time zone, and the bounds given as local times.
 *
 * @param zone whose rules apply, by the data of this Java
 * @param dst policy for local times at a transition
 * @param start the startTime, if it was given as a local time
 * @param end the endTime, likewise
 */
public record WallClock(
    ZoneId zone, DstPolicy dst, Optional<LocalDateTime> start, Optional<LocalDateTime> end) {

  /** The instant of a local start time. A start that does not exist is moved, even with SKIP. */
  public Instant startsAt(LocalDateTime local) {
    return instant(local, startFold());
  }

  /** The instant of a local end time: the later one of two. */
  public Instant endsAt(LocalDateTime local) {
    return instant(local, Fold.LAST);
  }

  /** The start time, if it is a local time that does not exist or comes twice. */
  public Optional<MovedTime> movedStart() {
    return start.flatMap(local -> moved(local, startFold()));
  }

  private Fold startFold() {
    return dst.fold() == Fold.LAST ? Fold.LAST : Fold.FIRST;
  }

  private Instant instant(LocalDateTime local, Fold fold) {
    return moved(local, fold)
        .map(moved -> moved.occurrences().get(0))
        .orElseGet(() -> local.toInstant(rules().getOffset(local)));
  }

  private Optional<MovedTime> moved(LocalDateTime local, Fold fold) {
    DstPolicy policy = new DstPolicy(dst.gap() == Gap.BOUNDARY ? Gap.BOUNDARY : Gap.SHIFT, fold);
    return Optional.ofNullable(rules().getTransition(local))
        .map(transition -> new MovedTime(local, transition, policy));
  }

  /** Whether the clock ever shows this local time. */
  public boolean has(LocalDateTime local) {
    return !rules().getValidOffsets(local).isEmpty();
  }

  /** The local time at an instant. */
  public LocalDateTime at(Instant instant) {
    return LocalDateTime.ofInstant(instant, zone);
  }

  public ZoneRules rules() {
    return zone.getRules();
  }
}
