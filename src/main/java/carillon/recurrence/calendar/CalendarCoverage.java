package carillon.recurrence.calendar;

import carillon.recurrence.Coverage;
import carillon.recurrence.calendar.CalendarSpan.Bound;
import carillon.recurrence.calendar.CalendarSpan.Day;
import carillon.recurrence.calendar.CalendarSpan.Period;
import carillon.recurrence.calendar.CalendarSpan.Repeated;
import carillon.recurrence.calendar.CalendarSpan.WeekDays;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Coverage of a calendar by all of its spans. Spans that come once are in a lookup table, in any
 * number. Each repeated span is asked separately.
 */
public final class CalendarCoverage implements Coverage {
  private final String calendar;
  private final List<SpanCover> spans = new ArrayList<>();

  /**
   * Coverage of a definition.
   *
   * @param calendar its name
   * @throws IllegalArgumentException if a span covers nothing; the message begins with its place
   */
  public CalendarCoverage(String calendar, CalendarDefinition definition) {
    this.calendar = calendar;
    SpanClock clock = new SpanClock(definition.zone());
    List<Stretch> fixed = new ArrayList<>();
    for (int i = 0; i < definition.spans().size(); i++) {
      CalendarSpan span = definition.spans().get(i);
      Cause cause = new Cause(calendar, span.name());
      String place = "spans[" + i + "]";
      if (span instanceof Day day) {
        fixed.add(stretch(clock.begin(day.date()), clock.begin(day.date().plusDays(1)), cause));
      } else if (span instanceof Period period) {
        fixed.add(period(period, clock, cause, place));
      } else if (span instanceof WeekDays week) {
        spans.add(new WeekDaySpans(week.days(), clock, cause));
      } else {
        spans.add(repeated((Repeated) span, definition, cause, place));
      }
    }
    if (!fixed.isEmpty()) {
      spans.add(0, new FixedSpans(fixed));
    }
  }

  private static Stretch period(Period period, SpanClock clock, Cause cause, String place) {
    Stretch stretch = stretch(from(period.from(), clock), to(period.to(), clock), cause);
    if (stretch.first() >= stretch.end()) {
      throw new IllegalArgumentException(
          missing(period, clock)
              .map(gap -> place + ".from: '" + shown(period.from()) + "' " + gap)
              .orElseGet(
                  () -> place + ".to: '" + shown(period.to()) + "' must be later than from"));
    }
    return stretch;
  }

  /** Returns why a period with ordered bounds covers nothing: it begins in a gap of the clocks. */
  private static Optional<String> missing(Period period, SpanClock clock) {
    boolean isLocal = period.from().offset().isEmpty() && period.to().offset().isEmpty();
    return isLocal && period.from().time().isBefore(period.to().time())
        ? clock
            .missing(period.from().time())
            .map(why -> why + "; until '" + shown(period.to()) + "' no time is covered")
        : Optional.empty();
  }

  /**
   * Refuses days that do not exist, such as 2011-12-30 of Pacific/Apia. In calendars stored
   * earlier, such days cover nothing.
   *
   * @throws IllegalArgumentException if there is one; the message begins with its place
   */
  public static void checkDays(CalendarDefinition definition) {
    SpanClock clock = new SpanClock(definition.zone());
    for (int i = 0; i < definition.spans().size(); i++) {
      if (definition.spans().get(i) instanceof Day day && !clock.has(day.date())) {
        throw new IllegalArgumentException(
            "spans["
                + i
                + "].date: '"
                + day.date()
                + "' "
                + clock.missing(day.date().atStartOfDay()).orElseThrow());
      }
    }
  }

  private static String shown(Bound bound) {
    boolean isDay =
        bound.offset().isEmpty() && bound.time().toLocalTime().equals(LocalTime.MIDNIGHT);
    return (isDay ? bound.time().toLocalDate() : bound.time())
        + bound.offset().map(ZoneOffset::getId).orElse("");
  }

  private static long from(Bound bound, SpanClock clock) {
    return bound
        .offset()
        .map(bound.time()::toEpochSecond)
        .orElseGet(() -> clock.first(bound.time()));
  }

  private static long to(Bound bound, SpanClock clock) {
    return bound
        .offset()
        .map(bound.time()::toEpochSecond)
        .orElseGet(() -> clock.last(bound.time()));
  }

  private static SpanCover repeated(
      Repeated span, CalendarDefinition definition, Cause cause, String place) {
    RepeatedSpans spans = new RepeatedSpans(span, span.zone().orElse(definition.zone()), cause);
    if (!spans.everCovers()) {
      throw new IllegalArgumentException(place + ": never begins");
    }
    return spans;
  }

  private static Stretch stretch(long first, long end, Cause cause) {
    return new Stretch(first, end, Optional.of(cause));
  }

  @Override
  public String calendar() {
    return calendar;
  }

  @Override
  public int cost() {
    return spans.size();
  }

  @Override
  public Stretch at(long second, Lookups lookups) {
    Stretch free = Stretch.FREE;
    for (SpanCover span : spans) {
      Stretch stretch = span.at(second, lookups);
      if (stretch.isCovered()) {
        return stretch;
      }
      free = free.within(stretch);
    }
    return free;
  }

  /** Coverage by one span of a calendar, or by several with a common lookup. */
  interface SpanCover {
    /** The covered or free stretch around a second. */
    Stretch at(long second, Lookups lookups);
  }

  /** Spans of a calendar that come once, as stretches that do not overlap. */
  private static final class FixedSpans implements SpanCover {
    private final NavigableMap<Long, Stretch> stretches = new TreeMap<>();

    /**
     * @param spans covered, in any order; if two overlap, the name of the earlier one applies
     */
    FixedSpans(List<Stretch> spans) {
      List<Stretch> sorted = new ArrayList<>(spans);
      sorted.sort(Comparator.comparingLong(Stretch::first).thenComparingLong(Stretch::end));
      long covered = Long.MIN_VALUE;
      for (Stretch span : sorted) {
        long first = Math.max(span.first(), covered);
        if (first < span.end()) {
          stretches.put(first, new Stretch(first, span.end(), span.cause()));
          covered = span.end();
        }
      }
    }

    @Override
    public Stretch at(long second, Lookups lookups) {
      var before = stretches.floorEntry(second);
      if (before != null && second < before.getValue().end()) {
        return before.getValue();
      }
      Long next = stretches.higherKey(second);
      return new Stretch(
          before == null ? Long.MIN_VALUE : before.getValue().end(),
          next == null ? Long.MAX_VALUE : next,
          Optional.<Cause>empty());
    }
  }

  /** Days of each week. */
  private static final class WeekDaySpans implements SpanCover {
    private static final int WEEK = 7;

    private final Set<DayOfWeek> days;
    private final SpanClock clock;
    private final Optional<Cause> cause;

    WeekDaySpans(Set<DayOfWeek> days, SpanClock clock, Cause cause) {
      this.days = days;
      this.clock = clock;
      this.cause = Optional.of(cause);
    }

    @Override
    public Stretch at(long second, Lookups lookups) {
      LocalDate day = clock.dayAt(second);
      boolean isCovered = days.contains(day.getDayOfWeek());
      LocalDate first = day;
      LocalDate end = day.plusDays(1);
      for (int i = 1; i < WEEK && days.contains(end.getDayOfWeek()) == isCovered; i++) {
        end = end.plusDays(1);
      }
      for (int i = 1;
          i < WEEK && days.contains(first.minusDays(1).getDayOfWeek()) == isCovered;
          i++) {
        first = first.minusDays(1);
      }
      return days.size() == WEEK
          ? new Stretch(Long.MIN_VALUE, Long.MAX_VALUE, cause)
          : new Stretch(clock.begin(first), clock.begin(end), isCovered ? cause : Optional.empty());
    }
  }
}
