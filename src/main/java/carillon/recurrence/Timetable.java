package carillon.recurrence;

import carillon.recurrence.Coverage.Cause;
import carillon.recurrence.Exclusions.OnExcluded;
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

  /** How far ahead a job waits at most for another look at what excludes all its occurrences. */
  private static final Duration LOOKOUT = Duration.ofDays(366);

  /** Stands in for the recurrence of a job without one. */
  private static final Recurrence ONCE =
      new PeriodicRecurrence(Frequency.DAY, 1, 1, Recurrence.NO_END, Schedule.NONE);

  /** Later than anything. */
  static final Instant NO_INITIAL = Instant.MAX;

  private final Recurrence recurrence;
  private final Instant startTime;
  private final Instant end;

  /**
   * The occurrence that does not come from the matches but from the submission: due at once, or at
   * the startTime of a one-time job. All matches are later. {@link #NO_INITIAL} if there is none.
   */
  private final Instant initial;

  private final boolean drifts;
  private final InstantGrid matches;

  /** By which the matches lie; empty for UTC and for elapsed time. */
  private final Optional<WallClock> clock;

  /** The matches, where they lie by the clock. */
  private final Optional<ZonedGrid> zoned;

  /** What the matches are free of already. */
  private final Exclusions exclusions;

  /** This timetable without exclusions. */
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
   * @param submitted when the definition was submitted; stays the same as long as the definition
   *     lives, as a schedule without a startTime is counted from it
   */
  public static Timetable of(Recurrence recurrence, Instant startTime, Instant submitted) {
    return of(recurrence, startTime, submitted, Optional.empty());
  }

  /**
   * The timetable of a recurring job by a clock: what is given in days, weeks, months and years and
   * what has a schedule lies on a grid of local times, the rest is elapsed time, as in UTC.
   *
   * @param startTime the instant of the start, also where it was given as a local time; or {@link
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
   * This timetable without what is excluded. A run at once that is excluded is left out in any
   * case; all else is as the exclusions say. No occurrence is excluded: where they exclude more
   * than a search looks through, there is none, and what to wait for instead is {@link
   * #awaitedAfter}.
   *
   * @param exclusions of a recurring job
   * @return confined to one thread
   */
  public Timetable except(Exclusions exclusions) {
    return exclusions == Exclusions.NONE ? this : new Timetable(plain, exclusions);
  }

  /** What excludes an occurrence; empty where nothing does. */
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
   * The occurrence that follows.
   *
   * @param nominal the instant for which the current occurrence was planned; if the timetable
   *     {@link #drifts()}, the instant at which it actually started
   * @return strictly later than {@code nominal}
   */
  public Optional<Instant> after(Instant nominal) {
    return search(nominal).filter(this::isPermitted);
  }

  /** What {@link #first} is, or {@link #awaitedAfter} where there is none. */
  public Optional<Instant> firstAwaited(Instant now) {
    return searchFirst(now).or(() -> lookout(later(now, startTime).minusNanos(1)));
  }

  /**
   * What a job waits for: the occurrence that follows, or where exclusions leave none, or none as
   * far as a search goes, an excluded one. Whoever meets that looks again: exclusions change.
   *
   * @param nominal see {@link #after}
   * @return empty where there is none without exclusions either
   */
  public Optional<Instant> awaitedAfter(Instant nominal) {
    return search(nominal).or(() -> lookout(nominal));
  }

  /**
   * What a job waits for after its exclusions have changed: as {@link #awaitedAfter}, but no
   * occurrence that would only be another place of one that ran already.
   *
   * @param now after which it is to be
   * @param begun where the occurrence was that was begun last
   * @param waiting where the one is that waits so far, which did not run in any case
   */
  public Optional<Instant> awaitedAnew(Instant now, Instant begun, Optional<Instant> waiting) {
    Instant from = later(now, begun);
    Optional<Instant> next = awaitedAfter(from);
    return drifts || next.equals(waiting)
        ? next
        : awaitedAfter(servedUpTo(begun, waiting).filter(from::isBefore).orElse(from));
  }

  /**
   * When an occurrence runs that waits for the end of an exclusion which is over by now: at once.
   *
   * @param now the moment at which the exclusions have changed
   * @param waiting where it waits
   * @param started when the one before it started, or the job was made; of a timetable that {@link
   *     #drifts}
   * @return empty where what waits there is still put off, or was not
   */
  public Optional<Instant> freed(Instant now, Instant waiting, Instant started) {
    Optional<Instant> own = drifts ? plain.after(started) : plain.latest(waiting);
    return own.filter(instant -> instant.isBefore(waiting) && !instant.isAfter(now))
        .flatMap(instant -> search(drifts ? started : instant.minusNanos(1)))
        .filter(place -> !place.isAfter(now))
        .map(place -> now);
  }

  /**
   * Where the occurrence that waits is after its exclusions have changed, if these move it to
   * another day and it would have been due there before now.
   *
   * @param now the moment at which the exclusions have changed
   * @param waiting where it waits so far
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

  /** The latest place, up to an instant, of an occurrence or one behind it, on an earlier day. */
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

  /** The occurrence that was put off to a later day, where what waits is none by itself. */
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

  /** Nothing up to this is the place of any but what ran already; later places are. */
  private Optional<Instant> servedUpTo(Instant begun, Optional<Instant> waiting) {
    return exclusions.onExcluded() == OnExcluded.PREVIOUS_DAY
        ? broughtForward(begun).filter(own -> waiting.filter(own::isBefore).isPresent())
        : plain.after(begun).map(following -> following.minusNanos(1));
  }

  /** The occurrence that was at an earlier day, where what was begun is none by itself. */
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

  /** The last excluded occurrence within a year, or where there is none a later one. */
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

  /** May be excluded, where a search ends early. */
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
   * The latest occurrence at or before an instant, for catching up after downtime. Only what is
   * known beforehand counts: of a one-time or a drifting job its first occurrence at most, as
   * everything after that depends on actual starts.
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
   * How many occurrences known beforehand (see {@link #latest}) lie in [from, to), counted up to
   * {@code limit}. By arithmetic without a schedule, and with most; where the number of days
   * differs from month to month, or months filter days or weeks, each such day is visited.
   */
  public long between(Instant from, Instant to, long limit) {
    Instant high = earlier(to, end.plusNanos(1));
    boolean isInitialIn =
        hasPermittedInitial() && !initial.isBefore(from) && initial.isBefore(high);
    long count = (isInitialIn ? 1 : 0) + matches.count(from, high, Math.min(limit, NO_LIMIT));
    return Math.min(count, limit);
  }

  /**
   * Whether the definition can occur at all after its start and before the year 10000, whatever its
   * endTime: monthDays [30] with months [2] never does. Without a startTime a schedule must match
   * some time after the submission; that such a job also runs at once is not enough.
   */
  public boolean everMatches() {
    return (hasInitial() && TimetableBuilder.isPlain(recurrence))
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
   * recurrence's count, as they come about if each starts on time. Fewer where searches for more
   * would cost too much ({@link Exclusions#isSpent}).
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

  /** Of the intervals that follow on an actual start the first that ends at a permitted time. */
  private Optional<Instant> permittedIntervalAfter(Instant start) {
    return of(recurrence, start, start, clock).except(exclusions).search(start);
  }

  /**
   * The local time that an occurrence stands for, with its offset: where the clocks leave it out,
   * the one that was meant, with the offset before. Empty where the occurrence does not come from a
   * local time.
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
   * The instant of an occurrence whose local time is known from before the rules of its zone
   * changed. Empty where nothing is left; only where {@link #isLocal()}.
   *
   * @param local as {@link #localOf} told it under the rules that held then
   */
  public Optional<Instant> retimed(OffsetDateTime local) {
    return upToEnd(matches.atOrAfter(zoned.orElseThrow().instantOf(local)));
  }

  /**
   * The local times that a transition between two instants, both inclusive, leaves out or repeats;
   * none where no wall clock counts.
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
