package carillon.recurrence.timetable;

import static java.time.temporal.ChronoUnit.MINUTES;

import carillon.recurrence.CronRecurrence;
import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Recurrence;
import carillon.recurrence.RruleRecurrence;
import carillon.recurrence.WallClock;
import carillon.recurrence.grid.CronGridBuilder;
import carillon.recurrence.grid.Grid;
import carillon.recurrence.grid.GridBuilder;
import carillon.recurrence.grid.InstantGrid;
import carillon.recurrence.grid.RuleSetGrid;
import carillon.recurrence.grid.ZonedGrid;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.Optional;

/**
 * Builder of a {@link Timetable}: finds the grid of the occurrences of a definition, and its
 * anchor. Used once, by one thread.
 */
final class TimetableBuilder {
  private final Recurrence recurrence;
  private final Instant startTime;
  private final Instant submitted;
  private final boolean starts;

  private Instant initial = Timetable.NO_INITIAL;
  private boolean drifts;
  private InstantGrid matches = InstantGrid.NONE;
  private Optional<WallClock> clock = Optional.empty();
  private Optional<ZonedGrid> zoned = Optional.empty();

  /**
   * A builder.
   *
   * @param startTime or {@link Timetable#NO_START}
   * @param submitted when the definition was submitted
   */
  TimetableBuilder(Recurrence recurrence, Instant startTime, Instant submitted) {
    this.recurrence = recurrence;
    this.startTime = startTime;
    this.submitted = submitted;
    this.starts = !startTime.equals(Timetable.NO_START);
  }

  Recurrence recurrence() {
    return recurrence;
  }

  Instant startTime() {
    return startTime;
  }

  /** The occurrence that comes from the submission, or {@link Timetable#NO_INITIAL}. */
  Instant initial() {
    return initial;
  }

  /** Whether each occurrence is planned from the actual start of the one before. */
  boolean drifts() {
    return drifts;
  }

  InstantGrid matches() {
    return matches;
  }

  /** Clock of the matches; empty for UTC and for elapsed time. */
  Optional<WallClock> clock() {
    return clock;
  }

  /** The matches, if they follow the clock. */
  Optional<ZonedGrid> zoned() {
    return zoned;
  }

  /** The timetable of a job that runs once. */
  Timetable once() {
    initial = Timetable.later(startTime, submitted);
    return new Timetable(this);
  }

  /**
   * The timetable of a recurring job.
   *
   * @param wallClock of its time zone; empty for UTC
   */
  Timetable recurring(Optional<WallClock> wallClock) {
    if (recurrence instanceof RruleRecurrence rrule && rrule.isElapsed()) {
      countElapsed(rrule, wallClock);
      return new Timetable(this);
    }
    clock = recurrence.isElapsed() ? Optional.empty() : wallClock;
    if (!starts && recurrence instanceof PeriodicRecurrence) {
      initial = submitted;
    }
    if (!starts && isPlain(recurrence)) {
      drifts = true;
    } else {
      lieOnGrid();
    }
    return new Timetable(this);
  }

  /** Builds matches of elapsed time, filtered by local times. */
  private void countElapsed(RruleRecurrence rrule, Optional<WallClock> wallClock) {
    Instant anchor = starts ? startTime : submitted.truncatedTo(MINUTES);
    matches =
        new InstantGrid(
            RuleSetGrid.elapsed(
                rrule.set(),
                anchor,
                rules(wallClock),
                grid -> starts ? anchor.getEpochSecond() : earliestSecond()),
            anchor,
            earliest());
  }

  private void lieOnGrid() {
    Instant anchor = anchor();
    Grid local = grid(anchor);
    zoned = clock.map(by -> zoned(local, anchor, by));
    matches = new InstantGrid(zoned.<Grid>map(grid -> grid).orElse(local), anchor, earliest());
  }

  private ZonedGrid zoned(Grid local, Instant anchor, WallClock by) {
    return new ZonedGrid(local, anchor, by.rules(), by.dst().of(recurrence));
  }

  /** Returns the local second of the first run of a rule without a start. */
  private long firstSecond(Grid rule, Instant anchor) {
    if (clock.isEmpty()) {
      return earliestSecond();
    }
    ZonedGrid runs = zoned(rule, anchor, clock.get());
    long first = runs.ceiling(earliestSecond());
    return first == Grid.NEVER
        ? anchor.getEpochSecond()
        : runs.localOf(first).toLocalDateTime().toEpochSecond(ZoneOffset.UTC);
  }

  /** Returns the first second that a run may have without a start. */
  private long earliestSecond() {
    Instant earliest = earliest();
    return earliest.getEpochSecond() + (earliest.getNano() == 0 ? 0 : 1);
  }

  /** The instant of the earliest possible match. */
  private Instant earliest() {
    return starts ? startTime : submitted.plusNanos(1);
  }

  /** Anchor of the grid: local time, as if it were UTC, or elapsed time. */
  private Instant anchor() {
    if (recurrence instanceof CronRecurrence) {
      return recurrence.isElapsed() ? (starts ? startTime : submitted) : Instant.EPOCH;
    }
    Instant from = starts ? startTime : submitted.truncatedTo(MINUTES);
    return clock
        .map(by -> by.start().orElseGet(() -> by.at(from)).toInstant(ZoneOffset.UTC))
        .orElse(from);
  }

  private Grid grid(Instant anchor) {
    if (recurrence instanceof PeriodicRecurrence periodic) {
      return GridBuilder.build(periodic, anchor);
    }
    return recurrence instanceof CronRecurrence cron
        ? CronGridBuilder.build(cron.rule(), anchor)
        : RuleSetGrid.local(
            ((RruleRecurrence) recurrence).set(),
            LocalDateTime.ofInstant(anchor, ZoneOffset.UTC),
            rules(clock),
            rule -> starts ? anchor.getEpochSecond() : firstSecond(rule, anchor));
  }

  private static ZoneRules rules(Optional<WallClock> clock) {
    return clock.map(WallClock::rules).orElseGet(ZoneOffset.UTC::getRules);
  }

  /** Whether the recurrence has only a frequency, without a schedule. */
  static boolean isPlain(Recurrence recurrence) {
    return recurrence instanceof PeriodicRecurrence periodic && periodic.schedule().isEmpty();
  }
}
