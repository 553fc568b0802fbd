package carillon.recurrence.timetable;

import carillon.recurrence.Coverage.Cause;
import carillon.recurrence.Frequency;
import carillon.recurrence.MovedTime;
import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Recurrence;
import carillon.recurrence.Schedule;
import carillon.recurrence.WallClock;
import carillon.recurrence.grid.InstantGrid;
import carillon.recurrence.grid.ZonedGrid;
import carillon.recurrence.timetable.Exclusions.OnExcluded;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The instants at which a job runs, one-time or recurring, computed from its definition alone. It
 * has no state: the caller remembers the nominal instant of the current occurrence and asks for the
 * one {@link #after} it. The {@code count} applies only in {@link #preview}, because only the
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
 * <p>"From now on" includes now itself, and endTime is inclusive. Any answer takes microseconds,
 * even for a start long ago.
 */
public final class Timetable {
  /** The startTime of a job without one. */
  public static final Instant NO_START = Instant.MIN;

  /** Largest limit of a count. Larger values mean no limit, and could overflow in calculations. */
  private static final long NO_LIMIT = 1L << 60;

  /** Longest wait of a job before it checks again, if exclusions cover all its occurrences. */
  private static final Duration LOOKOUT = Duration.ofDays(366);

  /** Placeholder for the recurrence of a job without one. */
  private static final Recurrence ONCE =
      new PeriodicRecurrence(Frequency.DAY, 1, 1, Recurrence.NO_END, Schedule.NONE);

  /** Value of {@link #initial} for no such occurrence, later than any instant. */
  static final Instant NO_INITIAL = Instant.MAX;

  private final Recurrence recurrence;
  private final Instant startTime;
  private final Instant end;

  /**
   * The occurrence that comes from the submission and not from the matches: due immediately, or at
   * the startTime of a one-time job. All matches are later. {@link #NO_INITIAL} if there is none.
   */
  private final Instant initial;

  private final boolean drifts;
  private final InstantGrid matches;

  /** Clock of the matches; empty for UTC and for elapsed time. */
  private final Optional<WallClock> clock;

  /** The matches, if they follow the clock. */
  private final Optional<ZonedGrid> zoned;

  /** Exclusions already applied to the matches. */
  private final Exclusions exclusions;

  /** Same timetable without exclusions. */
  private final Timetable plain;

  /** The timetable that was built; without exclusions. */
  Timetable(TimetableBuilder built) {
    this.recurrence = built.recurrence();
    this.startTime = built.startTime();
    this.end = earlier(recurrence.endTime(), InstantGrid.LAST);
    this.initial = built.initial();
    this.drifts = built.drifts();
    this.matches = built.matches();
    this.clock = built.clock();
    this.zoned = built.zoned();
    this.exclusions = Exclusions.NONE;
    this.plain = this;
  }

  private Timetable(Timetable plain, Exclusions exclusions) {
    this.recurrence = plain.recurrence;
    this.startTime = plain.startTime;
    this.end = plain.end;
    this.initial = plain.initial;
    this.drifts = plain.drifts;
    this.matches =
        plain.matches.mapped(grid -> exclusions.of(grid, plain.recurrence, plain.zoned), end);
    this.clock = plain.clock;
    this.zoned = plain.zoned;
    this.exclusions = exclusions;
    this.plain = plain;
  }

  /**
   * The timetable of a recurring job in UTC.
   *
   * @param startTime or {@link #NO_START}
   * @param submitted when the definition was submitted; constant for the life of the definition,
   *     because a schedule without a startTime counts from it
   */
  public static Timetable of(Recurrence recurrence, Instant startTime, Instant submitted) {
    return of(recurrence, startTime, submitted, Optional.empty());
  }

  /**
   * The timetable of a recurring job by a clock. Days, weeks, months, years and schedules lie on a
   * grid of local times. All else is elapsed time, as in UTC.
   *
   * @param startTime the instant of the start, even if it was given as a local time; or {@link
   *     #NO_START}
   * @param submitted see {@link #of(Recurrence, Instant, Instant)}
   * @param wallClock of its time zone; empty for UTC
   */
  public static Timetable of(
      Recurrence recurrence, Instant startTime, Instant submitted, Optional<WallClock> wallClock) {
    return new TimetableBuilder(recurrence, startTime, submitted).recurring(wallClock);
  }

  /**
   * The timetable of a job that runs once.
   *
   * @param startTime or {@link #NO_START}
   */
  public static Timetable once(Instant startTime, Instant submitted) {
    return new TimetableBuilder(ONCE, startTime, submitted).once();
  }

  /**
   * Returns this timetable without excluded occurrences. An excluded immediate run is always left
   * out. The exclusions determine whether other occurrences are left out or moved. No returned
   * occurrence is excluded. If exclusions cover more than a search examines, there is no
   * occurrence; {@link #awaitedAfter} then returns the instant to wait for.
   *
   * @param exclusions of a recurring job
   * @return confined to one thread
   */
  public Timetable except(Exclusions exclusions) {
    return exclusions == Exclusions.NONE ? this : new Timetable(plain, exclusions);
  }

  /** Returns the cause for the exclusion of an occurrence; empty if it is not excluded. */
  public Optional<Cause> exclusion(Instant occurrence) {
    return exclusions.cause(occurrence);
  }

  /** The first occurrence for a submission, or an end of a pause, at {@code now}. */
  public Optional<Instant> first(Instant now) {
    return searchFirst(now).filter(this::isPermitted);
  }

  private Optional<Instant> searchFirst(Instant now) {
    Instant from = later(now, startTime);
    if (!hasInitial()) {
      return upToEnd(matches.atOrAfter(from));
    }
    return exclusions.excludes(from) ? search(from) : upToEnd(Optional.of(from));
  }

  /**
   * Returns the next occurrence.
   *
   * @param nominal the instant for which the current occurrence was planned; if the timetable
   *     {@link #drifts()}, the instant at which it actually started
   * @return strictly later than {@code nominal}
   */
  public Optional<Instant> after(Instant nominal) {
    return search(nominal).filter(this::isPermitted);
  }

  /** Returns {@link #first}, or {@link #awaitedAfter} if there is none. */
  public Optional<Instant> firstAwaited(Instant now) {
    return searchFirst(now).or(() -> lookout(later(now, startTime).minusNanos(1)));
  }

  /**
   * Returns the instant for which a job waits: the next occurrence, or an excluded one if the
   * search finds no other. The caller must check an excluded one again when it is due, because
   * exclusions change.
   *
   * @param nominal see {@link #after}
   * @return empty if there is none even without exclusions
   */
  public Optional<Instant> awaitedAfter(Instant nominal) {
    return search(nominal).or(() -> lookout(nominal));
  }

  /**
   * Returns the instant for which a job waits after its exclusions have changed. Same as {@link
   * #awaitedAfter}, but without an occurrence that already ran at another place.
   *
   * @param now instant after which the result lies
   * @param begun place of the occurrence that began last
   * @param waiting place of the occurrence that waits so far, which has not run
   */
  public Optional<Instant> awaitedAnew(Instant now, Instant begun, Optional<Instant> waiting) {
    Instant from = later(now, begun);
    Optional<Instant> next = awaitedAfter(from);
    return drifts || next.equals(waiting)
        ? next
        : awaitedAfter(servedUpTo(begun, waiting).filter(from::isBefore).orElse(from));
  }

  /**
   * Returns now if a waiting occurrence may run immediately, because the exclusion that deferred it
   * no longer applies.
   *
   * @param now the moment at which the exclusions have changed
   * @param waiting instant for which it waits
   * @param started when the previous occurrence started, or the job was created; used if the
   *     timetable {@link #drifts}
   * @return empty if the waiting occurrence is still deferred, or never was
   */
  public Optional<Instant> freed(Instant now, Instant waiting, Instant started) {
    Optional<Instant> own = drifts ? plain.after(started) : plain.latest(waiting);
    return own.filter(instant -> instant.isBefore(waiting) && !instant.isAfter(now))
        .flatMap(instant -> search(drifts ? started : instant.minusNanos(1)))
        .filter(place -> !place.isAfter(now))
        .map(place -> now);
  }

  /**
   * Returns the new place of the waiting occurrence after its exclusions have changed. Empty unless
   * exclusions move it to another day and it would have been due there by now.
   *
   * @param now the moment at which the exclusions have changed
   * @param waiting instant for which it waits so far
   * @param started see {@link #freed}
   */
  public Optional<Instant> overtaken(Instant now, Instant waiting, Instant started) {
    if (!exclusions.onExcluded().isByDay()) {
      return Optional.empty();
    }
    Optional<Instant> place;
    if (drifts) {
      place = exclusions.excludes(waiting) ? search(started) : Optional.empty();
    } else if (exclusions.onExcluded() == OnExcluded.NEXT_DAY) {
      place = putOff(waiting).flatMap(own -> search(own.minusNanos(1)));
    } else {
      place = latestOf(broughtForward(waiting).orElse(waiting), now);
    }
    return place.filter(at -> !at.isAfter(now));
  }

  /**
   * Returns the latest place, up to an instant, of an occurrence or of a later one, if exclusions
   * move occurrences to an earlier day.
   */
  private Optional<Instant> latestOf(Instant own, Instant notAfter) {
    Optional<Instant> place = latest(notAfter);
    for (int i = 1; i < Exclusions.MAX_TIMES_OF_DAY && isOfEarlier(place, own); i++) {
      place = latest(place.get().minusNanos(1));
    }
    return isOfEarlier(place, own) ? Optional.empty() : place;
  }

  private boolean isOfEarlier(Optional<Instant> place, Instant own) {
    return place.filter(at -> broughtForward(at).orElse(at).isBefore(own)).isPresent();
  }

  /**
   * Returns the occurrence that was deferred to a later day, if the waiting instant is not an
   * occurrence itself.
   */
  private Optional<Instant> putOff(Instant waiting) {
    Optional<Instant> own = plain.latest(waiting);
    if (own.filter(waiting::equals).isPresent()) {
      return Optional.empty();
    }
    LocalTime time = exclusions.localTime(waiting);
    Optional<Instant> other =
        own.filter(found -> !exclusions.localTime(found).equals(time))
            .flatMap(found -> plain.latest(found.minusNanos(1)));
    return other.filter(found -> exclusions.localTime(found).equals(time)).or(() -> own);
  }

  /**
   * Returns the last instant up to which all places belong to occurrences that already ran. Later
   * places may belong to others. Empty if no such instant is known.
   */
  private Optional<Instant> servedUpTo(Instant begun, Optional<Instant> waiting) {
    return exclusions.onExcluded() == OnExcluded.PREVIOUS_DAY
        ? broughtForward(begun).filter(own -> waiting.filter(own::isBefore).isPresent())
        : plain.after(begun).map(following -> following.minusNanos(1));
  }

  /**
   * Returns the occurrence that was moved to an earlier day, if the begun instant is not an
   * occurrence itself.
   */
  private Optional<Instant> broughtForward(Instant begun) {
    Optional<Instant> own = plain.search(begun.minusNanos(1));
    if (own.filter(begun::equals).isPresent()) {
      return Optional.empty();
    }
    LocalTime time = exclusions.localTime(begun);
    Optional<Instant> other =
        own.filter(found -> !exclusions.localTime(found).equals(time)).flatMap(plain::after);
    return other.filter(found -> exclusions.localTime(found).equals(time)).or(() -> own);
  }

  /** Returns the last excluded occurrence within a year, or a later one if there is none. */
  private Optional<Instant> lookout(Instant nominal) {
    if (exclusions.isEmpty()) {
      return Optional.empty();
    }
    Timetable all = drifts ? of(recurrence, nominal, nominal, clock) : plain;
    return all.latest(earlier(nominal, InstantGrid.LAST).plus(LOOKOUT))
        .filter(nominal::isBefore)
        .or(() -> all.after(nominal))
        .filter(exclusions::excludes);
  }

  /** Returns the next occurrence. It may be excluded, if the search ends early. */
  private Optional<Instant> search(Instant nominal) {
    if (!nominal.isBefore(end)) {
      return Optional.empty();
    }
    if (drifts) {
      return upToEnd(Optional.of(oneIntervalAfter(nominal)))
          .flatMap(
              next ->
                  exclusions.excludes(next) ? permittedIntervalAfter(nominal) : Optional.of(next));
    }
    if (hasPermittedInitial() && nominal.isBefore(initial)) {
      return upToEnd(Optional.of(initial));
    }
    return upToEnd(matches.atOrAfter(nominal.plusNanos(1)));
  }

  private boolean isPermitted(Instant occurrence) {
    return !exclusions.excludes(occurrence);
  }

  /**
   * Returns the latest occurrence at or before an instant, to catch up after downtime. Only
   * occurrences that are known in advance count. For a one-time or drifting job this is at most the
   * first occurrence, because later ones depend on actual starts.
   */
  public Optional<Instant> latest(Instant notAfter) {
    Instant to = earlier(notAfter, end);
    return matches
        .atOrBefore(to)
        .filter(this::isPermitted)
        .or(
            () ->
                hasPermittedInitial() && !initial.isAfter(to)
                    ? Optional.of(initial)
                    : Optional.empty());
  }

  /**
   * Returns the number of occurrences known in advance (see {@link #latest}) in [from, to), counted
   * up to {@code limit}. Counts by arithmetic without a schedule, and with most schedules. Visits
   * each matching day if the number of days differs from month to month, or if months filter days
   * or weeks.
   */
  public long between(Instant from, Instant to, long limit) {
    Instant high = earlier(to, end.plusNanos(1));
    boolean isInitialIn =
        hasPermittedInitial() && !initial.isBefore(from) && initial.isBefore(high);
    long count = (isInitialIn ? 1 : 0) + matches.count(from, high, Math.min(limit, NO_LIMIT));
    return Math.min(count, limit);
  }

  /**
   * Whether the definition can occur at all after its start and before the year 10000, regardless
   * of its endTime: monthDays [30] with months [2] never does. Without a startTime a schedule must
   * match some time after the submission; the immediate first run of such a job does not suffice.
   */
  public boolean everMatches() {
    return (hasInitial() && TimetableBuilder.isPlain(recurrence))
        || matches.atOrAfter(Instant.MIN).isPresent();
  }

  /**
   * Whether each occurrence is planned from the actual start of the previous one. This holds for a
   * recurrence with neither startTime nor schedule.
   */
  public boolean drifts() {
    return drifts;
  }

  /**
   * Returns the first occurrences of a submission at {@code now}, assuming that each starts on
   * time. Returns at most {@code limit}, and at most the recurrence's count. Returns fewer if
   * searches for more would cost too much ({@link Exclusions#isSpent}).
   */
  public List<Instant> preview(Instant now, int limit) {
    int count = recurrence.count();
    int max = count == Recurrence.NO_COUNT ? limit : Math.min(limit, count);
    List<Instant> found = new ArrayList<>();
    Optional<Instant> next = first(now);
    while (next.isPresent() && found.size() < max) {
      found.add(next.get());
      next = exclusions.isSpent() ? Optional.empty() : after(next.get());
    }
    return List.copyOf(found);
  }

  private Instant oneIntervalAfter(Instant start) {
    PeriodicRecurrence periodic = (PeriodicRecurrence) recurrence;
    return clock
        .map(by -> by.startsAt(periodic.oneIntervalAfter(by.at(start))))
        .orElseGet(
            () ->
                periodic
                    .oneIntervalAfter(LocalDateTime.ofInstant(start, ZoneOffset.UTC))
                    .toInstant(ZoneOffset.UTC));
  }

  /** Returns the end of the first interval after an actual start that ends at a permitted time. */
  private Optional<Instant> permittedIntervalAfter(Instant start) {
    return of(recurrence, start, start, clock).except(exclusions).search(start);
  }

  /**
   * Returns the local time of an occurrence, with its offset. For a time that the clocks skip,
   * returns the intended time with the offset before the gap. Empty if the occurrence does not come
   * from a local time.
   */
  public Optional<OffsetDateTime> localOf(Instant occurrence) {
    return zoned
        .filter(grid -> !occurrence.equals(initial))
        .map(grid -> grid.localOf(occurrence.getEpochSecond()));
  }

  /**
   * Whether the occurrences lie on a grid of local times, so that new rules of a zone move them.
   */
  public boolean isLocal() {
    return zoned.isPresent();
  }

  /**
   * Returns the instant of an occurrence, given its local time under earlier rules of its zone.
   * Empty if no occurrence remains. Requires {@link #isLocal()}.
   *
   * @param local as {@link #localOf} returned it under the earlier rules
   */
  public Optional<Instant> retimed(OffsetDateTime local) {
    return upToEnd(matches.atOrAfter(zoned.orElseThrow().instantOf(local)));
  }

  /**
   * Returns the local times that transitions between two instants, both inclusive, skip or repeat.
   * Empty if no wall clock applies.
   *
   * @param limit how many at most
   */
  public List<MovedTime> moved(Instant from, Instant to, int limit) {
    return zoned.map(grid -> grid.moved(from, to, limit)).orElseGet(List::of);
  }

  private boolean hasInitial() {
    return !initial.equals(NO_INITIAL);
  }

  private boolean hasPermittedInitial() {
    return hasInitial() && !exclusions.excludes(initial);
  }

  private Optional<Instant> upToEnd(Optional<Instant> occurrence) {
    return occurrence.filter(instant -> !instant.isAfter(end));
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }
}
