package carillon.recurrence.calendar;

import carillon.recurrence.Coverage.Cause;
import carillon.recurrence.Coverage.Lookups;
import carillon.recurrence.Coverage.Stretch;
import carillon.recurrence.DstPolicy;
import carillon.recurrence.DstPolicy.Fold;
import carillon.recurrence.DstPolicy.Gap;
import carillon.recurrence.Recurrence;
import carillon.recurrence.RruleRecurrence;
import carillon.recurrence.WallClock;
import carillon.recurrence.calendar.CalendarCoverage.SpanCover;
import carillon.recurrence.calendar.CalendarSpan.Repeated;
import carillon.recurrence.calendar.CalendarSpan.SpanLength;
import carillon.recurrence.timetable.Timetable;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Optional;

/** Spans that begin at the occurrences of a recurrence. */
final class RepeatedSpans implements SpanCover {
  private static final LocalDateTime ORIGIN = LocalDate.EPOCH.atStartOfDay();
  private static final DstPolicy DST = new DstPolicy(Gap.BOUNDARY, Fold.AUTO);

  /** Number of searched seconds that count as one lookup. */
  private static final long YEARS = Duration.ofDays(4 * 366).toSeconds();

  private static final int MAX_YEARS = 500;

  /** Number of times of a period that can be searched for positions at the cost of one lookup. */
  private static final int POSITIONS = 4;

  private final Timetable begins;
  private final SpanLength length;
  private final SpanClock clock;
  private final Optional<Cause> cause;
  private final int cost;

  /** The last stretch found, which often contains the next second too. Set by any thread. */
  private volatile Stretch last;

  RepeatedSpans(Repeated span, ZoneId zone, Cause cause) {
    LocalDateTime start = span.start().orElse(ORIGIN);
    this.clock = new SpanClock(zone);
    Instant from = Instant.ofEpochSecond(clock.first(start));
    WallClock wall = new WallClock(zone, DST, Optional.of(start), Optional.empty());
    this.begins = Timetable.of(span.recurrence(), from, from, Optional.of(wall));
    this.length = span.lasts();
    this.cause = Optional.of(cause);
    this.cost = 1 + positions(span.recurrence()) / POSITIONS;
  }

  private static int positions(Recurrence recurrence) {
    return recurrence instanceof RruleRecurrence rrule
        ? rrule.set().rules().stream()
            .flatMap(rule -> rule.positions().stream())
            .mapToInt(Math::abs)
            .max()
            .orElse(0)
        : 0;
  }

  /** Whether the span ever covers any time. */
  boolean everCovers() {
    return begins.everMatches();
  }

  @Override
  public Stretch at(long second, Lookups lookups) {
    Stretch known = last;
    if (known == null || second < known.first() || second >= known.end()) {
      known = find(second);
      lookups.add(cost + years(known));
      last = known;
    }
    return known;
  }

  /**
   * Returns the additional cost of a long stretch: a search for rare elements passes many clock
   * changes.
   */
  private static int years(Stretch found) {
    return (int) Math.min(MAX_YEARS, (found.end() / YEARS - found.first() / YEARS));
  }

  private Stretch find(long second) {
    Instant instant = Instant.ofEpochSecond(second);
    long end = Long.MIN_VALUE;
    Optional<Instant> begin = begins.latest(instant);
    if (begin.isPresent()) {
      long first = begin.get().getEpochSecond();
      end = clock.after(first, length);
      if (second < end) {
        return new Stretch(first, end, cause);
      }
    }
    long next = begins.after(instant).map(Instant::getEpochSecond).orElse(Long.MAX_VALUE);
    return new Stretch(end, next, Optional.empty());
  }
}
