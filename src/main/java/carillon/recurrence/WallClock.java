package carillon.recurrence;

import carillon.recurrence.DstPolicy.Fold;
import carillon.recurrence.DstPolicy.Gap;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.Optional;

/**
 * Wall clock by which a job runs: its time zone, and the bounds that were given as local times.
 *
 * @param zone whose rules hold, as this Java knows them
 * @param dst what becomes of local times at a transition
 * @param start the startTime, where it was given as a local time
 * @param end the endTime, likewise
 */
public record WallClock(
    ZoneId zone, DstPolicy dst, Optional<LocalDateTime> start, Optional<LocalDateTime> end) {

  /** The instant of a local start time. One that does not exist is moved, also with SKIP. */
  public Instant startsAt(LocalDateTime local) {
    return instant(local, startFold());
  }

  /** The instant of a local end time: the later one of two. */
  public Instant endsAt(LocalDateTime local) {
    return instant(local, Fold.LAST);
  }

  /** The start time, where it was given as a local time that does not exist or comes twice. */
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

  /** Whether the clock shows this local time at all. */
  public boolean has(LocalDateTime local) {
    return !rules().getValidOffsets(local).isEmpty();
  }

  /** The local time at an instant. */
  LocalDateTime at(Instant instant) {
    return LocalDateTime.ofInstant(instant, zone);
  }

  ZoneRules rules() {
    return zone.getRules();
  }
}
