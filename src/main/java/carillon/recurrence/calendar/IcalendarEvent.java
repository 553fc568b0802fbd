package carillon.recurrence.calendar;

import carillon.recurrence.calendar.CalendarSpan.SpanLength;
import carillon.recurrence.rrule.ContentLine;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Event of iCalendar, as its lines say it. */
final class IcalendarEvent {
  private static final int MAX_NAME = 128;
  private static final Set<String> REPEATING = Set.of("RRULE", "RDATE", "EXRULE");
  private static final Set<String> TIMES = Set.of("RDATE", "EXDATE");
  private static final Set<String> BOUNDS = Set.of("DTSTART", "DTEND", "DURATION");

  private final int number;
  private final List<ContentLine> lines = new ArrayList<>();
  private final Map<String, ContentLine> firsts = new HashMap<>();

  /**
   * An event without lines.
   *
   * @param number where it stands among those of its file, from 1
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

  /** Called once, when all its lines are there. */
  void index() {
    lines.forEach(line -> firsts.putIfAbsent(line.name(), line));
  }

  Optional<ContentLine> first(String name) {
    return Optional.ofNullable(firsts.get(name));
  }

  boolean repeats() {
    return REPEATING.stream().anyMatch(firsts::containsKey);
  }

  boolean isBusy() {
    return first("STATUS").filter(line -> line.is("STATUS", "CANCELLED")).isEmpty()
        && first("TRANSP").filter(line -> line.is("TRANSP", "TRANSPARENT")).isEmpty();
  }

  Optional<SpanLength> length() {
    return first("DURATION")
        .map(line -> line.value().strip().replaceFirst("^\\+", ""))
        .filter(text -> !text.matches("P(0[WD])?(T(0[HMS])+)?"))
        .map(SpanLength::parse);
  }

  /**
   * Refuses two starts or ends, of which one would be dropped (RFC 5545, section 3.6.1).
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

  /** How messages name it. */
  String title() {
    return name()
        .or(() -> first("UID").map(ContentLine::value))
        .map(title -> "event '" + title + "'")
        .orElse("event " + number + " of the file");
  }

  private static String unescaped(String text) {
    String whole = text.replaceAll("\\\\[nN]", " ").replaceAll("\\\\(.)", "$1").strip();
    return whole.length() <= MAX_NAME ? whole : whole.substring(0, MAX_NAME);
  }

  /** The lines that say when it repeats, with time zones by their names here. */
  List<String> ruleLines(ContentLine start, Function<ContentLine, ZoneId> zone) {
    List<String> found = new ArrayList<>();
    found.add(text(start, zone));
    for (ContentLine line : lines) {
      if (REPEATING.contains(line.name()) || line.name().equals("EXDATE")) {
        found.add(text(line, zone));
      }
    }
    return found;
  }

  private static String text(ContentLine line, Function<ContentLine, ZoneId> zone) {
    Map<String, String> parameters = new LinkedHashMap<>();
    boolean isTime = TIMES.contains(line.name()) || line.name().equals("DTSTART");
    String value = line.parameters().get("VALUE");
    if (isTime && value != null) {
      parameters.put("VALUE", value);
    }
    boolean isLocal = !line.value().strip().endsWith("Z") && line.value().contains("T");
    if (isTime && isLocal && line.parameters().containsKey("TZID")) {
      parameters.put("TZID", zone.apply(line).getId());
    }
    StringBuilder text = new StringBuilder(line.name());
    parameters.forEach((name, given) -> text.append(';').append(name).append('=').append(given));
    return text.append(':').append(line.value().strip()).toString();
  }
}
