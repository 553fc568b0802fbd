package carillon.recurrence;

import static java.time.temporal.ChronoUnit.MINUTES;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.Optional;

/**
 * Builder of a {@link Timetable}: finds the grid on which the occurrences of a definition lie, and
 * what it is counted from. Used once, by one thread.
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

  /** By which the matches lie; empty for UTC and for elapsed time. */
  Optional<WallClock> clock() {
    return clock;
  }

  /** The matches, where they lie by the clock. */
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

  /** Elapsed time, of which local times pass only some. */
  private void countElapsed(RruleRecurrence rrule, Optional<WallClock> wallClock) {
    Instant anchor = starts ? startTime : submitted.truncatedTo(MINUTES);
    matches =
        new InstantGrid(
            RuleSetGrid.elapsed(rrule.set(), anchor, rules(wallClock)), anchor, earliest());
  }

  private void lieOnGrid() {
    Instant anchor = anchor();
    Grid local = grid(anchor);
    zoned = clock.map(by -> new ZonedGrid(local, anchor, by.rules(), by.dst().of(recurrence)));
    matches = new InstantGrid(zoned.<Grid>map(grid -> grid).orElse(local), anchor, earliest());
  }

  /** The instant before which nothing matches. */
  private Instant earliest() {
    return starts ? startTime : submitted.plusNanos(1);
  }

  /** What the grid is counted from: local time, as if it were UTC, or elapsed time. */
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
            rules(clock));
  }

  private static ZoneRules rules(Optional<WallClock> clock) {
    return clock.map(WallClock::rules).orElseGet(ZoneOffset.UTC::getRules);
  }

  /** Whether it says nothing but a frequency. */
  static boolean isPlain(Recurrence recurrence) {
    return recurrence instanceof PeriodicRecurrence periodic && periodic.schedule().isEmpty();
  }
}
