package carillon.recurrence.calendar;

import carillon.recurrence.calendar.CalendarSpan.SpanLength;
import carillon.recurrence.rrule.ContentLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Event of iCalendar, as written in its lines. */
final class IcalendarEvent {
  private static final int MAX_NAME = 128;
  private static final int MAX_SHOWN = 60;
  static final Set<String> RULES = Set.of("RRULE", "EXRULE");

  private static final String RECURRENCE_ID = "RECURRENCE-ID";

  /**
   * Lines that give the time of an event, even misspelt ones. Texts that were not folded may begin
   * with the word duration.
   */
  private static final Pattern SCHEDULE =
      Pattern.compile(
          "(?i)(?:(?:DTSTART|DTEND|RRULE|EXRULE|RDATE|EXDATE|RECURRENCE-ID)(?![\\w-])"
              + "|DURATION(?:[;:]|[^\\w-]+P(?:T?\\d))).*");

  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

  /** Maximum length of a single event, which may last for years. */
  static final int MAX_DAYS = 36_600;

  private static final Set<String> BOUNDS = Set.of("DTSTART", "DTEND", "DURATION");

  private static final String OUTLOOK_ALL_DAY = "X-MICROSOFT-CDO-ALLDAYEVENT";

  private final int number;
  private final List<ContentLine> lines = new ArrayList<>();
  private final Map<String, ContentLine> firsts = new HashMap<>();
  private final List<SeriesEnd> ends = new ArrayList<>();
  private Optional<IllegalArgumentException> unreadable = Optional.empty();

  /**
   * First cancelled instance of a series.
   *
   * @param at its RECURRENCE-ID
   * @param sequence revision of the cancellation
   */
  record SeriesEnd(ContentLine at, int sequence) {}

  /**
   * An event without lines.
   *
   * @param number position among the events of its file, from 1
   */
  IcalendarEvent(int number) {
    this.number = number;
  }

  void add(ContentLine line) {
    lines.add(line);
  }

  List<ContentLine> lines() {
    return lines;
  }

  /** Indexes the lines. Called once, when all lines have been added. */
  void index() {
    lines.forEach(line -> firsts.putIfAbsent(line.name(), line));
  }

  Optional<ContentLine> first(String name) {
    return Optional.ofNullable(firsts.get(name));
  }

  boolean repeats() {
    return RULES.stream().anyMatch(firsts::containsKey) || firsts.containsKey("RDATE");
  }

  /** Whether this is a changed instance of a series. */
  boolean isInstance() {
    return firsts.containsKey(RECURRENCE_ID);
  }

  boolean isCancelled() {
    return first("STATUS").filter(line -> line.is("STATUS", "CANCELLED")).isPresent();
  }

  boolean isTransparent() {
    return first("TRANSP").filter(line -> line.is("TRANSP", "TRANSPARENT")).isPresent();
  }

  /**
   * Whether the event consists of whole days. Outlook writes some of them as times from midnight to
   * midnight.
   */
  boolean isAllDay() {
    return first("DTSTART").filter(line -> line.value().indexOf('T') < 0).isPresent()
        || first("DTSTART")
            .filter(line -> "DATE".equals(line.parameters().get("VALUE")))
            .isPresent()
        || first(OUTLOOK_ALL_DAY).filter(line -> line.is(OUTLOOK_ALL_DAY, "TRUE")).isPresent();
  }

  /** Notes an unreadable line. It matters only if it belongs to the schedule. */
  void spoil(String line, IllegalArgumentException why) {
    if (SCHEDULE.matcher(line).matches() && unreadable.isEmpty()) {
      unreadable = Optional.of(why);
    }
  }

  /** Notes a line without the name of a property, such as one without its colon. */
  void spoil(String line) {
    spoil(
        line,
        new IllegalArgumentException(
            "'"
                + cut(line, MAX_SHOWN)
                + "' must be a line such as RRULE:FREQ=WEEKLY, with a colon"));
  }

  Optional<ContentLine> instance() {
    return first(RECURRENCE_ID);
  }

  /** Whether the event cancels an instance of a series and all later ones. */
  boolean endsSeries() {
    return isCancelled() && range().filter("THISANDFUTURE"::equalsIgnoreCase).isPresent();
  }

  private Optional<String> range() {
    return instance().map(line -> line.parameters().get("RANGE"));
  }

  /** Notes the cancellation of an instance and all later ones. */
  void endBefore(IcalendarEvent cancellation) {
    ends.add(new SeriesEnd(cancellation.instance().orElseThrow(), cancellation.sequence()));
  }

  List<SeriesEnd> ends() {
    return ends;
  }

  Optional<String> uid() {
    return first("UID").map(line -> line.value().strip()).filter(uid -> !uid.isEmpty());
  }

  /** Number of the revision (RFC 5545, 3.8.7.4). */
  int sequence() {
    return first("SEQUENCE")
        .map(line -> line.value().strip())
        .filter(text -> NUMBER.matcher(text).matches())
        .map(Integer::parseInt)
        .orElse(0);
  }

  /** Time stamp of the revision. A later one has a greater text. */
  Optional<String> stamp() {
    return first("DTSTAMP").map(line -> line.value().strip()).filter(text -> !text.isEmpty());
  }

  /**
   * Refuses an event with an unreadable line, or one that moves all later instances.
   *
   * @throws IllegalArgumentException if it cannot be used
   */
  void checkUsable() {
    if (unreadable.isPresent()) {
      throw unreadable.get();
    }
    Optional<String> range = range();
    if (range.isPresent() && !endsSeries()) {
      throw new IllegalArgumentException(
          "RECURRENCE-ID: RANGE '"
              + range.get()
              + "' is not known here; end the series with UNTIL and add another event");
    }
  }

  Optional<SpanLength> length() {
    return first("DURATION")
        .map(line -> line.value().strip().replaceFirst("^\\+", ""))
        .filter(text -> !text.matches("P(0[WD])?(T(0[HMS])+)?"))
        .map(text -> SpanLength.parse(text, maxDays()));
  }

  /** Maximum length of the event in days. */
  int maxDays() {
    return repeats() ? SpanLength.MAX_DAYS : MAX_DAYS;
  }

  /**
   * Refuses two starts or ends, since one of them would be dropped (RFC 5545, section 3.6.1).
   *
   * @throws IllegalArgumentException if it has them
   */
  void checkBounds() {
    Map<String, ContentLine> seen = new HashMap<>();
    for (ContentLine line : lines) {
      ContentLine first = BOUNDS.contains(line.name()) ? seen.putIfAbsent(line.name(), line) : null;
      if (first != null) {
        throw new IllegalArgumentException(
            line.name()
                + ": '"
                + line.value().strip()
                + "' is one too many; '"
                + first.value().strip()
                + "' is there already");
      }
    }
    Optional<ContentLine> end = first("DTEND");
    Optional<ContentLine> duration = first("DURATION");
    if (end.isPresent() && duration.isPresent()) {
      throw new IllegalArgumentException(
          "DURATION: '"
              + duration.get().value().strip()
              + "' does not go with DTEND, '"
              + end.get().value().strip()
              + "'; leave one out");
    }
  }

  Optional<String> name() {
    return first("SUMMARY").map(line -> unescaped(line.value())).filter(text -> !text.isEmpty());
  }

  /** Name of the event in messages. */
  String title() {
    return name()
        .or(() -> first("UID").map(uid -> cut(uid.value().strip(), MAX_NAME)))
        .orElse("event " + number + " of the file");
  }

  private static String unescaped(String text) {
    return cut(text.replaceAll("\\\\[nN]", " ").replaceAll("\\\\(.)", "$1").strip(), MAX_NAME);
  }

  /** Returns the first code points of a text, since half a character could not be stored. */
  static String cut(String text, int most) {
    return text.codePointCount(0, text.length()) <= most
        ? text
        : text.substring(0, text.offsetByCodePoints(0, most));
  }
}
