package carillon.recurrence.calendar;

import carillon.recurrence.Recurrence;
import carillon.recurrence.RruleRecurrence;
import carillon.recurrence.calendar.CalendarSpan.Bound;
import carillon.recurrence.calendar.CalendarSpan.Day;
import carillon.recurrence.calendar.CalendarSpan.Period;
import carillon.recurrence.calendar.CalendarSpan.Repeated;
import carillon.recurrence.calendar.CalendarSpan.SpanLength;
import carillon.recurrence.rrule.ContentLine;
import carillon.recurrence.rrule.RuleTime;
import carillon.recurrence.rrule.RuleTime.Form;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneRules;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Import of iCalendar (RFC 5545), which converts events to spans of a calendar. Events without a
 * span are left out and reported. No event causes the file to be refused.
 */
public final class IcalendarImport {
  private static final int MAX_SHOWN = 60;
  private static final int MAX_ZONES = 32;
  private static final String BYTE_ORDER_MARK = "\ufeff";
  private static final Pattern PLACE = Pattern.compile("^spans\\[0][.:]? ?");
  private static final String[] NONE = {};
  private static final long LONGEST = Duration.ofDays(IcalendarEvent.MAX_DAYS).toSeconds();
  private static final Pattern PROPERTY = Pattern.compile("[A-Z0-9-]+");

  private static final String MIDNIGHT = "T000000";

  /** Components that are parts of others. They are not reported as left out. */
  private static final Set<String> PARTS =
      Set.of("VCALENDAR", "VTIMEZONE", "STANDARD", "DAYLIGHT", "VALARM");

  private final ImportOptions options;
  private final List<IcalendarEvent> events = new ArrayList<>();
  private final List<IcalendarZone> definedZones = new ArrayList<>();
  private final Map<String, Optional<EventZone>> zones = new HashMap<>();
  private final List<LeftOutEvent> leftOut = new ArrayList<>();
  private final List<EventSpan> spans = new ArrayList<>();
  private Optional<String> zoneName = Optional.empty();
  private boolean isCancelled;

  private IcalendarImport(ImportOptions options) {
    this.options = options;
  }

  /**
   * Options of an import.
   *
   * @param zones zone by the name of a time zone
   * @param zonesByRules which replace a zone that only the file defines, if their rules are the
   *     same
   * @param zoneGiven name of the time zone of days, and of times without one; absent for the zone
   *     in the text
   * @param includesTransparent whether to include timed events marked as free time (TRANSP)
   * @param check fails for a calendar that cannot be stored; its message may begin with the place
   *     of the span
   */
  public record ImportOptions(
      Function<String, Optional<ZoneId>> zones,
      Collection<ZoneId> zonesByRules,
      Optional<String> zoneGiven,
      boolean includesTransparent,
      Consumer<CalendarDefinition> check) {}

  /**
   * Event or other component without a span.
   *
   * @param event its title, or its UID, or its place in the file
   * @param isUnusable whether it was intended to have one
   */
  public record LeftOutEvent(String event, String reason, boolean isUnusable) {}

  /** Calendar of an import, and the events without a span. */
  public record Imported(CalendarDefinition definition, List<LeftOutEvent> leftOut) {
    public Imported {
      leftOut = List.copyOf(leftOut);
    }
  }

  private record EventSpan(IcalendarEvent event, CalendarSpan span) {}

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException if it is not a calendar, or its time zone is unknown
   */
  public static Imported read(String text, ImportOptions options) {
    IcalendarImport reader = new IcalendarImport(options);
    List<String> lines =
        ContentLine.unfold(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
    checkBegin(lines);
    reader.collect(lines);
    return reader.imported();
  }

  private static void checkBegin(List<String> lines) {
    Optional<String> first = lines.stream().findFirst();
    if (first.filter("BEGIN:VCALENDAR"::equalsIgnoreCase).isEmpty()) {
      throw new IllegalArgumentException(
          "must begin with BEGIN:VCALENDAR" + first.map(line -> ", not " + shown(line)).orElse(""));
    }
  }

  private void collect(List<String> lines) {
    Deque<String> open = new ArrayDeque<>();
    for (String text : lines) {
      Optional<ContentLine> line = line(text, open);
      if (line.isPresent()) {
        collect(line.get(), open);
      }
    }
    if (!open.isEmpty()) {
      throw new IllegalArgumentException("BEGIN:" + open.peek() + " has no END");
    }
  }

  /** Reads a line. Skips a line without a name, because many files have unfolded texts. */
  private Optional<ContentLine> line(String text, Deque<String> open) {
    try {
      Optional<ContentLine> line = ContentLine.parse(text);
      if (line.filter(named -> PROPERTY.matcher(named.name()).matches()).isEmpty()) {
        spoil(text, open);
      }
      return line;
    } catch (IllegalArgumentException e) {
      if (isIn("VEVENT", open)) {
        events.get(events.size() - 1).spoil(text, e);
      }
      return Optional.empty();
    }
  }

  /** Records a line without a name, if it may matter. */
  private void spoil(String text, Deque<String> open) {
    if (isIn("VEVENT", open)) {
      events.get(events.size() - 1).spoil(text);
    } else if (open.size() == 3 && open.contains("VTIMEZONE")) {
      definedZones.get(definedZones.size() - 1).spoil(text);
    }
  }

  private void collect(ContentLine line, Deque<String> open) {
    if (line.name().equals("BEGIN")) {
      begin(line.value().strip().toUpperCase(Locale.ROOT), open);
    } else if (line.name().equals("END")) {
      end(line, open);
    } else if (open.size() == 1 && line.name().equals("X-WR-TIMEZONE")) {
      zoneName = Optional.of(line.value().strip());
    } else if (open.size() == 1 && line.name().equals("CALSCALE")) {
      checkScale(line);
    } else if (open.size() == 1 && line.is("METHOD", "CANCEL")) {
      isCancelled = true;
    } else if (isIn("VEVENT", open)) {
      events.get(events.size() - 1).add(line);
    } else if (isIn("VTIMEZONE", open)) {
      definedZones.get(definedZones.size() - 1).add(line);
    } else if (open.size() == 3 && open.contains("VTIMEZONE")) {
      definedZones.get(definedZones.size() - 1).addToPart(line);
    }
  }

  private static void checkScale(ContentLine line) {
    if (!line.is("CALSCALE", "GREGORIAN")) {
      throw new IllegalArgumentException(
          "CALSCALE: "
              + shown(line.value().strip())
              + " must be GREGORIAN; dates of other calendars are not known here");
    }
  }

  private static boolean isIn(String component, Deque<String> open) {
    return open.size() == 2 && open.peek().equals(component);
  }

  private static String shown(String text) {
    return "'" + IcalendarEvent.cut(text, MAX_SHOWN) + "'";
  }

  private void begin(String component, Deque<String> open) {
    if (component.equals("VCALENDAR") != open.isEmpty()) {
      throw new IllegalArgumentException("BEGIN:" + component + ": is out of place");
    }
    if (open.size() == 1 && component.equals("VEVENT")) {
      events.add(new IcalendarEvent(events.size() + 1));
    } else if (open.size() == 1 && component.equals("VTIMEZONE")) {
      definedZones.add(new IcalendarZone());
    } else if (isIn("VTIMEZONE", open)) {
      definedZones.get(definedZones.size() - 1).begin();
    } else if (!PARTS.contains(component)) {
      leftOut.add(new LeftOutEvent(shown(component), "is no event", false));
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
    Optional<ZoneId> given = zoneGiven();
    ZoneId zone = given.orElse(ZoneOffset.UTC);
    Map<String, List<IcalendarEvent>> series = series();
    instances(zone).forEach(all -> addLatest(all, event -> addInstance(event, series, zone)));
    List<IcalendarEvent> others = events.stream().filter(event -> !event.isInstance()).toList();
    EventRevisions.ofSeries(others).forEach(all -> addLatest(all, event -> add(event, zone)));
    Optional<String> name = given.map(ZoneId::getId);
    CalendarDefinition whole = definition(name, zone);
    try {
      options.check.accept(whole);
      return new Imported(whole, leftOut);
    } catch (RuntimeException e) {
      spans.removeIf(span -> !isStorable(span, name, zone));
      return new Imported(definition(name, zone), leftOut);
    }
  }

  private CalendarDefinition definition(Optional<String> name, ZoneId zone) {
    return new CalendarDefinition(name, zone, spans.stream().map(EventSpan::span).toList());
  }

  private boolean isStorable(EventSpan span, Optional<String> name, ZoneId zone) {
    try {
      options.check.accept(new CalendarDefinition(name, zone, List.of(span.span)));
      return true;
    } catch (RuntimeException e) {
      String reason = PLACE.matcher(String.valueOf(e.getMessage())).replaceFirst("");
      leaveOut(span.event, reason, true);
      return false;
    }
  }

  /** The time zone of days, and of times without one. */
  private Optional<ZoneId> zoneGiven() {
    if (options.zoneGiven.isPresent()) {
      return options.zoneGiven.flatMap(this::named);
    }
    if (zoneName.isPresent()) {
      return Optional.of(
          zone(zoneName.get())
              .flatMap(EventZone::id)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "X-WR-TIMEZONE: '"
                              + zoneName.get()
                              + "' is no time zone known here; say which with timeZone")));
    }
    return events.stream()
        .flatMap(event -> event.lines().stream())
        .flatMap(line -> Optional.ofNullable(line.parameters().get("TZID")).stream())
        .distinct()
        .flatMap(name -> readable(name).flatMap(EventZone::id).stream())
        .findFirst();
  }

  /** Returns the time zone of a name; empty if its definition in the file cannot be read. */
  private Optional<EventZone> readable(String name) {
    try {
      return zone(name);
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // leaves out all events in this zone
    }
  }

  /**
   * Time zone of an event.
   *
   * @param id absent if only the file defines the zone, and no known zone has the same rules
   */
  private record EventZone(ZoneRules rules, Optional<ZoneId> id) {
    private static final EventZone UTC = of(ZoneOffset.UTC);

    private static EventZone of(ZoneId zone) {
      return new EventZone(zone.getRules(), Optional.of(zone));
    }

    private SpanClock clock() {
      return new SpanClock(id.map(ZoneId::getId).orElse("its time zone"), rules);
    }
  }

  /**
   * Returns the time zone of a name: a known one, or else the definition in the file.
   *
   * @throws IllegalArgumentException if the definition in the file cannot be read
   */
  private Optional<EventZone> zone(String name) {
    String plain = name.replace("\\", "").strip();
    Optional<EventZone> known = zones.get(plain);
    if (known == null) {
      known = known(plain).map(EventZone::of).or(() -> defined(plain));
      zones.put(plain, known);
    }
    return known;
  }

  /**
   * Returns a known time zone. If the name has a prefix, as some programs write it, its last parts
   * count.
   */
  private Optional<ZoneId> known(String name) {
    Optional<ZoneId> found = named(name);
    String[] parts = name.split("/", -1);
    return found.isPresent() || parts.length < 3
        ? found
        : named(parts[parts.length - 2] + "/" + parts[parts.length - 1]);
  }

  private Optional<ZoneId> named(String name) {
    return options.zones.apply(name).map(IcalendarZone::storable);
  }

  private Optional<EventZone> defined(String name) {
    Optional<IcalendarZone> found =
        definedZones.stream()
            .limit(MAX_ZONES)
            .filter(zone -> zone.value("TZID").filter(id -> isNamed(id, name)).isPresent())
            .findFirst();
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Optional<ZoneId> place = found.get().value("X-LIC-LOCATION").flatMap(this::known);
    if (place.isPresent()) {
      return place.map(EventZone::of);
    }
    ZoneRules rules = found.get().rules();
    return Optional.of(new EventZone(rules, IcalendarZone.like(rules, options.zonesByRules)));
  }

  private static boolean isNamed(String id, String name) {
    return id.replace("\\", "").replace("\"", "").strip().equals(name);
  }

  private void addLatest(EventRevisions revisions, Predicate<IcalendarEvent> add) {
    revisions.addLatest(
        add, (event, by) -> leaveOut(event, EventRevisions.reason(event, by), false));
  }

  private void leaveOut(IcalendarEvent event, String reason, boolean isUnusable) {
    leftOut.add(new LeftOutEvent(event.title(), reason, isUnusable));
  }

  /** Returns the changes of each instance, first those that end a series. */
  private List<EventRevisions> instances(ZoneId calendar) {
    List<IcalendarEvent> changed = events.stream().filter(IcalendarEvent::isInstance).toList();
    return EventRevisions.ofInstances(changed, event -> instance(event, calendar)).stream()
        .sorted(Comparator.comparing(all -> !all.endsSeries()))
        .toList();
  }

  /** Identifies the instance that an event changes, independent of the notation of its time. */
  private String instance(IcalendarEvent event, ZoneId calendar) {
    ContentLine line = event.instance().orElseThrow();
    try {
      return String.valueOf(time(line, calendar).second());
    } catch (IllegalArgumentException e) {
      return line.toString(); // the event is left out
    }
  }

  /** Repeated events, by their UID. */
  private Map<String, List<IcalendarEvent>> series() {
    Map<String, List<IcalendarEvent>> series = new HashMap<>();
    for (IcalendarEvent event : events) {
      if (event.repeats() && !event.isInstance()) {
        event
            .uid()
            .ifPresent(uid -> series.computeIfAbsent(uid, any -> new ArrayList<>()).add(event));
      }
    }
    return series;
  }

  /** Adds a changed instance of a series in place of the regular one, unless it is unusable. */
  private boolean addInstance(
      IcalendarEvent event, Map<String, List<IcalendarEvent>> all, ZoneId calendar) {
    List<IcalendarEvent> series = event.uid().map(all::get).orElse(List.of());
    if (series.stream().anyMatch(one -> isBehindEnd(event, one, calendar))) {
      leaveOut(event, "is cancelled with its series (RANGE=THISANDFUTURE)", false);
      return true;
    }
    boolean isUnderstood = add(event, calendar);
    if (isUnderstood && event.endsSeries()) {
      series.forEach(one -> one.endBefore(event));
    } else if (isUnderstood) {
      ContentLine instance = event.instance().orElseThrow();
      ContentLine exception = new ContentLine("EXDATE", instance.parameters(), instance.value());
      series.forEach(one -> one.add(exception));
    }
    return isUnderstood;
  }

  /** Whether a changed instance is not newer than a cancellation of it and all later ones. */
  private boolean isBehindEnd(IcalendarEvent event, IcalendarEvent series, ZoneId calendar) {
    try {
      long second = time(event.instance().orElseThrow(), calendar).second();
      return series.ends().stream()
          .filter(end -> event.sequence() <= end.sequence())
          .anyMatch(end -> time(end.at(), calendar).second() <= second);
    } catch (IllegalArgumentException e) {
      return false; // an unreadable event is left out elsewhere
    }
  }

  /**
   * Adds the spans of an event, or the reason why it has none.
   *
   * @return whether the event is usable
   */
  private boolean add(IcalendarEvent event, ZoneId calendar) {
    try {
      event.checkUsable();
      event.instance().ifPresent(line -> time(line, calendar));
      List<CalendarSpan> found = new ArrayList<>();
      Optional<String> reason = notCounted(event).or(() -> addSpans(event, calendar, found));
      reason.ifPresent(why -> leaveOut(event, why, false));
      found.forEach(span -> spans.add(new EventSpan(event, span)));
      return true;
    } catch (IllegalArgumentException e) {
      leaveOut(event, e.getMessage(), true);
      return false;
    }
  }

  /** Returns why an event is ignored, although it may take up time. */
  private Optional<String> notCounted(IcalendarEvent event) {
    if (isCancelled) {
      return Optional.of("is cancelled (METHOD:CANCEL)");
    }
    if (event.isCancelled()) {
      return Optional.of("is cancelled (STATUS:CANCELLED)");
    }
    return event.isTransparent() && !options.includesTransparent && !event.isAllDay()
        ? Optional.of("is timed and marked as free time (TRANSP:TRANSPARENT)")
        : Optional.empty();
  }

  /** Adds the spans of an event, or returns why it has none. */
  private Optional<String> addSpans(
      IcalendarEvent event, ZoneId calendar, List<CalendarSpan> found) {
    ContentLine start =
        event
            .first("DTSTART")
            .orElseThrow(() -> new IllegalArgumentException("DTSTART: is missing"));
    Time begin = time(start, calendar);
    event.checkBounds();
    if (event.repeats()) {
      Optional<Time> end = end(event, begin, calendar);
      if (end.filter(time -> time.second() <= begin.second()).isPresent()) {
        return Optional.of("is cancelled from its start on (RANGE=THISANDFUTURE)");
      }
      repeated(event, start, begin, end, calendar).ifPresent(found::add);
      found.addAll(periods(event, begin, end, calendar));
    } else if (isTakenOut(event, begin, begin, calendar)) {
      return Optional.of("is taken out by its EXDATE");
    } else {
      once(event, begin, calendar).ifPresent(found::add);
    }
    return Optional.of("takes up no time").filter(why -> found.isEmpty());
  }

  /** Returns the first cancelled instance of a series, in the form of its start. */
  private Optional<Time> end(IcalendarEvent event, Time begin, ZoneId calendar) {
    return event.ends().stream()
        .map(end -> time(end.at(), calendar))
        .map(time -> like(begin, time))
        .map(time -> new Time(time, time.form() == Form.UTC ? EventZone.UTC : begin.zone()))
        .min(Comparator.comparingLong(Time::second));
  }

  /**
   * Whether an EXDATE removes an instance. A day removes the instances that begin on it.
   *
   * @param start of the event, whose clock determines days
   */
  private boolean isTakenOut(IcalendarEvent event, Time instance, Time start, ZoneId calendar) {
    LocalDate day =
        LocalDate.ofInstant(
            Instant.ofEpochSecond(instance.second()),
            start.zone().rules().getOffset(Instant.ofEpochSecond(instance.second())));
    return event.lines().stream()
        .filter(line -> line.name().equals("EXDATE"))
        .flatMap(line -> Stream.of(line.value().split(",", -1)).map(line::with))
        .map(line -> time(line, calendar))
        .anyMatch(
            time ->
                (time.isDay() || instance.isDay())
                    ? time.value().local(start.zone().rules()).toLocalDate().equals(day)
                    : time.second() == instance.second());
  }

  /** Time of an event in its zone. */
  private record Time(RuleTime value, EventZone zone) {
    boolean isDay() {
      return value.form() == Form.DATE;
    }

    long second() {
      return zone.clock().first(value.time());
    }

    boolean isIn(ZoneId other) {
      return zone.id.filter(other::equals).isPresent();
    }
  }

  private Time time(ContentLine line, ZoneId calendar) {
    String text = line.value().strip();
    boolean isMidnight = "DATE".equals(line.parameters().get("VALUE")) && text.endsWith(MIDNIGHT);
    RuleTime time =
        RuleTime.parse(
            line.name(), isMidnight ? text.substring(0, text.length() - MIDNIGHT.length()) : text);
    String name = line.parameters().get("TZID");
    if (time.form() == Form.UTC) {
      return new Time(time, EventZone.UTC);
    }
    return new Time(
        time,
        name == null || time.form() == Form.DATE ? EventZone.of(calendar) : known(line, name));
  }

  private EventZone known(ContentLine line, String name) {
    return zone(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    line.name()
                        + ": TZID '"
                        + name
                        + "' is no time zone known here, and the file does not define it"));
  }

  private Optional<CalendarSpan> once(IcalendarEvent event, Time begin, ZoneId calendar) {
    Optional<Time> given = event.first("DTEND").map(line -> time(line, calendar));
    if (begin.isDay()) {
      LocalDate first = begin.value().time().toLocalDate();
      LocalDate end = first.plusDays(days(event, first, given));
      return Optional.of(days(event, first, end));
    }
    return period(event, begin, given.orElseGet(() -> behind(begin, event.length())), calendar);
  }

  private static Optional<CalendarSpan> period(
      IcalendarEvent event, Time begin, Time end, ZoneId calendar) {
    if (end.second() - begin.second() > LONGEST) {
      throw new IllegalArgumentException(
          "DTEND: '"
              + end.value().time()
              + "' must be at most "
              + IcalendarEvent.MAX_DAYS
              + " days behind DTSTART");
    }
    return end.second() > begin.second()
        ? Optional.of(new Period(bound(begin, calendar), bound(end, calendar), event.name()))
        : Optional.empty();
  }

  /** Dates of a series that have another length: RDATE;VALUE=PERIOD. */
  private List<CalendarSpan> periods(
      IcalendarEvent event, Time start, Optional<Time> seriesEnd, ZoneId calendar) {
    List<CalendarSpan> periods = new ArrayList<>();
    for (ContentLine line : event.lines()) {
      for (String text : line.name().equals("RDATE") ? line.value().split(",", -1) : NONE) {
        String[] bounds = text.strip().split("/", 2);
        if (bounds.length == 2) {
          Time begin = time(line.with(bounds[0]), calendar);
          Time end =
              bounds[1].startsWith("P")
                  ? behind(begin, Optional.of(length(bounds[1])))
                  : time(line.with(bounds[1]), calendar);
          boolean isOver = seriesEnd.filter(last -> last.second() <= begin.second()).isPresent();
          if (!isOver && !isTakenOut(event, begin, start, calendar)) {
            period(event, begin, end, calendar).ifPresent(periods::add);
          }
        }
      }
    }
    return periods;
  }

  private static SpanLength length(String text) {
    return SpanLength.parse(text, IcalendarEvent.MAX_DAYS);
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
    return utc(begin.zone().clock().after(begin.second(), length.get()));
  }

  private static Time utc(long second) {
    LocalDateTime time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
    return new Time(new RuleTime(time, Form.UTC), EventZone.UTC);
  }

  private static Bound local(LocalDateTime time) {
    return new Bound(time, Optional.empty());
  }

  private static Bound bound(Time time, ZoneId calendar) {
    if (time.isIn(calendar)) {
      return local(time.value().time());
    }
    LocalDateTime utc = LocalDateTime.ofEpochSecond(time.second(), 0, ZoneOffset.UTC);
    return new Bound(utc, Optional.of(ZoneOffset.UTC));
  }

  /** Length of an event of days; without an end it is one day. */
  private static int days(IcalendarEvent event, LocalDate first, Optional<Time> end) {
    if (end.filter(time -> !time.isDay()).isPresent()) {
      throw new IllegalArgumentException(
          "DTEND: '" + end.get().value().time() + "' must be a date, as DTSTART is");
    }
    long days =
        end.isPresent()
            ? ChronoUnit.DAYS.between(first, end.get().value().time().toLocalDate())
            : event.length().map(IcalendarImport::wholeDays).orElse(1L);
    int most = event.maxDays();
    if (days < 0 || days > most) {
      throw new IllegalArgumentException(
          "DTEND: '"
              + first.plusDays(days)
              + "' must be from 0 to "
              + most
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
      IcalendarEvent event, ContentLine start, Time begin, Optional<Time> end, ZoneId calendar) {
    Optional<SpanLength> lasts = length(event, begin, calendar);
    if (lasts.isEmpty()) {
      return Optional.empty();
    }
    if (begin.zone().id().isEmpty()) {
      throw new IllegalArgumentException(
          "DTSTART: TZID '"
              + start.parameters().get("TZID")
              + "' has rules that no time zone known here has; a series needs one");
    }
    ZoneId zone = begin.zone().id().get();
    SeriesLines given =
        new SeriesLines(begin.value(), zone, ruleLines(event, start, begin, calendar))
            .beginningAtStart();
    SeriesLines series = end.map(time -> given.endingBefore(time.value())).orElse(given);
    return Optional.of(
        new Repeated(
            new RruleRecurrence(
                series.lines(), true, series.read(), Recurrence.NO_COUNT, Recurrence.NO_END),
            Optional.of(begin.value().time()),
            Optional.of(zone).filter(own -> !own.equals(calendar)),
            lasts.get(),
            event.name()));
  }

  /** Lines with the rules and dates of a series, with all local times in the zone of its start. */
  private List<String> ruleLines(
      IcalendarEvent event, ContentLine start, Time begin, ZoneId calendar) {
    boolean isZoned = begin.value().form() == Form.LOCAL && start.parameters().containsKey("TZID");
    String zone = isZoned ? ";TZID=" + begin.zone().id().orElseThrow().getId() : "";
    List<String> lines = new ArrayList<>();
    lines.add(line("DTSTART", begin.value(), zone));
    for (ContentLine line : event.lines()) {
      if (line.name().equals("RDATE") || line.name().equals("EXDATE")) {
        Stream.of(line.value().split(",", -1))
            .filter(text -> text.indexOf('/') < 0)
            .map(text -> time(line.with(text), calendar))
            .map(
                time ->
                    line.name().equals("EXDATE") && time.isDay() ? time.value() : like(begin, time))
            .forEach(time -> lines.add(line(line.name(), time, zone)));
      } else if (IcalendarEvent.RULES.contains(line.name())) {
        lines.add(line.name() + ":" + line.value().strip());
      }
    }
    return lines;
  }

  private static String line(String name, RuleTime time, String zone) {
    return name
        + (time.form() == Form.DATE ? ";VALUE=DATE" : time.form() == Form.LOCAL ? zone : "")
        + ":"
        + time.text();
  }

  /** Converts a date of a series to the form of its start, because programs mix days and times. */
  private static RuleTime like(Time begin, Time time) {
    LocalDateTime local = time.value().time();
    if (begin.isDay()) {
      local = time.value().local(begin.zone().rules());
      return new RuleTime(local.toLocalDate().atStartOfDay(), Form.DATE);
    }
    if (time.isDay()) {
      LocalTime ofDay = begin.value().time().toLocalTime();
      return new RuleTime(local.toLocalDate().atTime(ofDay), begin.value().form());
    }
    return time.value().form() == Form.UTC || time.zone().id().equals(begin.zone().id())
        ? time.value()
        : utc(time.second()).value();
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
