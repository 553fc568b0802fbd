package carillon.recurrence.conversion;

import carillon.recurrence.CronRecurrence;
import carillon.recurrence.DstPolicy.Fold;
import carillon.recurrence.DstPolicy.Gap;
import carillon.recurrence.Frequency;
import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Recurrence;
import carillon.recurrence.WallClock;
import carillon.recurrence.cron.CronDialect;
import carillon.recurrence.cron.CronExpression;
import carillon.recurrence.cron.CronParser;
import carillon.recurrence.cron.CronRule;
import carillon.recurrence.cron.CronWriter;
import carillon.recurrence.cron.CronWriter.Star;
import carillon.recurrence.cron.InexpressibleException;
import carillon.recurrence.timetable.ShortestInterval;
import carillon.recurrence.timetable.Timetable;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Converter of a recurrence to other forms with exactly the same meaning. The forms follow by
 * arithmetic, and are nevertheless compared with the original. Immutable.
 */
public final class RecurrenceConverter {
  /** Frequencies of local times that are exact durations if the clock never changes. */
  private static final Set<Frequency> EXACT_DAYS = EnumSet.of(Frequency.DAY, Frequency.WEEK);

  /** Distances from an instant after a gap to one before it. */
  private static final List<Duration> BEFORE_A_GAP =
      List.of(Duration.ofDays(1), Duration.ofHours(2), Duration.ofHours(1));

  /** Number of occurrences to compare. */
  private static final int COMPARED = 200;

  private final Recurrence recurrence;
  private final Optional<Instant> startTime;
  private final Instant submitted;
  private final Optional<WallClock> clock;
  private final Timetable timetable;
  private final List<Instant> occurrences;

  /**
   * A converter.
   *
   * @param startTime of the job
   * @param submitted when the definition was submitted, or is assumed to be
   * @param clock of its time zone; empty for UTC
   */
  public RecurrenceConverter(
      Recurrence recurrence,
      Optional<Instant> startTime,
      Instant submitted,
      Optional<WallClock> clock) {
    this.recurrence = recurrence;
    this.startTime = startTime;
    this.submitted = submitted;
    this.clock = clock;
    this.timetable =
        Timetable.of(recurrence, startTime.orElse(Timetable.NO_START), submitted, clock);
    this.occurrences = timetable.preview(submitted, COMPARED);
  }

  /**
   * A recurrence in another form.
   *
   * @param recurrence with the same count and end
   * @param startTime that the job must have with it; empty if that of the job suffices
   */
  public record Converted(Recurrence recurrence, Optional<Instant> startTime) {}

  /**
   * Converts the recurrence to a form, for the same time zone.
   *
   * @throws InexpressibleException if that form cannot express exactly the same
   */
  public Converted to(RecurrenceForm form) {
    RecurrenceForm own =
        RecurrenceForm.of(recurrence)
            .orElseThrow(() -> new InexpressibleException("rules of iCalendar are not converted"));
    if (form == own) {
      return new Converted(recurrence, Optional.empty());
    }
    Converted converted =
        form == RecurrenceForm.FREQUENCY
            ? frequency((CronRecurrence) recurrence)
            : new Converted(cron(form.dialect()), Optional.empty());
    if (!occurrences(converted).equals(occurrences)) {
      throw new InexpressibleException("its occurrences would differ");
    }
    return converted;
  }

  private List<Instant> occurrences(Converted converted) {
    return converted
        .startTime
        .map(
            start ->
                occurrences(converted.recurrence, Optional.of(start), clock.map(this::startless)))
        .orElseGet(() -> occurrences(converted.recurrence, startTime, clock));
  }

  private List<Instant> occurrences(
      Recurrence other, Optional<Instant> start, Optional<WallClock> by) {
    return Timetable.of(other, start.orElse(Timetable.NO_START), submitted, by)
        .preview(submitted, COMPARED);
  }

  /** Returns the same clock, for a start that is an instant. */
  private WallClock startless(WallClock given) {
    return new WallClock(given.zone(), given.dst(), Optional.empty(), given.end());
  }

  private Converted frequency(CronRecurrence cron) {
    if (cron.rule() instanceof CronRule.Every every) {
      return new Converted(
          PeriodicWriter.write(every.interval(), isFixed(), cron),
          startTime.isPresent() ? Optional.empty() : Optional.of(first()));
    }
    if (cron.rule() instanceof CronRule.Once) {
      throw new InexpressibleException("it runs once: leave recurrence out, and give startTime");
    }
    CronExpression expression = ((CronRule.Matching) cron.rule()).expression();
    Optional<Duration> interval =
        isFixed() ? PeriodicWriter.interval(expression) : Optional.empty();
    if (interval.isPresent()) {
      boolean isStart = startTime.filter(first()::equals).isPresent();
      return new Converted(
          PeriodicWriter.write(interval.get(), true, cron),
          isStart ? Optional.empty() : Optional.of(first()));
    }
    boolean hasSecond =
        startTime
            .map(this::local)
            .filter(start -> start.equals(start.truncatedTo(ChronoUnit.SECONDS)))
            .filter(start -> expression.seconds().contains(start.getSecond()))
            .isPresent();
    return new Converted(
        PeriodicWriter.write(expression, countsWildcard(), cron),
        hasSecond ? Optional.empty() : Optional.of(start()));
  }

  private CronRecurrence cron(CronDialect dialect) {
    if (recurrence instanceof PeriodicRecurrence && startTime.isEmpty()) {
      throw new InexpressibleException(
          "without startTime it runs at once, when it is submitted, and a cron expression does not");
    }
    return cron(dialect, text(dialect));
  }

  private CronRecurrence cron(CronDialect dialect, String text) {
    Portability.check(dialect, text);
    Optional<CronDialect> said =
        dialect == CronDialect.QUARTZ ? Optional.of(dialect) : Optional.empty();
    return new CronRecurrence(
        text, said, CronParser.parse(text, said, ""), recurrence.count(), recurrence.endTime());
  }

  /**
   * Writes fields if they can express the recurrence, else an interval, which counts from a start
   * too.
   */
  private String text(CronDialect dialect) {
    Optional<Duration> interval = interval();
    try {
      return fields(dialect, interval);
    } catch (InexpressibleException e) {
      return interval.flatMap(time -> CronWriter.write(time, dialect)).orElseThrow(() -> e);
    }
  }

  /** The elapsed time between all successive occurrences, if it is constant. */
  private Optional<Duration> interval() {
    boolean isExact =
        recurrence.isElapsed()
            || (isFixed()
                && recurrence instanceof PeriodicRecurrence periodic
                && EXACT_DAYS.contains(periodic.frequency()));
    return isExact ? ShortestInterval.interval(recurrence) : Optional.empty();
  }

  private String fields(CronDialect dialect, Optional<Duration> interval) {
    if (recurrence.isElapsed()) {
      if (!isFixed()) {
        throw new InexpressibleException(
            "it counts elapsed time, and a cron expression the time of a clock");
      }
      LocalDateTime first = local(startTime.orElseGet(this::first));
      return CronWriter.write(CalendarFields.of(interval.orElseThrow(), first), dialect, Star.ANY);
    }
    CronExpression expression = expression();
    Star star = expression.isWildcard() ? Star.REQUIRED : Star.EXCLUDED;
    return CronWriter.write(expression, dialect, countsWildcard() ? star : Star.ANY);
  }

  private CronExpression expression() {
    if (recurrence instanceof PeriodicRecurrence periodic) {
      return CalendarFields.of(periodic, anchor());
    }
    CronRule rule = ((CronRecurrence) recurrence).rule();
    return rule instanceof CronRule.Once once
        ? CronExpression.at(once.time())
        : ((CronRule.Matching) rule).expression();
  }

  /** Returns a start with the right second and no occurrence between it and the first one. */
  private Instant start() {
    Instant first = first();
    boolean isMoved =
        timetable
            .localOf(first)
            .filter(meant -> !meant.toLocalDateTime().equals(local(first)))
            .isPresent();
    if (!isMoved) {
      return first;
    }
    Instant bound = startTime.filter(submitted::isBefore).orElse(submitted);
    return BEFORE_A_GAP.stream()
        .map(first::minus)
        .filter(bound::isBefore)
        .filter(start -> timetable.between(start, first, 1) == 0)
        .findFirst()
        .orElseThrow(
            () ->
                new InexpressibleException(
                    "its first occurrence is moved by a change of the clocks: give a later startTime"));
  }

  private Instant first() {
    return occurrences.get(0);
  }

  /** Local time from which the recurrence counts. */
  private LocalDateTime anchor() {
    return clock.flatMap(WallClock::start).orElseGet(() -> local(startTime.orElseThrow()));
  }

  private LocalDateTime local(Instant instant) {
    return LocalDateTime.ofInstant(instant, zone());
  }

  private ZoneId zone() {
    return clock.map(WallClock::zone).orElse(ZoneOffset.UTC);
  }

  /** Whether the clock never changes. */
  private boolean isFixed() {
    return zone().getRules().isFixedOffset();
  }

  /** Whether {@code dst} leaves the treatment of clock changes to the form of the recurrence. */
  private boolean countsWildcard() {
    return !isFixed()
        && clock
            .map(WallClock::dst)
            .filter(dst -> dst.gap() == Gap.AUTO || dst.fold() == Fold.AUTO)
            .isPresent();
  }

  /**
   * Limits of the programs of each form: expressions that this program reads, and they do not.
   * Quartz (2.3 to 2.5) refuses several of {@code L}, {@code W} and {@code #} in a list, or reads
   * another schedule. The documentation of EventBridge allows each of them only alone, and neither
   * {@code LW} nor {@code L-3}.
   */
  static final class Portability {
    private static final String SPECIAL = "(?:#|\\dW|\\dL|\\bL\\b|\\bLW\\b)";

    /** Pattern of a field with such a character and a comma. */
    private static final Pattern LISTED =
        Pattern.compile("(?:\\S*,\\S*" + SPECIAL + "\\S*|\\S*" + SPECIAL + "\\S*,\\S*)");

    private static final Pattern NOT_OF_EVENTBRIDGE = Pattern.compile("\\bLW\\b|\\bL-\\d");

    private Portability() {}

    /**
     * Refuses an expression if the program of a dialect would read it differently.
     *
     * @throws InexpressibleException with the reason
     */
    static void check(CronDialect dialect, String text) {
      if (dialect == CronDialect.UNIX) {
        return;
      }
      if (LISTED.matcher(text).find()) {
        throw new InexpressibleException(
            "it needs a list of days with L, W or #, of which "
                + nameOf(dialect)
                + " knows one alone");
      }
      if (dialect == CronDialect.AWS && NOT_OF_EVENTBRIDGE.matcher(text).find()) {
        throw new InexpressibleException("EventBridge knows neither LW nor L-3");
      }
    }

    private static String nameOf(CronDialect dialect) {
      return dialect == CronDialect.QUARTZ ? "Quartz" : "EventBridge";
    }
  }
}
