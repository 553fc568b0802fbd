package carillon.recurrence.rrule;

import carillon.recurrence.rrule.RuleTime.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Parser of recurrence sets of iCalendar: a bare rule, or content lines {@code DTSTART}, {@code
 * RRULE}, {@code RDATE}, {@code EXDATE}.
 */
public final class RruleParser {
  /** Maximum length of a text. */
  public static final int MAX_LENGTH = 8192;

  private static final int MAX_RULES = 8;
  private static final int MAX_DATES = 512;
  private static final Set<String> VALUES = Set.of("DATE", "DATE-TIME");

  private final List<RecurrenceRule> rules = new ArrayList<>();
  private final List<RuleTime> dates = new ArrayList<>();
  private final List<RuleTime> exceptions = new ArrayList<>();
  private Optional<RuleTime> start = Optional.empty();
  private Optional<String> zone = Optional.empty();

  private RruleParser() {}

  /**
   * Reads a recurrence set.
   *
   * @throws IllegalArgumentException if it is invalid, or exceeds the limits
   */
  public static RecurrenceSet parse(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException("must have at most " + MAX_LENGTH + " characters");
    }
    RruleParser parser = new RruleParser();
    List<ContentLine> lines = ContentLine.read(text);
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("is empty");
    }
    lines.forEach(parser::add);
    return parser.set();
  }

  private void add(ContentLine line) {
    switch (line.name()) {
      case "DTSTART" -> addStart(line);
      case "RRULE" -> addRule(line);
      case "RDATE" -> addTimes(line, dates);
      case "EXDATE" -> addTimes(line, exceptions);
      case "EXRULE" ->
          throw new IllegalArgumentException("EXRULE: is no part of RFC 5545 any more; use EXDATE");
      default ->
          throw new IllegalArgumentException(
              line.name() + ": must be one of DTSTART, RRULE, RDATE, EXDATE");
    }
  }

  private void addStart(ContentLine line) {
    if (start.isPresent()) {
      throw new IllegalArgumentException("DTSTART: is there twice");
    }
    start = Optional.of(RuleTime.parse(line.name(), line.value().strip()));
    addZone(line, start.get());
  }

  private void addRule(ContentLine line) {
    if (!line.parameters().isEmpty()) {
      throw new IllegalArgumentException("RRULE: has no parameters");
    }
    if (rules.size() == MAX_RULES) {
      throw new IllegalArgumentException("RRULE: there must be at most " + MAX_RULES);
    }
    rules.add(RuleReader.read(line.value()));
  }

  private void addTimes(ContentLine line, List<RuleTime> times) {
    for (String text : line.value().split(",", -1)) {
      RuleTime time = RuleTime.parse(line.name(), text.strip());
      addZone(line, time);
      times.add(time);
    }
    if (dates.size() + exceptions.size() > MAX_DATES) {
      throw new IllegalArgumentException(
          line.name() + ": RDATE and EXDATE must have at most " + MAX_DATES + " dates together");
    }
  }

  /** Records the time zone, which all local times must share. */
  private void addZone(ContentLine line, RuleTime time) {
    line.parameters().forEach((name, value) -> checkParameter(line.name(), name, value));
    String given = line.parameters().get("TZID");
    if (given == null) {
      return;
    }
    if (time.form() == Form.UTC) {
      throw new IllegalArgumentException(line.name() + ": TZID does not go with a time in UTC");
    }
    if (!given.equals(zone.orElse(given))) {
      throw new IllegalArgumentException(
          line.name() + ": TZID '" + given + "' must be the same as '" + zone.get() + "'");
    }
    zone = Optional.of(given);
  }

  private static void checkParameter(String line, String name, String value) {
    if (name.equals("TZID") || name.startsWith("X-")) {
      return;
    }
    if (!name.equals("VALUE") || !VALUES.contains(value)) {
      throw new IllegalArgumentException(
          line + ": parameter " + name + "=" + value + " must be TZID, VALUE=DATE or DATE-TIME");
    }
  }

  private RecurrenceSet set() {
    if (rules.isEmpty() && dates.isEmpty()) {
      throw new IllegalArgumentException("must have an RRULE or RDATE");
    }
    if (rules.stream().map(rule -> rule.frequency().isElapsed()).distinct().count() > 1) {
      throw new IllegalArgumentException(
          "RRULE: those shorter than a day do not go with others; make two jobs");
    }
    boolean isOfDays = start.filter(time -> time.form() == Form.DATE).isPresent();
    List<RecurrenceRule> read = isOfDays ? rules.stream().map(RruleParser::ofDays).toList() : rules;
    return new RecurrenceSet(start, zone, read, dates, exceptions);
  }

  /** Removes times of day for a start that is a day (RFC 5545, 3.3.10). */
  private static RecurrenceRule ofDays(RecurrenceRule rule) {
    return rule.frequency().isElapsed() ? rule : rule.ofDays();
  }
}
