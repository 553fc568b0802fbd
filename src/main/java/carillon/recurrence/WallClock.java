package carillon.recurrence;

import carillon.recurrence.DstPolicy.Fold;
import carillon.recurrence.DstPolicy.Gap;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
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
    List<ZoneOffset> offsets = rules().getValidOffsets(local);
    if (offsets.isEmpty()) {
      return behindGap(local);
    }
    boolean isLast = dst.fold() == Fold.LAST;
    return local.toInstant(offsets.get(isLast ? offsets.size() - 1 : 0));
  }

  /** The instant of a local end time: the later one of two. */
  public Instant endsAt(LocalDateTime local) {
    List<ZoneOffset> offsets = rules().getValidOffsets(local);
    return offsets.isEmpty() ? behindGap(local) : local.toInstant(offsets.get(offsets.size() - 1));
  }

  private Instant behindGap(LocalDateTime local) {
    ZoneOffsetTransition gap = rules().getTransition(local);
    return dst.gap() == Gap.BOUNDARY ? gap.getInstant() : local.toInstant(gap.getOffsetBefore());
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
