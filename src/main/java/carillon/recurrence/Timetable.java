package carillon.recurrence;

import static java.time.temporal.ChronoUnit.MINUTES;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The instants at which a job runs, one-time or recurring, computed from its definition alone. It
 * knows no state: the caller remembers the nominal instant of the current occurrence and asks for
 * the one {@link #after} it. {@code count} is not applied, except by {@link #preview}, as only the
 * caller knows how many occurrences were executed.
 *
 * <table>
 * <caption>The first occurrence of a submission at "now" (seeds: startTime)</caption>
 * <tr><th>startTime<th>one-time<th>recurring<th>recurring with a schedule
 * <tr><td>none<td>now<td>now, then the actual start + interval<td>now, then the next match
 * <tr><td>past<td>now<td>first startTime + k * interval from now on<td>first match from now on
 * <tr><td>future<td>startTime<td>startTime<td>first match from startTime on
 * </table>
 *
 * <p>"From now on" includes now itself, and endTime is inclusive. Any answer costs microseconds,
 * however long ago the start.
 */
public final class Timetable {
  /** The startTime of a job that was given none. */
  public static final Instant NO_START = Instant.MIN;

  /** Limits beyond this are as good as none, and leave room to calculate. */
  private static final long NO_LIMIT = 1L << 60;

  /** Stands in for the recurrence of a job without one. */
  private static final Recurrence ONCE =
      new PeriodicRecurrence(Frequency.DAY, 1, 1, Recurrence.NO_END, Schedule.NONE);

  /** Later than anything. */
  private static final Instant NO_OPENING = Instant.MAX;

  private final Recurrence recurrence;
  private final Instant startTime;
  private final Instant end;

  /**
   * The occurrence that does not come from the matches but from the submission: due at once, or at
   * the startTime of a one-time job. All matches are later. {@link #NO_OPENING} if there is none.
   */
  private final Instant opening;

  private final boolean drifts;
  private final InstantGrid matches;

  /** By which the matches lie, null for UTC and for elapsed time. */
  private final WallClock clock;

  /** The matches, where they lie by the clock; else null. */
  private final ZonedGrid zoned;

  private Timetable(
      Recurrence recurrence,
      Instant startTime,
      Instant opening,
      boolean drifts,
      InstantGrid matches) {
    this(recurrence, startTime, opening, drifts, matches, null, null);
  }

  private Timetable(
      Recurrence recurrence,
      Instant startTime,
      Instant opening,
      boolean drifts,
      InstantGrid matches,
      WallClock clock,
      ZonedGrid zoned) {
    this.recurrence = recurrence;
    this.startTime = startTime;
    this.end = earlier(recurrence.endTime(), InstantGrid.LAST);
    this.opening = opening;
    this.drifts = drifts;
    this.matches = matches;
    this.clock = clock;
    this.zoned = zoned;
  }

  /**
   * The timetable of a recurring job.
   *
   * @param startTime or {@link #NO_START}
   * @param submitted when the definition was submitted; stays the same as long as the definition
   *     lives, as a schedule without a startTime is counted from it
   */
  public static Timetable of(Recurrence recurrence, Instant startTime, Instant submitted) {
    return recurrence instanceof PeriodicRecurrence periodic
        ? of(periodic, startTime, submitted)
        : of((CronRecurrence) recurrence, startTime, submitted, null);
  }

  private static Timetable of(PeriodicRecurrence recurrence, Instant startTime, Instant submitted) {
    if (!startTime.equals(NO_START)) {
      Grid grid = GridBuilder.build(recurrence, startTime);
      InstantGrid matches = new InstantGrid(grid, startTime, startTime);
      return new Timetable(recurrence, startTime, NO_OPENING, false, matches);
    }
    if (recurrence.schedule().isEmpty()) {
      return new Timetable(recurrence, NO_START, submitted, true, InstantGrid.NONE);
    }
    Instant anchor = submitted.truncatedTo(MINUTES);
    Grid grid = GridBuilder.build(recurrence, anchor);
    InstantGrid matches = new InstantGrid(grid, anchor, submitted.plusNanos(1));
    return new Timetable(recurrence, NO_START, submitted, false, matches);
  }

  /**
   * The timetable of a recurring job in a time zone: what is given in days, weeks, months and years
   * and what has a schedule lies on a grid of local times, the rest is elapsed time, as in UTC.
   *
   * @param startTime the instant of the start, also where it was given as a local time; or {@link
   *     #NO_START}
   * @param submitted see {@link #of(Recurrence, Instant, Instant)}
   */
  public static Timetable of(
      Recurrence recurrence, Instant startTime, Instant submitted, WallClock clock) {
    if (recurrence.isElapsed()) {
      return of(recurrence, startTime, submitted);
    }
    return recurrence instanceof PeriodicRecurrence periodic
        ? of(periodic, startTime, submitted, clock)
        : of((CronRecurrence) recurrence, startTime, submitted, clock);
  }

  private static Timetable of(
      PeriodicRecurrence recurrence, Instant startTime, Instant submitted, WallClock clock) {
    boolean starts = !startTime.equals(NO_START);
    if (!starts && recurrence.schedule().isEmpty()) {
      return new Timetable(recurrence, NO_START, submitted, true, InstantGrid.NONE, clock, null);
    }
    LocalDateTime local =
        clock
            .start()
            .orElseGet(() -> clock.at(starts ? startTime : submitted.truncatedTo(MINUTES)));
    Instant anchor = local.toInstant(ZoneOffset.UTC);
    ZonedGrid grid =
        new ZonedGrid(
            GridBuilder.build(recurrence, anchor),
            anchor,
            clock.rules(),
            clock.dst().of(recurrence));
    Instant earliest = starts ? startTime : submitted.plusNanos(1);
    InstantGrid matches = new InstantGrid(grid, anchor, earliest);
    Instant opening = starts ? NO_OPENING : submitted;
    return new Timetable(recurrence, startTime, opening, false, matches, clock, grid);
  }

  /**
   * The timetable of a cron expression.
   *
   * @param clock null for UTC
   */
  private static Timetable of(
      CronRecurrence cron, Instant startTime, Instant submitted, WallClock clock) {
    boolean starts = !startTime.equals(NO_START);
    Instant earliest = starts ? startTime : submitted.plusNanos(1);
    if (cron.isElapsed()) {
      Instant anchor = starts ? startTime : submitted;
      InstantGrid matches =
          new InstantGrid(CronGridBuilder.build(cron.rule(), anchor), anchor, earliest);
      return new Timetable(cron, startTime, NO_OPENING, false, matches);
    }
    Instant anchor = Instant.EPOCH;
    Grid local = CronGridBuilder.build(cron.rule(), anchor);
    ZonedGrid zoned =
        clock == null ? null : new ZonedGrid(local, anchor, clock.rules(), clock.dst().of(cron));
    InstantGrid matches = new InstantGrid(zoned == null ? local : zoned, anchor, earliest);
    return new Timetable(cron, startTime, NO_OPENING, false, matches, clock, zoned);
  }

  /**
   * The timetable of a job that runs once.
   *
   * @param startTime or {@link #NO_START}
   */
  public static Timetable once(Instant startTime, Instant submitted) {
    return new Timetable(ONCE, startTime, later(startTime, submitted), false, InstantGrid.NONE);
  }

  /** The first occurrence for a submission, or an end of a pause, at {@code now}. */
  public Optional<Instant> first(Instant now) {
    Instant from = later(now, startTime);
    return upToEnd(opens() ? Optional.of(from) : matches.atOrAfter(from));
  }

  /**
   * The occurrence that follows.
   *
   * @param nominal the instant for which the current occurrence was planned; if the timetable
   *     {@link #drifts()}, the instant at which it actually started
   * @return strictly later than {@code nominal}
   */
  public Optional<Instant> after(Instant nominal) {
    if (!nominal.isBefore(end)) {
      return Optional.empty();
    }
    if (drifts) {
      return upToEnd(Optional.of(oneIntervalAfter(nominal)));
    }
    if (opens() && nominal.isBefore(opening)) {
      return upToEnd(Optional.of(opening));
    }
    return upToEnd(matches.atOrAfter(nominal.plusNanos(1)));
  }

  /**
   * The latest occurrence at or before an instant, for catching up after downtime. Only what is
   * known beforehand counts: of a one-time or a drifting job its first occurrence at most, as
   * everything after that depends on actual starts.
   */
  public Optional<Instant> latest(Instant notAfter) {
    Instant to = earlier(notAfter, end);
    return matches
        .atOrBefore(to)
        .or(() -> opens() && !opening.isAfter(to) ? Optional.of(opening) : Optional.empty());
  }

  /**
   * How many occurrences known beforehand (see {@link #latest}) lie in [from, to), counted up to
   * {@code limit}. By arithmetic without a schedule, and with most; where the number of days
   * differs from month to month, or months filter days or weeks, each such day is visited.
   */
  public long between(Instant from, Instant to, long limit) {
    Instant high = earlier(to, end.plusNanos(1));
    boolean opened = opens() && !opening.isBefore(from) && opening.isBefore(high);
    long count = (opened ? 1 : 0) + matches.count(from, high, Math.min(limit, NO_LIMIT));
    return Math.min(count, limit);
  }

  /**
   * Whether the definition can occur at all after its start and before the year 10000, whatever its
   * endTime: monthDays [30] with months [2] never does. Without a startTime a schedule must match
   * some time after the submission; that such a job also runs at once is not enough.
   */
  public boolean everMatches() {
    return (opens()
            && recurrence instanceof PeriodicRecurrence periodic
            && periodic.schedule().isEmpty())
        || matches.atOrAfter(Instant.MIN).isPresent();
  }

  /**
   * Whether each occurrence is planned from the actual start of the one before: a recurrence with
   * neither startTime nor schedule.
   */
  public boolean drifts() {
    return drifts;
  }

  /**
   * The first occurrences of a submission at {@code now}, at most {@code limit} and at most the
   * recurrence's count, as they come about if each starts on time.
   */
  public List<Instant> preview(Instant now, int limit) {
    int count = recurrence.count();
    int max = count == Recurrence.NO_COUNT ? limit : Math.min(limit, count);
    List<Instant> found = new ArrayList<>();
    Optional<Instant> next = first(now);
    while (next.isPresent() && found.size() < max) {
      found.add(next.get());
      next = after(next.get());
    }
    return List.copyOf(found);
  }

  private Instant oneIntervalAfter(Instant start) {
    PeriodicRecurrence periodic = (PeriodicRecurrence) recurrence;
    return clock == null
        ? periodic
            .oneIntervalAfter(LocalDateTime.ofInstant(start, ZoneOffset.UTC))
            .toInstant(ZoneOffset.UTC)
        : clock.startsAt(periodic.oneIntervalAfter(clock.at(start)));
  }

  /**
   * The local time that an occurrence stands for, with its offset: where the clocks leave it out,
   * the one that was meant, with the offset before. Empty where the occurrence does not come from a
   * local time.
   */
  public Optional<OffsetDateTime> localOf(Instant occurrence) {
    return zoned == null || occurrence.equals(opening)
        ? Optional.empty()
        : Optional.of(zoned.localOf(occurrence.getEpochSecond()));
  }

  /**
   * Whether the occurrences lie on a grid of local times, so that new rules of a zone move them.
   */
  public boolean isLocal() {
    return zoned != null;
  }

  /**
   * The instant of an occurrence whose local time is known from before the rules of its zone
   * changed. Empty where nothing is left; only where {@link #isLocal()}.
   *
   * @param local as {@link #localOf} told it under the rules that held then
   */
  public Optional<Instant> retimed(OffsetDateTime local) {
    return upToEnd(matches.atOrAfter(zoned.instantOf(local)));
  }

  /**
   * The local times that a transition between two instants, both inclusive, leaves out or repeats;
   * none where no wall clock counts.
   *
   * @param limit how many at most
   */
  public List<MovedTime> moved(Instant from, Instant to, int limit) {
    return zoned == null ? List.of() : zoned.moved(from, to, limit);
  }

  private boolean opens() {
    return !opening.equals(NO_OPENING);
  }

  private Optional<Instant> upToEnd(Optional<Instant> occurrence) {
    return occurrence.filter(instant -> !instant.isAfter(end));
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }
}
