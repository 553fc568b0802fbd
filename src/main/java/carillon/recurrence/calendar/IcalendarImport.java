package carillon.recurrence.calendar;

import carillon.recurrence.Recurrence;
import carillon.recurrence.RruleRecurrence;
import carillon.recurrence.calendar.CalendarSpan.Bound;
import carillon.recurrence.calendar.CalendarSpan.Day;
import carillon.recurrence.calendar.CalendarSpan.Period;
import carillon.recurrence.calendar.CalendarSpan.Repeated;
import carillon.recurrence.calendar.CalendarSpan.SpanLength;
import carillon.recurrence.rrule.ContentLine;
import carillon.recurrence.rrule.RecurrenceSet;
import carillon.recurrence.rrule.RruleParser;
import carillon.recurrence.rrule.RuleTime;
import carillon.recurrence.rrule.RuleTime.Form;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Import of iCalendar (RFC 5545): makes spans of a calendar of its events. Events that are
 * cancelled, transparent (TRANSP: they take up no time) or without length, and components of other
 * kinds, are left out.
 */
public final class IcalendarImport {
  private static final int MAX_SHOWN = 60;
  private static final String BYTE_ORDER_MARK = "\ufeff";

  /** Components that are parts of others: they are not counted as left out. */
  private static final Set<String> PARTS =
      Set.of("VCALENDAR", "VTIMEZONE", "STANDARD", "DAYLIGHT", "VALARM");

  private final Function<String, Optional<ZoneId>> zones;
  private final Optional<String> zoneGiven;
  private final List<IcalendarEvent> events = new ArrayList<>();
  private Optional<String> zoneName = Optional.empty();
  private int leftOut;

  private IcalendarImport(Function<String, Optional<ZoneId>> zones, Optional<String> zoneGiven) {
    this.zones = zones;
    this.zoneGiven = zoneGiven;
  }

  /**
   * Calendar that was made of a text.
   *
   * @param leftOut how many events and other components are not in it
   */
  public record Imported(CalendarDefinition definition, int leftOut) {}

  /**
   * Reads a text.
   *
   * @param zones what the name of a time zone means
   * @param zoneGiven name of the time zone of days, and of times without one; absent for the one
   *     that the text has
   * @throws IllegalArgumentException if it is no calendar, or has an event that cannot be told
   */
  public static Imported read(
      String text, Function<String, Optional<ZoneId>> zones, Optional<String> zoneGiven) {
    IcalendarImport reader = new IcalendarImport(zones, zoneGiven);
    String lines = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    checkBegin(lines);
    reader.collect(ContentLine.read(lines));
    return reader.imported();
  }

  private static void checkBegin(String text) {
    Optional<String> first = text.lines().map(String::strip).filter(s -> !s.isEmpty()).findFirst();
    if (first.filter("BEGIN:VCALENDAR"::equalsIgnoreCase).isEmpty()) {
      throw new IllegalArgumentException(
          "must begin with BEGIN:VCALENDAR" + first.map(line -> ", not " + shown(line)).orElse(""));
    }
  }

  private void collect(List<ContentLine> lines) {
    Deque<String> open = new ArrayDeque<>();
    for (ContentLine line : lines) {
      if (line.name().equals("BEGIN")) {
        begin(line.value().strip().toUpperCase(Locale.ROOT), open);
      } else if (line.name().equals("END")) {
        end(line, open);
      } else if (open.size() == 1 && line.name().equals("X-WR-TIMEZONE")) {
        zoneName = Optional.of(line.value().strip());
      } else if (open.size() == 2 && open.peek().equals("VEVENT")) {
        events.get(events.size() - 1).add(line);
      }
    }
    if (!open.isEmpty()) {
      throw new IllegalArgumentException("BEGIN:" + open.peek() + " has no END");
    }
  }

  private static String shown(String text) {
    return "'" + (text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN)) + "'";
  }

  private void begin(String component, Deque<String> open) {
    if (component.equals("VCALENDAR") != open.isEmpty()) {
      throw new IllegalArgumentException("BEGIN:" + component + ": is out of place");
    }
    if (open.size() == 1 && component.equals("VEVENT")) {
      events.add(new IcalendarEvent(events.size() + 1));
    } else if (!PARTS.contains(component)) {
      leftOut++;
    }
    open.push(component);
  }

  private static void end(ContentLine line, Deque<String> open) {
    if (open.isEmpty() || !line.is("END", open.peek())) {
      throw new IllegalArgumentException("END:" + line.value().strip() + ": has no BEGIN");
    }
    open.pop();
  }

  private Imported imported() {
    events.forEach(IcalendarEvent::index);
    Optional<String> given = zoneGiven.or(() -> zoneName).or(this::zoneOfEvents);
    if (zoneGiven.isEmpty() && zoneName.filter(name -> zone(name).isEmpty()).isPresent()) {
      throw new IllegalArgumentException(
          "X-WR-TIMEZONE: '" + zoneName.get() + "' is no time zone known here");
    }
    ZoneId zone = given.flatMap(this::zone).orElse(ZoneOffset.UTC);
    replaceInstances();
    List<CalendarSpan> spans = new ArrayList<>();
    for (IcalendarEvent event : events) {
      Optional<CalendarSpan> span = event.isBusy() ? span(event, zone) : Optional.empty();
      span.ifPresentOrElse(spans::add, () -> leftOut++);
    }
    return new Imported(
        new CalendarDefinition(given.map(name -> zone.getId()), zone, spans), leftOut);
  }

  private Optional<String> zoneOfEvents() {
    return events.stream()
        .flatMap(event -> event.lines().stream())
        .flatMap(line -> Optional.ofNullable(line.parameters().get("TZID")).stream())
        .findFirst();
  }

  /** The time zone of a name; of one with a prefix, as some programs write them, of its end. */
  private Optional<ZoneId> zone(String name) {
    Optional<ZoneId> found = zones.apply(name);
    String[] parts = name.split("/", -1);
    return found.isPresent() || parts.length < 3
        ? found
        : zones.apply(parts[parts.length - 2] + "/" + parts[parts.length - 1]);
  }

  /** An event that stands for one instance of a repeated one takes its place. */
  private void replaceInstances() {
    Map<String, IcalendarEvent> repeated = new HashMap<>();
    for (IcalendarEvent event : events) {
      if (event.repeats()) {
        event.first("UID").ifPresent(uid -> repeated.put(uid.value(), event));
      }
    }
    for (IcalendarEvent event : events) {
      Optional<ContentLine> instance = event.first("RECURRENCE-ID");
      String range = instance.map(line -> line.parameters().get("RANGE")).orElse(null);
      if (range != null) {
        throw new IllegalArgumentException(
            event.title()
                + ": RECURRENCE-ID: RANGE '"
                + range
                + "' is not known here; end the series with UNTIL and add another event");
      }
      IcalendarEvent of = event.first("UID").map(uid -> repeated.get(uid.value())).orElse(null);
      if (instance.isPresent() && of != null && of != event) {
        of.add(new ContentLine("EXDATE", instance.get().parameters(), instance.get().value()));
      }
    }
  }

  private Optional<CalendarSpan> span(IcalendarEvent event, ZoneId calendar) {
    try {
      ContentLine start =
          event
              .first("DTSTART")
              .orElseThrow(() -> new IllegalArgumentException("DTSTART: is missing"));
      Time begin = time(start, calendar);
      event.checkBounds();
      if (event.repeats()) {
        return repeated(event, start, begin, calendar);
      }
      return isTakenOut(event, begin, calendar) ? Optional.empty() : once(event, begin, calendar);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(event.title() + ": " + e.getMessage(), e);
    }
  }

  /** Whether an EXDATE of an event that comes once is its start. */
  private boolean isTakenOut(IcalendarEvent event, Time begin, ZoneId calendar) {
    return event.lines().stream()
        .filter(line -> line.name().equals("EXDATE"))
        .flatMap(
            line ->
                Stream.of(line.value().split(",", -1))
                    .map(text -> new ContentLine(line.name(), line.parameters(), text)))
        .map(line -> time(line, calendar))
        .anyMatch(
            time ->
                time.isDay()
                    ? time.value().time().toLocalDate().equals(begin.value().time().toLocalDate())
                    : time.second() == begin.second());
  }

  /** Time of an event in its zone. */
  private record Time(RuleTime value, ZoneId zone) {
    boolean isDay() {
      return value.form() == Form.DATE;
    }

    long second() {
      return new SpanClock(zone).first(value.time());
    }
  }

  private Time time(ContentLine line, ZoneId calendar) {
    RuleTime time = RuleTime.parse(line.name(), line.value().strip());
    String name = line.parameters().get("TZID");
    if (time.form() == Form.UTC) {
      return new Time(time, ZoneOffset.UTC);
    }
    return new Time(time, name == null || time.form() == Form.DATE ? calendar : known(line, name));
  }

  private ZoneId known(ContentLine line, String name) {
    return zone(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    line.name() + ": TZID '" + name + "' is no time zone known here"));
  }

  private Optional<CalendarSpan> once(IcalendarEvent event, Time begin, ZoneId calendar) {
    Optional<Time> given = event.first("DTEND").map(line -> time(line, calendar));
    if (begin.isDay()) {
      LocalDate first = begin.value().time().toLocalDate();
      LocalDate end = first.plusDays(days(event, first, given));
      SpanClock clock = new SpanClock(calendar);
      return clock.begin(first) < clock.begin(end)
          ? Optional.of(days(event, first, end))
          : Optional.empty();
    }
    Bound end =
        given
            .map(time -> bound(time, calendar))
            .orElseGet(() -> bound(behind(begin, event.length()), calendar));
    long last = given.map(Time::second).orElseGet(() -> behind(begin, event.length()).second());
    return last > begin.second()
        ? Optional.of(new Period(bound(begin, calendar), end, event.name()))
        : Optional.empty();
  }

  private static CalendarSpan days(IcalendarEvent event, LocalDate first, LocalDate end) {
    return end.equals(first.plusDays(1))
        ? new Day(first, event.name())
        : new Period(local(first.atStartOfDay()), local(end.atStartOfDay()), event.name());
  }

  private static Time behind(Time begin, Optional<SpanLength> length) {
    if (length.isEmpty()) {
      return begin;
    }
    long second = new SpanClock(begin.zone()).after(begin.second(), length.get());
    LocalDateTime time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
    return new Time(new RuleTime(time, Form.UTC), ZoneOffset.UTC);
  }

  private static Bound local(LocalDateTime time) {
    return new Bound(time, Optional.empty());
  }

  private static Bound bound(Time time, ZoneId calendar) {
    if (time.zone().equals(calendar)) {
      return local(time.value().time());
    }
    LocalDateTime utc = LocalDateTime.ofEpochSecond(time.second(), 0, ZoneOffset.UTC);
    return new Bound(utc, Optional.of(ZoneOffset.UTC));
  }

  /** How long an event of days is; without an end it is one. */
  private static int days(IcalendarEvent event, LocalDate first, Optional<Time> end) {
    if (end.filter(time -> !time.isDay()).isPresent()) {
      throw new IllegalArgumentException(
          "DTEND: '" + end.get().value().time() + "' must be a date, as DTSTART is");
    }
    long days =
        end.isPresent()
            ? ChronoUnit.DAYS.between(first, end.get().value().time().toLocalDate())
            : event.length().map(IcalendarImport::wholeDays).orElse(1L);
    if (days < 0 || days > SpanLength.MAX_DAYS) {
      throw new IllegalArgumentException(
          "DTEND: '"
              + first.plusDays(days)
              + "' must be from 0 to "
              + SpanLength.MAX_DAYS
              + " days behind DTSTART");
    }
    return (int) Math.max(1, days);
  }

  private static long wholeDays(SpanLength length) {
    long days = length.time().toDays();
    if (!length.time().equals(Duration.ofDays(days))) {
      throw new IllegalArgumentException(
          "DURATION: '" + length.text() + "' must be whole days, as DTSTART is a date");
    }
    return length.days() + days;
  }

  private Optional<CalendarSpan> repeated(
      IcalendarEvent event, ContentLine start, Time begin, ZoneId calendar) {
    Optional<SpanLength> lasts = length(event, begin, calendar);
    if (lasts.isEmpty()) {
      return Optional.empty();
    }
    List<String> lines = event.ruleLines(start, line -> known(line, line.parameters().get("TZID")));
    if (event.first("RRULE").isEmpty()) {
      // Its start is an instance of it, too; where there are rules they yield it.
      lines.add(lines.get(0).replaceFirst("DTSTART", "RDATE"));
    }
    RecurrenceSet set = RruleParser.parse(String.join("\n", lines));
    return Optional.of(
        new Repeated(
            new RruleRecurrence(lines, true, set, Recurrence.NO_COUNT, Recurrence.NO_END),
            Optional.of(begin.value().time()),
            begin.zone().equals(calendar) ? Optional.empty() : Optional.of(begin.zone()),
            lasts.get(),
            event.name()));
  }

  private Optional<SpanLength> length(IcalendarEvent event, Time begin, ZoneId calendar) {
    Optional<Time> end = event.first("DTEND").map(line -> time(line, calendar));
    if (begin.isDay()) {
      LocalDate first = begin.value().time().toLocalDate();
      return Optional.of(new SpanLength(days(event, first, end), Duration.ZERO));
    }
    if (end.isEmpty()) {
      return event.length();
    }
    long seconds = end.get().second() - begin.second();
    return seconds <= 0
        ? Optional.empty()
        : Optional.of(SpanLength.parse(Duration.ofSeconds(seconds).toString()));
  }
}
